package bundle

import (
	"slices"
	"strings"
)

// parts are those of a URL as Python's urlparse cuts it, parameters left in the path.
type parts struct {
	scheme, host, path, query, fragment string
}

// joined are the schemes whose URLs are relative to each other, of those that a client can read.
var joined = []string{"", "ftp", "http", "https", "file"}

func cut(url string) parts {
	var p parts
	if before, after, ok := strings.Cut(url, ":"); ok && isScheme(before) {
		p.scheme, url = strings.ToLower(before), after
	}
	if rest, ok := strings.CutPrefix(url, "//"); ok {
		end := strings.IndexAny(rest, "/?#")
		if end < 0 {
			end = len(rest)
		}
		p.host, url = rest[:end], rest[end:]
	}
	url, p.fragment, _ = strings.Cut(url, "#")
	p.path, p.query, _ = strings.Cut(url, "?")
	return p
}

func isScheme(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", r)) {
			return false
		}
	}
	return s != ""
}

func (p parts) String() string {
	var b strings.Builder
	if p.scheme != "" {
		b.WriteString(p.scheme + ":")
	}
	if p.host != "" || p.scheme != "" && slices.Contains(joined, p.scheme) && !strings.HasPrefix(p.path, "//") {
		b.WriteString("//" + p.host)
		if p.path != "" && !strings.HasPrefix(p.path, "/") {
			b.WriteByte('/')
		}
	}
	b.WriteString(p.path)
	if p.query != "" {
		b.WriteString("?" + p.query)
	}
	if p.fragment != "" {
		b.WriteString("#" + p.fragment)
	}
	return b.String()
}

// joinURL is Python's urljoin, which keeps characters as they are written, unlike net/url.
func joinURL(base, ref string) string {
	if base == "" {
		return ref
	}
	if ref == "" {
		return base
	}
	b, r := cut(base), cut(ref)
	if r.scheme == "" {
		r.scheme = b.scheme
	}
	if r.scheme != b.scheme || !slices.Contains(joined, r.scheme) {
		return ref
	}
	if r.host != "" {
		return r.String()
	}
	r.host = b.host
	if r.path == "" {
		r.path = b.path
		if r.query == "" {
			r.query = b.query
		}
		return r.String()
	}
	segments := strings.Split(b.path, "/")
	if segments[len(segments)-1] != "" {
		segments = segments[:len(segments)-1]
	}
	if strings.HasPrefix(r.path, "/") {
		segments = strings.Split(r.path, "/")
	} else {
		segments = append(segments, strings.Split(r.path, "/")...)
		for i := 1; i < len(segments)-1; { // empty ones in the middle go
			if segments[i] == "" {
				segments = slices.Delete(segments, i, i+1)
			} else {
				i++
			}
		}
	}
	var out []string
	for _, s := range segments {
		switch s {
		case "..":
			if len(out) > 0 {
				out = out[:len(out)-1]
			}
		case ".":
		default:
			out = append(out, s)
		}
	}
	if last := segments[len(segments)-1]; last == "." || last == ".." {
		out = append(out, "")
	}
	if r.path = strings.Join(out, "/"); r.path == "" {
		r.path = "/"
	}
	return r.String()
}

// folderOf is the URL of the folder that a URL's file is in, as heatclient makes it.
func folderOf(url string) string {
	p := cut(url)
	dir := ""
	if i := strings.LastIndexByte(p.path, '/'); i >= 0 {
		if dir = p.path[:i+1]; strings.Trim(dir, "/") != "" {
			dir = strings.TrimRight(dir, "/")
		}
	}
	return joinURL(url, dir)
}

func slashed(base string) string {
	if base != "" && !strings.HasSuffix(base, "/") {
		return base + "/"
	}
	return base
}

// Join gives the URL of what a name means in the file of a URL.
func Join(fileURL, name string) string { return joinURL(slashed(folderOf(fileURL)), name) }
