package openstack

import "context"

// function carries out an action that a line of the table cannot describe.
type function func(ctx context.Context, s *session, in *inputs) (any, error)

// functions are those that the table may name.
func functions() map[string]function {
	return map[string]function{
		"driver_update":                 driverUpdate,
		"driver_vendor_passthru":        passthru("drivers", "driver_name"),
		"node_set_maintenance":          nodeSetMaintenance,
		"node_set_power_state":          nodeSetPowerState,
		"node_set_provision_state":      nodeSetProvisionState,
		"node_update":                   nodeUpdate,
		"node_vendor_passthru":          passthru("nodes", "node_id"),
		"node_wait_for_provision_state": nodeWait,
		"wait_for_finish":               introspectionWait,
		"stacks_list":                   stacksList,
		"stacks_update":                 stacksUpdate,
		"stacks_preview_update":         stacksPreviewUpdate,
		"swift_head":                    swiftHead,
		"swift_get_listing":             swiftListing,
		"swift_get_object":              swiftGetObject,
		"swift_put":                     swiftPut,
		"swift_post":                    swiftPost,
		"swift_delete":                  swiftDelete,
		"swift_copy":                    swiftCopy,
		"swift_capabilities":            swiftCapabilities,
		"zaqar_delete_messages":         zaqarDelete,
		"zaqar_queue_post":              zaqarPost,
		"cron_triggers_create":          cronTriggersCreate,
		"executions_create":             executionsCreate,
		"executions_update":             executionsUpdate,
		"tasks_rerun":                   tasksRerun,
		"roles_list":                    rolesList,
		"trusts_create":                 trustsCreate,
		"flavors_create":                flavorsCreate,
		"flavors_list":                  flavorsList,
		"servers_create":                serversCreate,
		"servers_create_image":          serversCreateImage,
		"servers_find":                  serversFind,
		"images_update":                 imagesUpdate,
		"images_upload":                 imagesUpload,
	}
}

// json makes a call and gives the answer's JSON.
func (s *session) json(ctx context.Context, r request) (any, error) {
	a, err := s.do(ctx, r)
	if err != nil {
		return nil, err
	}
	return a.json()
}

// part makes a call and gives one member of the answer.
func (s *session) part(ctx context.Context, r request, key string) (any, error) {
	v, err := s.json(ctx, r)
	return member(v, key), err
}

// nothing makes a call of whose answer nothing is wanted.
func (s *session) nothing(ctx context.Context, r request) (any, error) {
	_, err := s.do(ctx, r)
	return nil, err
}
