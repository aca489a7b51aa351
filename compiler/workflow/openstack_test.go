package workflow

import (
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler/value"
)

func TestSignaturesParse(t *testing.T) {
	t.Parallel()
	if n := len(OpenStackActions()); n < 1000 {
		t.Errorf("only %d actions", n)
	}
	for line := range strings.Lines(openStackSignatures) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, word := range strings.Fields(line) {
			if _, text, ok := strings.Cut(word, "="); ok {
				if _, err := value.ParseJSON(text); err != nil {
					t.Errorf("%s: %v", word, err)
				}
			}
		}
	}
	sig := OpenStackAction("ironic.node_set_boot_device")
	if sig == nil || sig.Service != "ironic" || sig.Open || len(sig.Inputs) != 6 || sig.Inputs[2].Default != false || sig.Inputs[1].HasDefault {
		t.Errorf("got %+v", sig)
	}
}
