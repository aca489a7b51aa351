package local

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	target "github.com/hotloom/hotloom/compiler/emit/local"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/internal/action"
)

// applyHost makes a host: its folder, or nothing where it is bound to something that is there. A host stays the same one
// when its properties change: there is no image or flavor here that a new one would be made from.
func (r *Runtime) applyHost(n *target.Node) error {
	old := r.state.Record(n.Key)
	properties, err := r.properties(n)
	if err != nil {
		return r.fail(r.begin(n, create), n, err)
	}
	_, binding := r.opts.Bindings.find(n.Key)
	digest := r.state.digest(properties)
	doing := create
	switch {
	case old == nil || !old.made() && !old.updating():
	case old.Binding != binding:
		doing = create // another machine, on which everything is to be done anew
	case old.Digest == digest:
		return r.unchanged(old, n)
	default:
		doing = update
	}
	rec := r.begin(n, doing)
	if doing == create && (old == nil || old.Binding != binding) {
		if old != nil {
			r.state.release(old.Address)
		}
		rec.ID, rec.Binding, rec.Address, rec.Dir = newUUID(), binding, "", ""
	}
	if err := r.start(rec, n); err != nil {
		return err
	}
	if err := r.place(rec); err != nil {
		return r.fail(rec, n, err)
	}
	rec.Attributes = r.hostAttributes(n, rec, properties)
	rec.Digest = digest
	message := ""
	if v, _ := properties.GetStr("user_data"); v != nil && v != "" {
		message = "its user_data is not run on this machine"
	}
	return r.finish(rec, n, message)
}

// place gives a host its folder and address.
func (r *Runtime) place(rec *Record) (err error) {
	if strings.HasPrefix(rec.Binding, "ssh://") {
		t, err := action.ParseSSH(rec.Binding)
		if err != nil {
			return err
		}
		host := t.Address[:strings.LastIndexByte(t.Address, ':')]
		rec.Address = strings.Trim(host, "[]")
		return nil
	}
	if rec.Address == "" {
		if rec.Address, err = r.state.address(r.state.Info().ID + " " + rec.Key); err != nil {
			return err
		}
	}
	if rec.Binding != "" {
		info, err := os.Stat(rec.Binding)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("host %s: %s is no folder", rec.Key, rec.Binding)
		}
		return os.MkdirAll(rec.Binding, 0o700)
	}
	if rec.Dir == "" {
		rec.Dir = r.freeDir(rec.Key)
	}
	return os.MkdirAll(filepath.Join(r.state.Dir, "hosts", rec.Dir), 0o700)
}

// freeDir makes a name for a host's folder: GROUP-0 for GROUP/0.
func (r *Runtime) freeDir(key string) string {
	taken := map[string]bool{}
	for _, other := range r.state.Records() {
		taken[other.Dir] = other.Key != key
	}
	base := fileName(strings.ReplaceAll(key, "/", "-"))
	name := base
	for i := 2; taken[name]; i++ {
		name = base + "~" + strconv.Itoa(i)
	}
	return name
}

// hostAttributes are those of a server that make sense here.
func (r *Runtime) hostAttributes(n *target.Node, rec *Record, properties *value.Map) Values {
	name := r.state.Info().Name + "-" + strings.ReplaceAll(n.Key, "/", "-")
	if v, _ := properties.GetStr("name"); v != nil && v != "" {
		name = value.Str(v)
	}
	networks := []string{"private"}
	if list, _ := properties.GetStr("networks"); list != nil {
		if named := networkNames(list); len(named) > 0 {
			networks = named
		}
	}
	addresses, full := value.NewMap(0), value.NewMap(0)
	for _, network := range networks {
		addresses.SetStr(network, []any{rec.Address})
		full.SetStr(network, []any{value.MapOf("addr", rec.Address, "version", int64(4), "OS-EXT-IPS:type", "fixed")})
	}
	return newValues("name", name, "first_address", rec.Address, "networks", addresses, "addresses", full,
		"accessIPv4", rec.Address, "accessIPv6", "", "instance_name", name,
		"show", value.MapOf("id", rec.ID, "name", name, "status", "ACTIVE", "accessIPv4", rec.Address))
}

// networkNames are the names in a server's property networks.
func networkNames(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, item := range list {
		if m, ok := item.(*value.Map); ok {
			if name, _ := m.GetStr("network"); name != nil && name != "" {
				out = append(out, value.Str(name))
			}
		}
	}
	return out
}
