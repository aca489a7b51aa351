package lint

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

var unusedPolicy = &Rule{
	ID: "unused-scaling-policy", Severity: diag.Warning, Check: &Check{"scaling", checkScaling},
	Summary: "Nothing uses the URL of a scaling policy, so nothing can trigger it.",
	Heat:    "Accepted; the group never changes its size.",
}

var idleAlarm = &Rule{
	ID: "alarm-without-action", Severity: diag.Warning, Check: &Check{"alarms", checkAlarms},
	Summary: "An alarm has no action for any state.",
	Heat:    "Accepted; the alarm changes its state and nobody hears of it.",
}

var policyTypes = map[string]bool{"OS::Heat::ScalingPolicy": true, "AWS::AutoScaling::ScalingPolicy": true}

func checkScaling(p *Pass) {
	for _, r := range p.Template.Resources {
		if p.isA(r, policyTypes) && len(p.index.resources[r.Name.Text]) == 0 {
			p.report(diag.Warnf(r.Name.At(), "unused-scaling-policy", "nothing uses the scaling policy %q", r.Name.Text).
				With("give its alarm_url to an alarm, or show it as an output"))
		}
	}
}

func checkAlarms(p *Pass) {
	for _, r := range p.Template.Resources {
		t := p.typeOf(r)
		if t == nil || t.Properties["alarm_actions"] == nil || !r.Properties.Is(source.Map) {
			continue
		}
		has := false
		for _, key := range []string{"alarm_actions", "ok_actions", "insufficient_data_actions", "alarm_queues", "ok_queues", "insufficient_data_queues", "undetermined_actions"} {
			has = has || r.Properties.Get(key) != nil
		}
		if !has {
			p.report(diag.Warnf(r.Name.At(), "alarm-without-action", "alarm %q does nothing", r.Name.Text).With("add alarm_actions"))
		}
	}
}
