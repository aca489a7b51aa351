package source

import (
	"encoding/base64"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// splitScheme cuts the scheme off a URL as Python's urllib does; "" where there is none.
func splitScheme(ref string) (scheme, rest string) {
	before, after, ok := strings.Cut(ref, ":")
	if !ok || before == "" {
		return "", ref
	}
	for i, r := range before {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", r)) {
			return "", ref
		}
	}
	return strings.ToLower(before), after
}

// joinURL resolves a path against an absolute URL.
func joinURL(base, ref string) string {
	scheme, rest := splitScheme(base)
	host, p, _ := strings.Cut(strings.TrimPrefix(rest, "//"), "/")
	if path.IsAbs(ref) {
		p = ref
	} else {
		p = "/" + path.Join(path.Dir("/"+p), ref)
	}
	return scheme + "://" + host + path.Clean(p)
}

// unescape replaces %XX; a % that is none stands for itself.
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if v, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(v))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// URL is the name under which heatclient sends a file to Heat: its absolute file:// URL, or the URL it came from.
func (f *File) URL() string {
	if scheme, _ := splitScheme(f.Path); scheme == "http" || scheme == "https" || scheme == "ftp" {
		return f.Path
	}
	const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~/"
	var b strings.Builder
	b.WriteString("file://")
	for _, c := range []byte(filepath.ToSlash(absolute(f.Path))) {
		if strings.IndexByte(unreserved, c) >= 0 {
			b.WriteByte(c)
		} else {
			b.WriteString("%" + strings.ToUpper(strconv.FormatUint(uint64(c)|0x100, 16)[1:]))
		}
	}
	return b.String()
}

// Content is the text that Heat gets for the file: itself, or where it is not UTF-8, base64 in lines of 76
// characters, which Heat does not decode.
func (f *File) Content() string {
	if utf8.Valid(f.Text) {
		return string(f.Text)
	}
	var b strings.Builder
	for chunk := range slices.Chunk(f.Text, 57) {
		b.WriteString(base64.StdEncoding.EncodeToString(chunk))
		b.WriteByte('\n')
	}
	return b.String()
}

func absolute(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		return abs
	}
	return filepath.Clean(name)
}

// escapes refuses a file whose path lies in the folder of the file that names it, or of a template that the user
// named, while symbolic links lead it out of there. A name that goes out by itself, such as ../lib/x.yaml, is the
// author's choice and heatclient reads it.
func (f *Files) escapes(id string, from *File) error {
	if from == nil || f.opts.Read != nil {
		return nil
	}
	real, err := filepath.EvalSymlinks(id)
	if err != nil || real == id {
		return nil // what is not there is told by reading it
	}
	f.mu.Lock()
	trees := slices.Clone(f.trees)
	f.mu.Unlock()
	for _, tree := range append(trees, filepath.Dir(absolute(from.Path))) {
		if !within(id, tree) {
			continue
		}
		if realTree, err := filepath.EvalSymlinks(tree); err == nil && !within(real, realTree) {
			return &FileError{Fault: Outside, Path: id}
		}
	}
	return nil
}

func within(name, folder string) bool {
	rel, err := filepath.Rel(folder, name)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
