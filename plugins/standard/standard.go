// Package standard lists the tools that are part of hotloom, by the names that component types give: those of Heat's hooks.
package standard

import (
	"github.com/hotloom/hotloom/plugins/ansible"
	"github.com/hotloom/hotloom/plugins/cfninit"
	"github.com/hotloom/hotloom/plugins/chef"
	"github.com/hotloom/hotloom/plugins/dockercompose"
	"github.com/hotloom/hotloom/plugins/hiera"
	"github.com/hotloom/hotloom/plugins/jsonfile"
	"github.com/hotloom/hotloom/plugins/puppet"
	"github.com/hotloom/hotloom/plugins/salt"
	"github.com/hotloom/hotloom/plugins/script"
	"github.com/hotloom/hotloom/plugins/tool"
)

// Tools are all of them.
var Tools = map[string]*tool.Tool{
	"script":         &script.Tool,
	"ansible":        &ansible.Tool,
	"puppet":         &puppet.Tool,
	"chef":           &chef.Tool,
	"salt":           &salt.Tool,
	"cfn-init":       &cfninit.Tool,
	"docker-compose": &dockercompose.Tool,
	"json-file":      &jsonfile.Tool,
	"hiera":          &hiera.Tool,
}
