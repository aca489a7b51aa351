//go:build openstack

package openstack_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	cloudInit  = "cloud-init"
	deployment = "software-deployment"
	workflows  = "mistral"
)

// onEveryTarget runs a test of what each target has to do alike.
func onEveryTarget(t *testing.T, test func(t *testing.T, target string)) {
	t.Parallel()
	for _, target := range []string{cloudInit, deployment, workflows} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			test(t, target)
		})
	}
}

func TestOrderAndDataCrossHosts(t *testing.T) {
	onEveryTarget(t, func(t *testing.T, target string) {
		s := newStack(t)
		b := bundleOf(t, compile(t, target, "testdata/programs/order/template.yaml"), nil)
		s.validate(b)
		state := s.create(b)
		expectChain(t, runs(t, s.guest("a"), s.guest("b"), s.guest("c")), "a.first", "a.second", "b.reader", "c.last")
		if got, want := state.output(t, "path"), ">a.first>a.second>b.reader"; got != want {
			t.Errorf("output path is %q, want %q", got, want)
		}
		if got, want := s.guest("a").read(t, "/var/lib/record/own"), "the author was here\n"; got != want {
			t.Errorf("the author's own user_data wrote %q, want %q", got, want)
		}
	})
}

// onAgentTargets runs a test of what the targets can do that need an agent on the host.
func onAgentTargets(t *testing.T, test func(t *testing.T, target string)) {
	t.Parallel()
	for _, target := range []string{deployment, workflows} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			test(t, target)
		})
	}
}

func TestValuesArriveAsTheyAre(t *testing.T) {
	big := strings.Repeat("größe 🧵 \"4\"\t\\n\n", 8192)
	cut := 8192
	for big[cut]&0xC0 == 0x80 { // not within a character
		cut--
	}
	values := map[string]string{
		"awkward": "it's \"quoted\" `and` $HOME $(id) ${x} %s \\ \\n\n\tsecond line, größer ≤ 🧵 𝄞\nEOF\n@hotloom-end@ <&>\n",
		"big":     big[:cut],
	}
	table := map[string]any{"a": []any{1.0, "x'y \"z\" 🧵", nil, true}, "b": map[string]any{"c": "d\ne"}}
	onEveryTarget(t, func(t *testing.T, target string) {
		s := newStack(t)
		parameters := map[string]any{"awkward": values["awkward"], "big": values["big"], "table": table}
		state := s.create(bundleOf(t, compile(t, target, "testdata/programs/values/template.yaml"), parameters))
		for _, host := range []string{"sender", "receiver"} {
			g := s.guest(host)
			for name, want := range values {
				if diff := cmp.Diff(want, g.read(t, "/var/lib/record/"+name)); diff != "" {
					t.Errorf("%s on host %s (-want +got):\n%s", name, host, diff)
				}
			}
			var got any
			if err := json.Unmarshal([]byte(g.read(t, "/var/lib/record/table")), &got); err != nil {
				t.Errorf("table on host %s: %v", host, err)
			}
			if diff := cmp.Diff(any(table), got); diff != "" {
				t.Errorf("table on host %s (-want +got):\n%s", host, diff)
			}
		}
		for name, want := range values {
			if diff := cmp.Diff(want, state.output(t, name)); diff != "" {
				t.Errorf("output %s (-want +got):\n%s", name, diff)
			}
		}
	})
}

func TestFailingStepFailsItsStack(t *testing.T) {
	onEveryTarget(t, func(t *testing.T, target string) {
		s := newStack(t)
		s.begin(bundleOf(t, compile(t, target, "testdata/programs/failing/template.yaml"), nil))
		state := s.expect("CREATE_FAILED")
		for _, part := range []string{"database.migrate", "exit code 3", "no space left for table orders"} {
			if !strings.Contains(state.Reason, part) {
				t.Errorf("the stack's reason lacks %q: %s", part, state.Reason)
			}
		}
		for _, g := range bed.guests(t) {
			if strings.HasPrefix(g.Name, s.name+"-web") && g.has(t, "/var/lib/record/ran") {
				t.Error("the step that depends on the failed one ran")
			}
		}
	})
}

func TestUpdateRunsWhatChangedAndWhatReadsIt(t *testing.T) {
	onAgentTargets(t, updateRunsWhatChanged)
}

