package source

import (
	"github.com/hotloom/hotloom/compiler/diag"
)

// Link is a reference with what it leads to.
type Link struct {
	Reference
	Origin   *Node // the name among those that began it all that led here; the reference's own Node for these
	File     *File // nil where Err is set
	Err      error // a *FileError
	Template *Node // where the file is a template, whose own references follow
}

// Gather finds everything that a template, or an environment's resource_registry, pulls in: the references that
// begin it and, for each file that is a template itself, the references in it, each file once. A file whose reading
// leads back to itself makes heatclient run until Python's stack ends; each such circle is one finding with the way
// around it. What cannot be read is in the links, and for the caller to judge.
func (f *Files) Gather(start []Reference) ([]Link, diag.List) {
	g := gatherer{files: f, done: map[*File]bool{}}
	g.follow(start)
	return g.links, g.findings
}

type gatherer struct {
	files    *Files
	links    []Link
	findings diag.List
	way      []Link // templates being followed, outermost first
	done     map[*File]bool
}

func (g *gatherer) follow(refs []Reference) {
	for _, r := range refs {
		link := Link{Reference: r, Origin: r.Node}
		if len(g.way) > 0 {
			link.Origin = g.way[0].Node
		}
		link.File, link.Err = g.files.ResolveReference(r)
		if link.Err != nil {
			g.links = append(g.links, link)
			continue
		}
		if g.circle(link) {
			continue
		}
		link.Template = g.files.Template(link.File)
		g.links = append(g.links, link)
		if link.Template == nil || g.done[link.File] {
			continue
		}
		g.way = append(g.way, link)
		g.follow(References(link.Template))
		g.way = g.way[:len(g.way)-1]
		g.done[link.File] = true
	}
}

// circle reports a link that leads back to a file being followed, or to the file that all began in.
func (g *gatherer) circle(link Link) bool {
	at := -1
	for i, w := range g.way {
		if w.File == link.File {
			at = i
		}
	}
	begin := link.Node
	if len(g.way) > 0 {
		begin = g.way[0].Node
	}
	if at < 0 && begin.File != link.File {
		return false
	}
	d := fileCircle(begin.At(), link.File.Path)
	for _, w := range g.way[at+1:] {
		d = d.Via(w.Node.At(), "%s", w.Node.Text)
	}
	g.findings.Add(d.Via(link.Node.At(), "%s", link.Node.Text))
	return true
}
