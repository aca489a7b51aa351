package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStacksAndWhatIsInThemAreCompleted(t *testing.T) {
	t.Parallel()
	h := newPlayedHeat(t)
	h.reply("GET /orchestration/stacks", 200, func() any {
		return map[string]any{"stacks": []any{map[string]any{"id": "1", "stack_name": "shop"}, map[string]any{"id": "2", "stack_name": "bank"}}}
	})
	h.reply("GET /orchestration/stacks/shop", 200, func() any { return map[string]any{"stack": map[string]any{"id": "id", "stack_name": "shop"}} })
	h.reply("GET /orchestration/stacks/shop/id/outputs", 200, func() any {
		return map[string]any{"outputs": []any{map[string]any{"output_key": "page"}}}
	})
	binary, err := exec.LookPath("hotloom")
	if err != nil {
		t.Fatal(err)
	}
	stacks := []string{"shop", "bank"}
	for words, want := range map[string][]string{
		"show": stacks, "watch": stacks, "why": stacks, "update": stacks, "preview": stacks, "delete": stacks, "delete bank": stacks,
		"update shop": nil, // files, which the shell knows
		"outputs":     stacks, "outputs shop": {"page"}, "signal shop": names,
	} {
		t.Run(words, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), binary, append(append([]string{"stack"}, strings.Fields(words)...), "--generate-bash-completion")...)
			cmd.Env = append([]string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}, h.environment()...)
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			got := slices.DeleteFunc(strings.Fields(string(out)), func(w string) bool { return strings.HasPrefix(w, "-") })
			if diff := cmp.Diff(want, got); diff != "" && len(want)+len(got) > 0 {
				t.Errorf("completed (-want +got):\n%s", diff)
			}
		})
	}
}
