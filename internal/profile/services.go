package profile

import (
	"cmp"
	"context"
	"net/url"
	"slices"

	"github.com/gophercloud/gophercloud/v2"

	"github.com/hotloom/hotloom/internal/cloud"
	"github.com/hotloom/hotloom/resources/catalog"
)

// maxPages bounds how many pages of a list are read, of up to a thousand entries each.
const maxPages = 100

// get reads from a service other than Heat.
func (k *capture) get(ctx context.Context, service, path string, query url.Values, result any) error {
	api, err := k.cloud.Service(service)
	if err != nil {
		return err
	}
	return get(ctx, api, api.ServiceURL(path), query, result)
}

func get(ctx context.Context, api *gophercloud.ServiceClient, where string, query url.Values, result any) error {
	if len(query) > 0 {
		where += "?" + query.Encode()
	}
	_, err := api.Get(ctx, where, result, nil) //nolint:bodyclose // closed by gophercloud
	return cloud.Explain(err)
}

// limits reads the project's quotas of servers. Nova writes -1 for none.
func (k *capture) limits(ctx context.Context) error {
	var answer struct {
		Limits struct {
			Absolute map[string]int64
		}
	}
	if err := k.get(ctx, "compute", "limits", nil, &answer); err != nil {
		return err
	}
	quota := func(most, used string) *catalog.Quota {
		n, ok := answer.Limits.Absolute[most]
		if !ok || n < 0 {
			return nil
		}
		return &catalog.Quota{Max: n, Used: answer.Limits.Absolute[used]}
	}
	l := &catalog.Limits{
		Instances: quota("maxTotalInstances", "totalInstancesUsed"), Cores: quota("maxTotalCores", "totalCoresUsed"),
		RAM: quota("maxTotalRAMSize", "totalRAMUsed"),
	}
	if *l == (catalog.Limits{}) {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.profile.Limits = l
	return nil
}

// names puts a list into the profile.
func (k *capture) names(set func(*catalog.Names)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.profile.Names == nil {
		k.profile.Names = &catalog.Names{}
	}
	set(k.profile.Names)
}

func (k *capture) flavors(ctx context.Context) error {
	all := []catalog.Flavor{}
	query := url.Values{"is_public": {"None"}}
	for range maxPages {
		var page struct {
			Flavors []struct {
				ID, Name         string
				VCPUs, RAM, Disk int64
			}
		}
		err := k.get(ctx, "compute", "flavors/detail", query, &page)
		if query.Has("is_public") && (cloud.IsStatus(err, 400) || cloud.IsStatus(err, 403)) { // only administrators may ask for all
			query.Del("is_public")
			err = k.get(ctx, "compute", "flavors/detail", query, &page)
		}
		if err != nil {
			return err
		}
		n := len(page.Flavors)
		if n == 0 || page.Flavors[n-1].ID == query.Get("marker") {
			break
		}
		query.Set("marker", page.Flavors[n-1].ID)
		for _, f := range page.Flavors {
			all = append(all, catalog.Flavor{Named: catalog.Named{ID: f.ID, Name: f.Name}, Cores: f.VCPUs, RAM: f.RAM, Disk: f.Disk})
		}
	}
	slices.SortFunc(all, func(a, b catalog.Flavor) int { return byName(a.Named, b.Named) })
	k.names(func(n *catalog.Names) { n.Flavors = all })
	return nil
}

func (k *capture) images(ctx context.Context) error {
	all, err := k.list(ctx, "image", "images", "images", url.Values{"limit": {"500"}})
	if err != nil {
		return err
	}
	k.names(func(n *catalog.Names) { n.Images = all })
	return nil
}

func (k *capture) networks(ctx context.Context) error {
	all, err := k.list(ctx, "network", "networks", "networks", url.Values{"fields": {"id", "name"}})
	if err != nil {
		return err
	}
	k.names(func(n *catalog.Names) { n.Networks = all })
	return nil
}

// list reads a list of things with names over all its pages, in the order of names.
func (k *capture) list(ctx context.Context, service, path, key string, query url.Values) ([]catalog.Named, error) {
	api, err := k.cloud.Service(service)
	if err != nil {
		return nil, err
	}
	all := []catalog.Named{}
	where := api.ServiceURL(path)
	for range maxPages {
		var page map[string]any
		if err := get(ctx, api, where, query, &page); err != nil {
			return nil, err
		}
		items, _ := page[key].([]any)
		for _, item := range items {
			m, _ := item.(map[string]any)
			id, _ := m["id"].(string)
			name, _ := m["name"].(string)
			if id != "" {
				all = append(all, catalog.Named{ID: id, Name: name})
			}
		}
		next, _ := page["next"].(string) // of Glance; Neutron gives all at once unless it is told otherwise
		if next == "" || len(items) == 0 {
			break
		}
		u, err := url.Parse(next)
		if err != nil {
			return nil, err
		}
		query = u.Query()
	}
	slices.SortFunc(all, byName)
	return all, nil
}

func byName(a, b catalog.Named) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
}
