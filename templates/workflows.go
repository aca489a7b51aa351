package templates

import (
	"path"
	"strings"
)

// Workbooks lists the workbooks of the library, sorted: "hotloom.baremetal.v1". Each is a file workflows/baremetal.v1.yaml,
// and baremetal.v1.schema.yaml beside it says what the inputs of its workflows mean.
func Workbooks() []string {
	entries, err := files.ReadDir("workflows")
	if err != nil {
		panic(err) // the folder is compiled in
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".yaml"); ok && !strings.HasSuffix(name, ".schema") {
			names = append(names, "hotloom."+name)
		}
	}
	return names
}

// Workbook is the path within FS of a workbook of the library, or of the one that has a workflow of that full name; "" where
// the library has neither.
func Workbook(name string) string {
	for _, book := range Workbooks() {
		if name == book || strings.HasPrefix(name, book+".") {
			return path.Join("workflows", strings.TrimPrefix(book, "hotloom.")+".yaml")
		}
	}
	return ""
}

// WorkbookSchema is the path within FS of what describes a workbook's inputs and outputs.
func WorkbookSchema(book string) string {
	return path.Join("workflows", strings.TrimPrefix(book, "hotloom.")+".schema.yaml")
}
