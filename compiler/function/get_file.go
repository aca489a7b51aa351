package function

import "github.com/hotloom/hotloom/compiler/source"

// getFile takes the name of a file and gives its content. Heat looks a name up among the files that came with the
// request; heatclient sends those that are named by a plain text.
var getFile = Function{
	Name:  "get_file",
	Usage: "{get_file: NAME}",
	Refs:  nameRef(File),
	Eval: func(s *Scope, c Call, arg Value) (Value, error) {
		name, isText := arg.(string)
		switch {
		case !isText:
			return nil, c.fail("takes the name of a file, not %s", describe(arg))
		case s.ReadFile == nil:
			return s.later(c, arg), nil
		}
		n := c.Arg
		if !n.Is(source.String) {
			n = source.NewString(c.Arg, name)
		}
		text, err := s.ReadFile(n)
		if err != nil {
			return nil, c.fail("%s: %v", name, err)
		}
		return text, nil
	},
}
