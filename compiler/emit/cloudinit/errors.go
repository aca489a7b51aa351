package cloudinit

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
)

const others = "compile with --target software-deployment"

func noUserData(at diag.Location, host string) diag.Diagnostic {
	return diag.Errorf(at, "target", "target cloud-init can not run steps on %s: an OS::Heat::DeployedServer gets no user_data", host).
		With(others)
}

func notAScript(at diag.Location, component, tool string) diag.Diagnostic {
	return diag.Errorf(at, "target", "target cloud-init can not run %s: its tool is %s, and only script needs nothing on the guest", component, tool).
		With("compile with --target software-deployment, or let a script call the tool")
}

func onlyCreate(at diag.Location, component string, actions []string) diag.Diagnostic {
	return diag.Warnf(at, "create-only", "target cloud-init runs only CREATE, at first boot: what %s has for %s will not run",
		component, strings.Join(actions, ", ")).With("compile with --target software-deployment")
}

func tooSlow(at diag.Location, host string, seconds, limit int64) diag.Diagnostic {
	return diag.Warnf(at, "timeout", "the time limits of the steps on %s add up to %d s; a wait condition waits at most %d s", host, seconds, limit).
		With("give the components shorter timeouts")
}

func nestedLocalRead(at diag.Location, by, component, output string) diag.Diagnostic {
	return diag.Errorf(at, "target", "target cloud-init can not compute with output %s of %s in an input of %s: both run on one host, where Heat sees neither in between",
		output, component, by).
		With("make the read the whole value of an input of its own and compute in the script, or %s", others)
}

func pathOfText(at diag.Location, output string) diag.Diagnostic {
	return diag.Errorf(at, "target", "a path below output %s gives nothing on the host itself: an output is a text", output).
		With("take the whole output and let the script pick from it")
}

func ownAttribute(at diag.Location, component, host, why string) diag.Diagnostic {
	return diag.Errorf(at, "target", "target cloud-init can not realise %s: it needs its own host %s (%s), which is made only when its user_data is complete",
		component, host, why).With("let the script ask the machine itself, or %s", others)
}

func interleaved(at diag.Location, nodes []string) diag.Diagnostic {
	return diag.Errorf(at, "target", "target cloud-init can not keep this order: a host runs all its steps in one go at first boot, and %s",
		strings.Join(nodes, " waits for ")).With(others)
}

func keptFormat(at diag.Location, host string) diag.Diagnostic {
	return diag.Infof(at, "user-data-format", "%s keeps what SOFTWARE_CONFIG adds to user_data, in place of HEAT_CFNTOOLS, which would deliver the steps as one unread file", host)
}

func replacedFormat(at diag.Location, host string) diag.Diagnostic {
	return diag.Warnf(at, "user-data-format", "the user_data_format of %s is replaced with RAW: HEAT_CFNTOOLS, if that is what it comes to, does not run the steps", host)
}

func unknownMember(at diag.Location, host, index string) diag.Diagnostic {
	return diag.Errorf(at, "target", "target cloud-init can not keep %s in the user_data of %s: all members share one", index, host).
		With("make the member a nested template that has its own user_data")
}

func noMembers(at diag.Location, host string) diag.Diagnostic {
	return diag.Errorf(at, "target", "target cloud-init waits for at least one member of %s", host).
		With("give the group a member, or compile with --target software-deployment")
}

func manyMembers(at diag.Location, host string) diag.Diagnostic {
	return diag.Warnf(at, "limit", "%s has more than 200 members, for which Heat's yaql does not make lists of their outputs", host).
		With("split the group")
}

func userDataTooLarge(at diag.Location, host string, bytes, limit int) diag.Diagnostic {
	return diag.Errorf(at, "limit", "the user_data of %s has at least %d bytes once encoded; Nova takes %d", host, bytes, limit).
		With("fetch large files in the script, or compile with --target software-deployment")
}

func spoiltByHeat(at diag.Location, host string) diag.Diagnostic {
	return diag.Errorf(at, "target", "the user_data of %s is not ASCII, and Heat spoils such parts of a message when it adds those of SOFTWARE_CONFIG", host).
		With("write user_data_format: RAW, or keep to ASCII")
}
