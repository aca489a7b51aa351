//go:build openstack

package openstack_test

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// run is one line of /var/lib/record/steps, which the script record.sh of the programs in testdata keeps.
type run struct {
	step       string
	begin, end float64 // seconds; all hosts share one clock
}

// runs are the steps that ran on the hosts, in the order in which they began.
func runs(t *testing.T, hosts ...*guest) []run {
	t.Helper()
	var all []run
	for _, host := range hosts {
		raw, err := os.ReadFile(host.path("/var/lib/record/steps"))
		if os.IsNotExist(err) {
			continue // none yet
		}
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(raw)) {
			var r run
			if _, err := fmt.Sscan(line, &r.step, &r.begin, &r.end); err != nil {
				t.Fatalf("%s recorded %q: %v", host.Name, line, err)
			}
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(x, y run) int { return cmp.Compare(x.begin, y.begin) })
	return all
}

// names are the steps of runs, in order.
func names(runs []run) []string {
	var list []string
	for _, r := range runs {
		list = append(list, r.step)
	}
	return list
}

// expectChain fails the test unless the steps ran once each, one after the end of the other.
func expectChain(t *testing.T, got []run, want ...string) {
	t.Helper()
	if !slices.Equal(names(got), want) {
		t.Errorf("steps ran in the order %v, want %v", names(got), want)
		return
	}
	for i := 1; i < len(got); i++ {
		if got[i].begin < got[i-1].end {
			t.Errorf("%s began at %s, before %s ended at %s", got[i].step, seconds(got[i].begin), got[i-1].step, seconds(got[i-1].end))
		}
	}
}

func seconds(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }
