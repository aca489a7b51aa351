package yaql_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/yaql"
)

// TestReadsManyListsAgainAndAgain reads more lists than are remembered one by one, and calls in between, whose room is used
// again, functions that keep theirs.
func TestReadsManyListsAgainAndAgain(t *testing.T) {
	t.Parallel()
	const lists = 20
	data := value.NewMap(lists)
	var reads []string
	var want []any
	for round := range 2 {
		for i := range int64(lists) {
			data.SetStr(fmt.Sprintf("l%d", i), []any{i, i + 1})
			reads = append(reads, fmt.Sprintf("$.l%d.select($ * 2 + len(str($)) - len(str($))).where($ >= %d + 0 * abs(-1))", i, 2*i+int64(round)))
			if round == 0 {
				want = append(want, []any{2 * i, 2*i + 2})
			} else {
				want = append(want, []any{2*i + 2})
			}
		}
	}
	e, serr := yaql.Parse("[" + strings.Join(reads, ", ") + "]")
	if serr != nil {
		t.Fatal(serr)
	}
	got, err := yaql.Eval(context.Background(), yaql.Mistral, e, data, yaql.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}
