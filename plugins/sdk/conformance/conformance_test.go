package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hotloom/hotloom/plugins/sdk"
	"github.com/hotloom/hotloom/plugins/sdk/conformance"
	"github.com/hotloom/hotloom/resources"
)

// The test binary is the provider too, for tests of a process that is killed; and it tests broken providers, whose tests fail.
const (
	serveEnv  = "HOTLOOM_TEST_SERVE"
	brokenEnv = "HOTLOOM_TEST_BROKEN"
	folderEnv = "HOTLOOM_TEST_FOLDER"
)

func TestMain(m *testing.M) {
	if os.Getenv(serveEnv) != "" {
		sdk.Serve(provider(os.Getenv(brokenEnv)))
		return
	}
	os.Exit(m.Run())
}

func provider(broken string) sdk.Provider {
	p := sdk.Provider{Name: "kit", Version: "1", Types: sdk.Types{"Test::File": func() sdk.Resource { return &file{broken: broken} }}}
	switch broken {
	case "schema":
		p.Types["Test::Wrong"] = func() sdk.Resource { return new(wrong) }
	case "recovers otherwise":
		p.Types["Test::File"] = func() sdk.Resource { return &recovering{file{broken: broken}} }
	}
	return p
}

// file is a file whose name is the key of its create, in one folder for all.
type file struct {
	Text  string `hot:"text,required,update"`
	Word  string `hot:"word,secret" default:""`
	Shown string `attr:"shown"`

	broken string
}

func folder() string { return os.Getenv(folderEnv) }

func (f *file) write(c *sdk.Call) error {
	return os.WriteFile(filepath.Join(folder(), c.ID()), []byte(f.Text), 0o600)
}

func (f *file) Create(ctx context.Context, c *sdk.Call) error {
	name := c.Key
	if f.broken == "makes another each time" {
		name += fmt.Sprint(time.Now().UnixNano())
		if err := os.WriteFile(filepath.Join(folder(), name+"-too"), nil, 0o600); err != nil {
			return err
		}
	}
	if f.broken != "no id" {
		c.SetID(name)
	}
	switch f.broken {
	case "deaf":
		time.Sleep(time.Hour)
	case "secret in error":
		return fmt.Errorf("cannot log in with %s", f.Word)
	case "secret in progress":
		c.Progress(1, "logged in with %s", f.Word)
	case "secret in attribute":
		f.Shown = "the word is " + f.Word
	case "secret in log":
		slog.Info("logged in", "with", f.Word)
	case "no id":
		return nil
	}
	select {
	case <-time.After(50 * time.Millisecond): // so that there is a middle
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return f.write(c)
}

func (f *file) Update(_ context.Context, c *sdk.Call) error { return f.write(c) }

func (f *file) Suspend(context.Context, *sdk.Call) error { return nil }

func (f *file) Resume(context.Context, *sdk.Call) error {
	if f.broken == "cannot resume" {
		return errors.New("no")
	}
	return nil
}

func (f *file) Delete(_ context.Context, c *sdk.Call) error {
	switch {
	case f.broken == "leaves things":
		return nil
	case f.broken == "delete needs it" || c.ID() != "":
		if err := os.Remove(filepath.Join(folder(), c.ID())); !errors.Is(err, fs.ErrNotExist) || f.broken == "delete needs it" {
			return err
		}
	}
	return nil
}

// recovering has a Recover that is wrong.
type recovering struct{ file }

func (r *recovering) Recover(context.Context, *sdk.Call) error { return errors.New("what was it?") }

// wrong has a schema that Heat does not load.
type wrong struct {
	Number int `attr:"show"`
}

func (*wrong) Create(context.Context, *sdk.Call) error { return nil }
func (*wrong) Delete(context.Context, *sdk.Call) error { return nil }

func example() conformance.Example {
	return conformance.Example{
		Type:       "Test::File",
		Properties: sdk.Values{"text": "one", "word": "the-secret-word"},
		Update:     sdk.Values{"text": "two", "word": "the-secret-word"},
		Timeout:    5 * time.Second,
		Left: func(t *testing.T) []string {
			files, err := filepath.Glob(filepath.Join(folder(), "*"))
			if err != nil {
				t.Fatal(err)
			}
			return files
		},
	}
}

func TestGoodProviderPasses(t *testing.T) {
	t.Setenv(folderEnv, t.TempDir())
	conformance.Test(t, provider(""), example())
}

// TestGoodProviderPassesWhenItIsKilled runs it as a process that kill -9 ends in each phase of each action.
func TestGoodProviderPassesWhenItIsKilled(t *testing.T) {
	t.Setenv(folderEnv, t.TempDir())
	conformance.TestProvider(t, program(t, ""), example())
}

func program(t *testing.T, broken string) func(*testing.T) resources.Provider {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	built := filepath.Join(t.TempDir(), "hotloom-provider-kit")
	if err := os.Symlink(self, built); err != nil {
		t.Skip(err)
	}
	return conformance.Program(built, serveEnv+"=1", brokenEnv+"="+broken)
}

// TestBroken is a broken provider's own test. TestBrokenProvidersFail runs it.
func TestBroken(t *testing.T) {
	broken := os.Getenv(brokenEnv)
	if broken == "" {
		t.Skip("run by TestBrokenProvidersFail")
	}
	if killed, ok := strings.CutPrefix(broken, "killed: "); ok {
		conformance.TestProvider(t, program(t, killed), example())
		return
	}
	conformance.Test(t, provider(broken), example())
}

// TestBrokenProvidersFail holds the kit itself against providers that do one thing wrong.
func TestBrokenProvidersFail(t *testing.T) {
	t.Parallel()
	for broken, want := range map[string][]string{
		"schema":                     {"FAIL: TestBroken/schema", "Test::Wrong.show"},
		"no id":                      {"create gave no id"},
		"makes another each time":    {"want at most 1"},
		"leaves things":              {"after its delete there are 1"},
		"delete needs it":            {"TestBroken/Test::File/delete_of_nothing"},
		"cannot resume":              {"RESUME: "},
		"secret in error":            {"the error of CREATE shows a secret"},
		"secret in progress":         {"the progress of CREATE shows a secret"},
		"secret in attribute":        {"attribute shown shows a secret"},
		"secret in log":              {"the log shows a secret"},
		"recovers otherwise":         {"lost_provider/create_before_the_work", "it has to go on"},
		"killed: recovers otherwise": {"lost_provider/create_before_the_work", "lost_provider/update_before_the_work"},
	} {
		t.Run(broken, func(t *testing.T) {
			t.Parallel()
			run := "^TestBroken$"
			if strings.HasPrefix(broken, "killed: ") { // each process takes its time
				run += "/^Test::File$/^lost_provider$/^(create|update)_before"
			}
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run="+run)
			cmd.Env = append(os.Environ(), brokenEnv+"="+broken, folderEnv+"="+t.TempDir())
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || slices.ContainsFunc(want, func(w string) bool { return !strings.Contains(string(out), w) }) {
				t.Errorf("%v, want failures with %q:\n%s", err, want, out)
			}
			if broken != "secret in log" && strings.Contains(string(out), "the-secret-word") { // which the provider itself writes
				t.Errorf("the kit shows the secret itself:\n%s", out)
			}
		})
	}
}
