package bundle_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gophercloud/gophercloud/v2/openstack/orchestration/v1/stacks"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/internal/stack/bundle"
)

func gathered(t *testing.T) *bundle.Bundle {
	t.Helper()
	dir := write(t, map[string]string{
		"t.yaml":   header + "resources:\n  a: {type: OS::Heat::Value, properties: {value: {get_file: one/x.sh}}}\n  b: {type: nested/n.yaml}\n",
		"one/x.sh": "first ${HOME} {{ x }}", "nested/n.yaml": header + "resources:\n  c: {type: OS::Heat::Value, properties: {value: {get_file: x.sh}}}\n",
		"nested/x.sh": "second", "e.yaml": "resource_registry: {My::Type: nested/n.yaml}\nparameter_defaults: {p: 1}\n",
	})
	files := source.NewFiles(source.FilesOptions{})
	b, found := bundle.Gather(files, filepath.Join(dir, "t.yaml"), files, []string{filepath.Join(dir, "e.yaml")})
	if len(found) > 0 {
		t.Fatal(found)
	}
	return b
}

var parameters = source.NewMap(nil, source.P(nil, "word", source.NewString(nil, "a${b} {{ c }}")))

// TestTheTerraformFormIsWhatTheProviderSends reads the folder as Terraform's provider does, with gophercloud.
func TestTheTerraformFormIsWhatTheProviderSends(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	texts := map[string]string{}
	for _, f := range bundle.Write("terraform", "shop", gathered(t), parameters) {
		path := filepath.Join(dir, f.Name)
		_ = os.MkdirAll(filepath.Dir(path), 0o700)
		if err := os.WriteFile(path, f.Text, 0o600); err != nil {
			t.Fatal(err)
		}
		texts[f.Name] = strings.ReplaceAll(string(f.Text), "@hotloom-files@", "file://"+dir+"/files")
		if strings.Contains(string(f.Text), "file:///") {
			t.Errorf("%s has a path of this machine", f.Name)
		}
	}
	if !strings.Contains(texts["main.tf.json"], `"word": "a$${b} {{ c }}"`) {
		t.Errorf("the parameter is not literal in\n%s", texts["main.tf.json"])
	}
	var main map[string]map[string]map[string]map[string]any
	if err := json.Unmarshal([]byte(texts["main.tf.json"]), &main); err != nil {
		t.Fatal(err)
	}
	stack := main["resource"]["openstack_orchestration_stack_v1"]["shop"]
	for argument, value := range stack { // the provider's schema of the resource
		_, isText := value.(string)
		values, isMap := value.(map[string]any)
		switch argument {
		case "name":
			if !isText {
				t.Errorf("%s is %T", argument, value)
			}
		case "template_opts", "environment_opts", "parameters":
			for _, v := range values {
				if _, ok := v.(string); !ok || !isMap {
					t.Errorf("%s is no map of texts: %v", argument, value)
				}
			}
		default:
			t.Errorf("the resource has no argument %s", argument)
		}
	}
	if len(stack) != 4 {
		t.Errorf("arguments %v", stack)
	}
	template, environment := new(stacks.Template), new(stacks.Environment)
	template.Bin, environment.Bin = []byte(texts["stack.json"]), []byte(texts["environment.json"])
	body, err := stacks.CreateOpts{Name: "shop", TemplateOpts: template, EnvironmentOpts: environment}.ToStackCreateMap()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	contents := map[string]bool{}
	for url, text := range body["files"].(map[string]string) {
		names = append(names, filepath.Base(url))
		contents[text] = true
	}
	slices.Sort(names)
	if diff := cmp.Diff([]string{"n.yaml", "x-2.sh", "x.sh"}, names); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if !contents["second"] || !contents["first ${HOME} {{ x }}"] {
		t.Errorf("contents %v", contents)
	}
}

// TestAnsibleTakesThePlaybook runs the playbook with Ansible itself. The module has the arguments of the collection's.
func TestAnsibleTakesThePlaybook(t *testing.T) {
	t.Parallel()
	playbook, err := exec.LookPath("ansible-playbook")
	if err != nil {
		t.Skip("ansible-core is not installed")
	}
	dir := t.TempDir()
	module, err := os.ReadFile("testdata/stack_module.py")
	if err != nil {
		t.Fatal(err)
	}
	files := append(bundle.Write("ansible", "shop", gathered(t), parameters), bundle.File{
		Name: "collections/ansible_collections/openstack/cloud/plugins/modules/stack.py", Text: module,
	})
	for _, f := range files {
		path := filepath.Join(dir, f.Name)
		_ = os.MkdirAll(filepath.Dir(path), 0o700)
		if err := os.WriteFile(path, f.Text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), playbook, "-i", "localhost,", "-c", "local", filepath.Join(dir, "playbook.yaml"))
	cmd.Dir = t.TempDir() // the files are found wherever it is started
	answer := filepath.Join(t.TempDir(), "got.json")
	cmd.Env = append(os.Environ(), "HOTLOOM_GOT="+answer, "ANSIBLE_COLLECTIONS_PATH="+filepath.Join(dir, "collections"), "ANSIBLE_HOME="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(answer)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Name, State, Template string
		Environment           []string
		Parameters            map[string]any
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if got.Name != "shop" || got.State != "present" || got.Template != filepath.Join(dir, "stack.json") {
		t.Errorf("the module gets %+v", got)
	}
	if diff := cmp.Diff([]string{filepath.Join(dir, "environment.json")}, got.Environment); diff != "" {
		t.Errorf("environments (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]any{"word": "a${b} {{ c }}"}, got.Parameters); diff != "" {
		t.Errorf("parameters (-want +got):\n%s", diff)
	}
}

func TestTheAnsibleFormNamesItsFiles(t *testing.T) {
	t.Parallel()
	var names []string
	for _, f := range bundle.Write("ansible", "shop", gathered(t), parameters) {
		names = append(names, f.Name)
		if f.Name == "playbook.yaml" && !strings.Contains(string(f.Text), "{% raw %}a${b} {{ c }}{% endraw %}") {
			t.Errorf("the parameter is not literal in\n%s", f.Text)
		}
	}
	want := []string{"environment.json", "files/n.yaml", "files/x-2.sh", "files/x.sh", "playbook.yaml", "stack.json"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}
