package why

import (
	"regexp"
	"strings"
)

// known are reasons that Heat passes on from other services, with what helps.
var known = []struct {
	kind   string
	expr   string
	advice string
}{
	{"no-host", `No valid host`, "no hypervisor takes the server: the flavor asks for more than is free, or availability zone, aggregate or scheduler hints leave no host; try a smaller flavor, or ask the operator"},
	{"quota", `(?i)quota|limit exceeded|exceeded for`, "a quota is used up: delete what is not needed, or have it raised"},
	{"forbidden", `(?i)forbidden|not authorized|policy does(?:n't| not) allow|HTTP 403`, "the user may not do this: ask for the role, or take the resource out"},
	{"unauthorized", `(?i)unauthorized|HTTP 401|could not find user|trust`, "Heat's login for the stack no longer works: update the stack as a user who has the project's roles"},
	{"not-found", `(?i)could not be found|not found|HTTP 404|could not find|does not exist`, "a thing that the template names is not in this project: check names and ids (hotloom profile capture --names lets lint find them)"},
	{"conflict", `(?i)already exists|in use|conflict|HTTP 409`, "another resource has that name or address, or still uses it: give no fixed name, or free it first"},
	{"volume", `(?i)volume|block device`, "look at the volume in Cinder: a backend may be full or down"},
	{"template", `(?i)property error|validation|HTTP 400|bad request`, "the service refuses a value: correct the property that it names"},
	{"timeout", `(?i)timed out|timeout`, "it took longer than allowed: raise --timeout of the stack, or look at why it is slow"},
	{"unavailable", `(?i)connection|unavailable|HTTP 50\d|engine went down`, "a service was not reachable for Heat: try again, and ask the operator if it stays so"},
}

// byReason explains a cause by what Heat says.
func byReason(c *Cause) *Cause {
	c.Kind, c.What = "failed", c.Reason
	if strings.HasSuffix(c.Status, "IN_PROGRESS") {
		c.Kind, c.What = "in-progress", "Heat waits for it"
		c.Advice = "look at the thing itself in its own service"
		return c
	}
	for _, k := range known {
		if regexp.MustCompile(k.expr).MatchString(c.Reason) { // a handful of reasons in a run
			c.Kind, c.Advice = k.kind, k.advice
			break
		}
	}
	if c.What == "" {
		c.What = "Heat gives no reason"
		c.Advice = "the operator finds it in heat-engine's log"
	}
	return c
}
