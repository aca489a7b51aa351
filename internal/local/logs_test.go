package local_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/internal/local"
)

func changeInfo(t *testing.T, s *local.State, status string) {
	t.Helper()
	if err := s.SetInfo(func(i *local.Info) { i.Status = status }); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestFollowedLogsComeInWholeLinesUntilTheRunRests has each part that is shown cause the next thing to happen.
func TestFollowedLogsComeInWholeLinesUntilTheRunRests(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	s, err := local.NewState(root, "shop")
	if err != nil {
		t.Fatal(err)
	}
	put := func(key, host string) string {
		if err := s.Put(&local.Record{Key: key, Host: host, Status: "CREATE_IN_PROGRESS"}); err != nil {
			t.Fatal(err)
		}
		return s.LogFile(key, "CREATE")
	}
	changeInfo(t, s, "CREATE_IN_PROGRESS")
	site := put("web.site", "web")
	write(t, put("db.schema", "db"), "of another host\n")
	write(t, site, "one\nha")
	var got []string
	err = local.FollowLogs(t.Context(), root, "shop", "web", func(l local.Log) error {
		got = append(got, l.Node+" "+l.Text)
		switch len(got) {
		case 1:
			write(t, site, "lf\n")
		case 2:
			write(t, put("web.check", "web"), "a step that was not there\n")
		case 3:
			write(t, site, "no end of line")
			changeInfo(t, s, "CREATE_COMPLETE")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"web.site one\n", "web.site half\n", "web.check a step that was not there\n", "web.site no end of line"}, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestFollowingEnds(t *testing.T) {
	t.Parallel()
	begin := func(t *testing.T) (string, *local.State) {
		root := t.TempDir()
		s, err := local.NewState(root, "shop")
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Put(&local.Record{Key: "web"}); err != nil {
			t.Fatal(err)
		}
		changeInfo(t, s, "CREATE_IN_PROGRESS")
		write(t, s.LogFile("web", "CREATE"), "one\n")
		return root, s
	}
	full := errors.New("the reader has gone")
	for name, c := range map[string]struct {
		emit func(s *local.State, cancel func()) error
		want error
	}{
		"with the context":   {func(_ *local.State, cancel func()) error { cancel(); return nil }, nil},
		"with the reader":    {func(*local.State, func()) error { return full }, full},
		"when it is removed": {func(s *local.State, _ func()) error { return s.Remove() }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, s := begin(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if err := local.FollowLogs(ctx, root, "shop", "", func(local.Log) error { return c.emit(s, cancel) }); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}