func updateRunsWhatChanged(t *testing.T, target string) {
	s := newStack(t)
	source := "testdata/programs/update/template.yaml"
	s.create(bundleOf(t, compile(t, target, source), nil))
	hosts := []*guest{s.guest("a"), s.guest("b")}
	before := names(runs(t, hosts...))
	slices.Sort(before)
	if want := []string{"a.alone", "a.reader", "a.setting", "b.after", "b.reader"}; !slices.Equal(before, want) {
		t.Fatalf("the creation ran %v, want %v", before, want)
	}

	made := identities(s.resources())
	s.update(bundleOf(t, compile(t, target, source), nil))
	if diff := cmp.Diff(made, identities(s.resources())); diff != "" {
		t.Errorf("an unchanged recompile replaced resources (-before +after):\n%s", diff)
	}
	if got := names(runs(t, hosts...)); len(got) != len(before) {
		t.Errorf("an unchanged recompile ran %v", got[len(before):])
	}

	state := s.update(bundleOf(t, compile(t, target, source), map[string]any{"setting": "two"}))
	expectChain(t, runs(t, hosts...)[len(before):], "a.setting", "a.reader", "b.reader")
	if got, want := state.output(t, "path"), "two>a.setting>a.reader>b.reader"; got != want {
		t.Errorf("output path is %q after the update, want %q", got, want)
	}
	if diff := cmp.Diff(made, identities(s.resources())); diff != "" {
		t.Errorf("the update replaced resources (-before +after):\n%s", diff)
	}
}

func TestUnchangedRecompileReplacesNothing(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	source := "testdata/programs/order/template.yaml"
	s.create(bundleOf(t, compile(t, cloudInit, source), nil))
	made := identities(s.resources())
	s.update(bundleOf(t, compile(t, cloudInit, source), nil))
	if diff := cmp.Diff(made, identities(s.resources())); diff != "" {
		t.Errorf("an unchanged recompile replaced resources (-before +after):\n%s", diff)
	}
}

// identities are the physical ids of resources by their place.
func identities(resources []resourceState) map[string]string {
	ids := map[string]string{}
	for _, r := range resources {
		ids[r.Parent+"/"+r.Name] = r.PhysicalID
	}
	return ids
}

// The runner signals with what the image has.
func TestSignalsWithCurlOrWget(t *testing.T) {
	t.Parallel()
	for _, missing := range []string{"curl", "wget"} {
		t.Run("without "+missing, func(t *testing.T) {
			t.Parallel()
			s := newStack(t)
			image := map[string]any{"image": "debian-12-without-" + missing}
			state := s.create(bundleOf(t, compile(t, cloudInit, "../../examples/lifecycle/template.yaml"), image))
			g := s.guest("host")
			if info, err := os.Lstat(g.path("/usr/bin/" + missing)); err != nil || info.Mode()&fs.ModeCharDevice == 0 {
				t.Errorf("%s is not hidden in the guest, so this test proves nothing (%v)", missing, err)
			}
			if got := fmt.Sprint(state.output(t, "revision")); got != "1" {
				t.Errorf("output revision is %s, want 1", got)
			}
		})
	}
}

// Each way in which a host learns of its deployments with each way in which they report, once.
func TestTransports(t *testing.T) {
	t.Parallel()
	for config, signal := range map[string]string{
		"POLL_SERVER_HEAT": "HEAT_SIGNAL", "POLL_SERVER_CFN": "CFN_SIGNAL", "POLL_TEMP_URL": "TEMP_URL_SIGNAL",
	} {
		t.Run(config+" "+signal, func(t *testing.T) {
			t.Parallel()
			s := newStack(t)
			template := compile(t, deployment, "testdata/programs/deployed/template.yaml", "--signal-transport", signal)
			s.begin(bundleOf(t, template, map[string]any{"transport": config}))
			stop := s.operate()
			state := s.expect("CREATE_COMPLETE")
			stop()
			expectChain(t, runs(t, s.machine("single"), s.machine("group-0")), "single.first", "group.second")
			if diff := cmp.Diff([]any{">single.first>group.second"}, state.output(t, "paths")); diff != "" {
				t.Errorf("output paths (-want +got):\n%s", diff)
			}
			for _, r := range s.resources() {
				if strings.HasSuffix(r.Type, "Deployment") && r.Status != "CREATE_COMPLETE" {
					t.Error(fmt.Sprint(r))
				}
			}
		})
	}
}
