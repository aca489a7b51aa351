package graph_test

import (
	"fmt"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/graph"
)

// at is a place in the imagined source of the samples.
func at(line int) diag.Location {
	return diag.Location{Path: "stack.yaml", Start: diag.Pos{Line: line, Column: 3}, End: diag.Pos{Line: line, Column: 9}}
}

// sample has every kind of node and every reason.
func sample() *graph.Graph {
	g := &graph.Graph{}
	for i, n := range []graph.Node{
		{ID: "network", Kind: graph.Resource, Type: "OS::Neutron::Net"},
		{ID: "db", Kind: graph.Resource, Type: "OS::Nova::Server"},
		{ID: "web", Kind: graph.Resource, Type: "OS::Heat::ResourceGroup", Count: "3"},
		{ID: "handle", Kind: graph.Wait, Type: "OS::Mistral::WorkflowHandle"},
		{ID: "deploy", Kind: graph.Workflow, Type: "deploy_webapp"},
		{ID: "pool", Kind: graph.Resource, Type: "OS::Octavia::Pool"},
		{ID: "db.mysql", Kind: graph.Step, Type: "mysql", Host: "db", Action: "CREATE"},
		{ID: "db.mysql:DELETE", Kind: graph.Step, Type: "mysql", Host: "db", Action: "DELETE"},
		{ID: "db.schema", Kind: graph.Step, Type: "script", Host: "db", Action: "CREATE"},
		{ID: "web.wordpress", Kind: graph.Step, Type: "wordpress", Host: "web", Action: "CREATE"},
		{ID: "web.agent", Kind: graph.Step, Type: "mistral", Host: "web", Action: "CREATE"},
	} {
		n.Location = at(i + 1)
		g.Add(n)
	}
	for i, e := range []graph.Edge{
		{From: "network", To: "db", Reason: graph.Refers},
		{From: "network", To: "web", Reason: graph.Refers},
		{From: "db", To: "db.mysql", Reason: graph.HostedOn},
		{From: "db", To: "db.mysql:DELETE", Reason: graph.HostedOn},
		{From: "db", To: "db.schema", Reason: graph.HostedOn},
		{From: "db.mysql", To: "db.schema", Reason: graph.ListOrder},
		{From: "web", To: "web.wordpress", Reason: graph.HostedOn},
		{From: "web", To: "web.agent", Reason: graph.HostedOn},
		{From: "db", To: "web.wordpress", Reason: graph.Reads, Detail: "first_address"},
		{From: "db.mysql", To: "web.wordpress", Reason: graph.Reads, Detail: "socket"},
		{From: "db.mysql", To: "web.wordpress", Reason: graph.DependsOn},
		{From: "db.schema", To: "web.wordpress", Reason: graph.DependsOn},
		{From: "web.wordpress", To: "web.agent", Reason: graph.DependsOn},
		{From: "web.agent", To: "handle", Reason: graph.Signals},
		{From: "handle", To: "deploy", Reason: graph.Starts},
		{From: "web", To: "deploy", Reason: graph.Refers},
		{From: "deploy", To: "pool", Reason: graph.DependsOn},
	} {
		e.Location = at(100 + i)
		if !g.Connect(e) {
			panic(fmt.Sprintf("sample: edge %d is not accepted", i))
		}
	}
	return g
}
