package heatconfig

import "github.com/hotloom/hotloom/compiler/diag"

func structuredComponent(at diag.Location, target, typ, tool string) diag.Diagnostic {
	return diag.Errorf(at, "target", "target %s can not give %s a map of its own for each action: an OS::Heat::SoftwareComponent holds texts", target, typ).
		With("write the config of tool %s as a text, or one config for all actions", tool)
}

func replacedFormat(at diag.Location, host string) diag.Diagnostic {
	return diag.Infof(at, "user-data-format", "the user_data_format of %s becomes SOFTWARE_CONFIG, which deployments need", host)
}
