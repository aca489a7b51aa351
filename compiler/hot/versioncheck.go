package hot

import "github.com/hotloom/hotloom/compiler/source"

// version finds the template's version: of the three version keys exactly one must have a string, and the string must
// be one that Heat knows.
func (l *loader) version(root *source.Node) {
	var present []source.Pair
	var odd *source.Pair
	for _, key := range []string{HOTKey, AWSKey, HeatKey} {
		switch p := root.Pair(key); {
		case p == nil:
		case p.Value.Is(source.String):
			present = append(present, *p)
		default:
			odd = p
		}
	}
	switch {
	case len(present) == 0 && odd != nil:
		l.t.VersionNode = odd.Value
		l.add(versionKind(odd))
	case len(present) == 0:
		l.add(missingVersion(root))
	case len(present) > 1:
		l.add(ambiguousVersion(present))
	default:
		p := present[0]
		l.t.VersionNode = p.Value
		if v := LookupVersion(p.Key.Text, p.Value.Text); v != nil {
			l.t.Version, l.v = v, v
			return
		}
		l.add(unknownVersion(p))
		if p.Key.Text != HOTKey {
			l.v = LookupVersion(AWSKey, "2010-09-09")
		}
		return
	}
	if root.Pair(HOTKey) == nil && (root.Pair(cfnDialect.resources) != nil || root.Pair(AWSKey) != nil) {
		l.v = LookupVersion(AWSKey, "2010-09-09")
	}
}
