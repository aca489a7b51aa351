//go:build openstack

package openstack_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The test bed itself, with stacks written by hand: what the other tests take for granted.

func TestBedServersRunTheirUserData(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	b := bundleOf(t, "testdata/bed/cloudinit.yaml", nil)
	s.validate(b)
	state := s.create(b)

	data := map[string]string{}
	if err := json.Unmarshal([]byte(state.output(t, "data").(string)), &data); err != nil {
		t.Fatal(err)
	}
	hosts := 0
	for _, r := range s.resources() {
		if r.Type != "OS::Nova::Server" {
			continue
		}
		hosts++
		if got, want := data[r.PhysicalID], "quotes \" ' and a 🧵"; got != want {
			t.Errorf("host %s signalled %q, want %q", r.Name, got, want)
		}
		g := bed.guest(t, r.PhysicalID)
		if got := strings.TrimSpace(g.read(t, "/var/lib/record/sh")); got != "dash" {
			t.Errorf("/bin/sh of host %s is %s, want dash", r.Name, got)
		}
		if !strings.HasPrefix(g.Address, "127.77.") {
			t.Errorf("host %s has the address %s, want one of the loopback", r.Name, g.Address)
		}
	}
	if hosts != 4 {
		t.Errorf("%d hosts, want 4", hosts)
	}
	want := []any{s.guest("raw").Address, s.guest("software_config").Address, []any{s.guest("0").Address}}
	if diff := cmp.Diff(want, state.output(t, "addresses")); diff != "" {
		t.Errorf("addresses (-want +got):\n%s", diff)
	}
	if got := s.guest("software_config").userData(t); !strings.Contains(got, "cfn-init-data") {
		t.Errorf("user data of format SOFTWARE_CONFIG has no metadata part:\n%s", got)
	}
}

func TestBedReplacesAServerWhoseUserDataChanged(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	template := func(userData, metadata, policy string) bundle {
		return bundle{"template": map[string]any{
			"heat_template_version": "2018-08-31",
			"resources": map[string]any{"host": map[string]any{"type": "OS::Nova::Server", "properties": map[string]any{
				"image": "debian-12", "flavor": "m1.small", "user_data_format": "RAW", "user_data": "#!/bin/sh\n: " + userData,
				"metadata": map[string]any{"role": metadata}, "user_data_update_policy": policy,
			}}},
		}}
	}
	s.create(template("one", "a", "REPLACE"))
	first := s.guest("host")
	s.update(template("one", "b", "REPLACE"))
	if g := s.guest("host"); g.ID != first.ID || g.Metadata["role"] != "b" {
		t.Errorf("changed metadata: host %s with role %s, want the first host %s with role b", g.ID, g.Metadata["role"], first.ID)
	}
	s.update(template("two", "b", "IGNORE"))
	if g := s.guest("host"); g.ID != first.ID {
		t.Errorf("changed user_data under policy IGNORE: host %s, want the first host %s", g.ID, first.ID)
	}
	s.update(template("three", "b", "REPLACE"))
	second := s.guest("host")
	if second.ID == first.ID {
		t.Error("changed user_data under policy REPLACE: the first host is still there")
	}
	if got := bed.guest(t, first.ID).Status; got != "DELETED" {
		t.Errorf("the replaced host is %s, want DELETED", got)
	}
	s.delete()
	if got := bed.guest(t, second.ID).Status; got != "DELETED" {
		t.Errorf("the host of the deleted stack is %s, want DELETED", got)
	}
}

func TestBedTransports(t *testing.T) {
	t.Parallel()
	for _, transport := range []string{"POLL_SERVER_HEAT", "POLL_SERVER_CFN", "POLL_TEMP_URL"} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			s := newStack(t)
			s.begin(bundleOf(t, "testdata/bed/transports.yaml", map[string]any{"transport": transport}))
			stop := s.operate()
			state := s.expect("CREATE_COMPLETE")
			stop()
			for _, way := range []string{"by_heat", "by_cfn", "by_temp_url"} {
				want := []any{"hello größer \"than\" 🧵\n", "warned\n", 0.0, "größer \"than\" 🧵 {\"a\": [1, \"x'y\"]}"}
				if diff := cmp.Diff(want, state.output(t, way)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", way, diff)
				}
			}
		})
	}
}
