package plain

import (
	"path"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// fileSet is what the output names: the author's files at their places relative to the template, and hotloom's own.
// What lies outside the template's folder gets a place in the folder outside/, so that the output is whole.
type fileSet struct {
	stack  *Stack            // the outermost
	dir    string            // its template's folder
	opened map[[2]string]ref // by naming text and name
	names  map[string]string // output name by path of the author's file
	files  map[string]*File  // by output name
	known  map[*source.Node]ref
	mapped []Mapping // of nested templates that were compiled
}

// ref is a file that a text names.
type ref struct {
	file *source.File
	name string // in the output
}

func newFileSet(s *Stack) *fileSet {
	f := &fileSet{
		stack: s, opened: map[[2]string]ref{}, known: map[*source.Node]ref{}, names: map[string]string{},
		files: map[string]*File{StackFile: nil, SourceMapFile: nil},
	}
	if root := s.Program.Template.Root; root != nil && root.File != nil {
		f.dir = path.Dir(slash(root.File.Path))
	}
	return f
}

// replace takes in what one map of the author's names with get_file, or with the type of a nested template, and gives
// the map as it stands in a file in the output's folder dir. heatclient takes these keys wherever they stand, and so
// does this.
func (f *fileSet) replace(n *source.Node, dir string) *source.Node {
	var changed []source.Pair
	var named ref
	for i, p := range n.Pairs {
		key, value := p.Key.Str(), p.Value.Str()
		nested := key == "type" && (strings.HasSuffix(value, ".yaml") || strings.HasSuffix(value, ".template"))
		if value == "" || !nested && key != "get_file" || isURL(value) {
			continue
		}
		r, ok := f.open(p.Value, nested)
		if !ok {
			continue
		}
		if key == "get_file" {
			named = r
		}
		if name := relative(dir, r.name); name != path.Clean(value) {
			if changed == nil {
				changed = slices.Clone(n.Pairs)
			}
			changed[i].Value = source.NewString(p.Value, name)
		}
	}
	if changed == nil {
		if named.file != nil {
			f.known[n] = named
		}
		return n
	}
	for i, p := range changed {
		if p.Value == n.Pairs[i].Value {
			changed[i].Value = p.Value.Rewrite(func(m *source.Node) *source.Node {
				if m.Kind != source.Map {
					return m
				}
				return f.replace(m, dir)
			})
		}
	}
	out := source.NewMap(n, changed...)
	if named.file != nil {
		f.known[out] = named
	}
	return out
}

// open reads the file that n names, once, and takes it into the output.
func (f *fileSet) open(n *source.Node, nested bool) (ref, bool) {
	from := ""
	if n.File != nil {
		from = n.File.Path
	}
	key := [2]string{from, n.Text}
	if r, ok := f.opened[key]; ok {
		return r, r.file != nil
	}
	f.opened[key] = ref{} // what fails is told once
	if f.stack.Options.Open == nil {
		return ref{}, false
	}
	file, err := f.stack.Options.Open(from, n.Text)
	if err != nil {
		f.stack.Report(unreadable(n.At(), n.Text, err))
		return ref{}, false
	}
	r := ref{file: file, name: f.place(file.Path)}
	f.opened[key] = r
	if f.files[r.name] != nil {
		return r, true
	}
	out := &File{Name: r.name, Text: file.Text, Mode: 0o644}
	f.files[r.name] = out
	if nested {
		if program := f.stack.Program.Nested[file.Path]; program != nil && f.stack.Nested != nil {
			o := f.stack.Options
			o.within, o.as = f, r.name
			_, found := f.stack.Nested(program, o)
			f.stack.Report(found...)
			return r, true
		}
		if root, findings := source.Parse(file.Path, file.Text); !findings.HasErrors() {
			dir := path.Dir(r.name)
			changed := root.Rewrite(func(m *source.Node) *source.Node {
				if m.Kind != source.Map {
					return m
				}
				return f.replace(m, dir)
			})
			if changed != root {
				out.Text = source.Encode(changed)
			}
			f.mapped = append(f.mapped, mapSource(r.name, changed).Mappings...)
		}
	}
	return r, true
}

// place gives the output name of the author's file at p.
func (f *fileSet) place(p string) string {
	p = slash(p)
	if name, ok := f.names[p]; ok {
		return name
	}
	name := relative(f.dir, p)
	if library, ok := strings.CutPrefix(p, weave.LibraryPath); ok {
		name = path.Join("hotloom/library", library)
	}
	if strings.HasPrefix(name, "../") || path.IsAbs(name) || strings.Contains(name, ":") {
		segments := strings.FieldsFunc(name, func(r rune) bool { return r == '/' || r == ':' })
		for i, s := range segments {
			if s == ".." {
				segments[i] = "outside"
			}
		}
		if segments[0] != "outside" {
			segments = append([]string{"outside"}, segments...)
		}
		name = path.Join(segments...)
	}
	name = f.free(name)
	f.names[p] = name
	return name
}

// free gives name, or where it is taken by a file of hotloom's own, a like one that is not.
func (f *fileSet) free(name string) string {
	for _, taken := f.files[name]; taken; _, taken = f.files[name] {
		name = path.Join("outside", name)
	}
	return name
}

// AddFile takes a file of hotloom's own into the output, once, and gives its name as the stack has to write it. The name
// asked for is seen from the output's folder.
func (s *Stack) AddFile(name string, text string) string {
	for {
		old, taken := s.files.files[name]
		if taken && (old == nil || string(old.Text) != text) {
			name = path.Join(path.Dir(name), "hotloom-"+path.Base(name))
			continue
		}
		s.files.files[name] = &File{Name: name, Text: []byte(text), Mode: 0o644}
		return relative(path.Dir(s.name), name)
	}
}

// AddTree takes a YAML file of hotloom's own into the output whose places lead to the author's text.
func (s *Stack) AddTree(name string, root *source.Node) {
	name = path.Clean(path.Join(path.Dir(s.name), s.AddFile(name, string(source.Encode(root)))))
	s.files.mapped = append(s.files.mapped, mapSource(name, root).Mappings...)
}

// Content gives the text that a {get_file: …} of the author's, or what Value made of it, stands for, or false where
// it is not known.
func (s *Stack) Content(n *source.Node) (string, bool) {
	if r, ok := s.files.known[n]; ok {
		return string(r.file.Text), true
	}
	name, ok := Argument(n, "get_file")
	if !ok || name.Str() == "" || isURL(name.Text) {
		return "", false
	}
	r, ok := s.files.open(name, false)
	if !ok {
		return "", false
	}
	return string(r.file.Text), true
}

// all gives the files of the output in the order of their names.
func (f *fileSet) all() []File {
	var out []File
	for _, file := range f.files {
		if file != nil {
			out = append(out, *file)
		}
	}
	slices.SortFunc(out, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func isURL(name string) bool {
	return strings.Contains(name, "://") || strings.HasPrefix(name, "file:")
}

func slash(p string) string { return strings.ReplaceAll(p, "\\", "/") }

// relative gives target as seen from dir, both clean or not; target itself where only one of them is absolute.
func relative(dir, target string) string {
	dir, target = path.Clean(dir), path.Clean(target)
	if path.IsAbs(dir) != path.IsAbs(target) {
		return target
	}
	from, to := split(dir), split(target)
	for len(from) > 0 && len(to) > 0 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	if slices.Contains(from, "..") {
		return target // how the folders above are called is not known
	}
	return path.Join(append(slices.Repeat([]string{".."}, len(from)), to...)...)
}

func split(p string) []string {
	return slices.DeleteFunc(strings.Split(p, "/"), func(s string) bool { return s == "" || s == "." })
}
