package lint

import (
	"embed"
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hotloom/hotloom/compiler/diag"
)

//go:embed examples/*.txtar
var exampleFiles embed.FS

// Example is an input with which a rule is explained and tested.
type Example struct {
	Name string // bad or good
	Main string // name of the template, or of the environment alone
	// Env is the name of the environment file that goes with it, or "".
	Env   string
	Files map[string]string
}

// Examples gives the explanation and the examples of a rule: the bad one has the finding, the good one has not.
func Examples(id string) (why string, examples []Example) {
	text, err := exampleFiles.ReadFile("examples/" + id + ".txtar")
	if err != nil {
		return "", nil
	}
	archive := txtar.Parse(text)
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	for _, name := range []string{"bad", "good"} {
		if _, ok := files[name+".yaml"]; !ok {
			continue
		}
		e := Example{Name: name, Main: name + ".yaml", Files: files}
		if _, ok := files[name+".env"]; ok {
			e.Env = name + ".env"
		}
		examples = append(examples, e)
	}
	return strings.TrimSpace(string(archive.Comment)), examples
}

// Explain gives the page of a rule in Markdown; ok is false where there is no such rule.
func Explain(id string) (page string, ok bool) {
	r := rulesByID()[id]
	if r == nil {
		return "", false
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n", r.ID, r.Summary)
	fmt.Fprintf(&b, "**Severity:** %s%s\n\n%s\n", r.Severity, map[bool]string{true: ", off by default"}[r.Off], r.behaviour())
	why, examples := Examples(id)
	if why != "" {
		fmt.Fprintf(&b, "\n%s\n", why)
	}
	for _, e := range examples {
		fmt.Fprintf(&b, "\n## %s\n\n%s", map[string]string{"bad": "Avoid", "good": "Prefer"}[e.Name], fenced(e.Files[e.Main]))
		if e.Env != "" {
			fmt.Fprintf(&b, "\nwith the environment\n\n%s", fenced(e.Files[e.Env]))
		}
	}
	fmt.Fprintf(&b, "\n## Configuration\n\n```yaml\n# hotloom.yaml\nlint:\n  rules: {%s: %s}\n```\n\n", r.ID, otherLevel(r))
	fmt.Fprintf(&b, "At one place: a comment `# hotloom: ignore=%s` on the line or alone on the line above.\n", r.ID)
	return b.String(), true
}

// behaviour is what the service does that the rule speaks for.
func (r *Rule) behaviour() string {
	if r.Mistral != "" {
		return "**OpenStack Mistral:** " + r.Mistral
	}
	return "**Heat:** " + r.Heat
}

// maxShown is the longest example that a page shows, in characters.
const maxShown = 2000

func fenced(text string) string {
	if len(text) > maxShown {
		text = text[:maxShown/10] + "…\n"
	}
	return "```yaml\n" + text + "```\n"
}

func otherLevel(r *Rule) Level {
	switch {
	case r.Off:
		return Level(r.Severity.String())
	case r.Severity == diag.Error:
		return LevelWarning
	}
	return Off
}
