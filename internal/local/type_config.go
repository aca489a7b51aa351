package local

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"net/textproto"
	"path"
	"strings"

	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// Config is what a software config resource holds.
type Config struct {
	Group   string
	Config  Value
	Entries []ConfigEntry `json:",omitempty"` // of a SoftwareComponent
	Inputs  []Value       `json:",omitempty"`
	Outputs []Value       `json:",omitempty"`
	Options Values
}

// ConfigEntry is what a SoftwareComponent runs for some actions.
type ConfigEntry struct {
	Actions []string
	Tool    string
	Config  Value
}

// softwareConfig is OS::Heat::SoftwareConfig, StructuredConfig and SoftwareComponent: definitions that deployments use.
type softwareConfig struct{ component bool }

func (t softwareConfig) Make(_ context.Context, i *Instance) error {
	i.identify()
	c := &Config{Group: i.text("group", "Heat::Ungrouped"), Config: Value{i.get("config", nil)}}
	if m, ok := i.get("options", nil).(*value.Map); ok {
		c.Options.Map = m
	}
	for property, into := range map[string]*[]Value{"inputs": &c.Inputs, "outputs": &c.Outputs} {
		for _, v := range i.list(property) {
			if _, ok := v.(*value.Map); !ok {
				return i.wrong(property, "is no list of maps")
			}
			*into = append(*into, Value{v})
		}
	}
	if t.component {
		c.Group = "component"
		for _, v := range i.list("configs") {
			m, ok := v.(*value.Map)
			if !ok {
				return i.wrong("configs", "is no list of maps")
			}
			e := ConfigEntry{Actions: []string{create, update}}
			if list, _ := m.GetStr("actions"); list != nil {
				e.Actions = texts(list)
			}
			tool, _ := m.GetStr("tool")
			e.Tool = value.Str(tool)
			e.Config.V, _ = m.GetStr("config")
			c.Entries = append(c.Entries, e)
		}
		c.Config = Value{value.MapOf("configs", i.get("configs", nil))}
	}
	i.Record.Config = c
	i.Record.Attributes = newValues("config", c.Config.V)
	return nil
}

func texts(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, x := range list {
		out = append(out, value.Str(x))
	}
	return out
}

// cloudConfig is OS::Heat::CloudConfig.
type cloudConfig struct{}

func (cloudConfig) Make(_ context.Context, i *Instance) error {
	i.identify()
	text := "#cloud-config\n" + string(source.Encode(hot.NodeOf(nil, i.get("cloud_config", nil))))
	i.Record.Config = &Config{Group: "Heat::Ungrouped", Config: Value{text}}
	i.Record.Attributes = newValues("config", text)
	return nil
}

// multipartMime is OS::Heat::MultipartMime.
type multipartMime struct{}

func (multipartMime) Make(_ context.Context, i *Instance) error {
	i.identify()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	if err := w.SetBoundary("===============" + i.runtime.state.digest(i.Properties) + "=="); err != nil {
		return err
	}
	for _, v := range i.list("parts") {
		m, ok := v.(*value.Map)
		if !ok {
			return i.wrong("parts", "is no list of maps")
		}
		field := func(name string) string {
			v, _ := m.GetStr(name)
			if v == nil {
				return ""
			}
			return value.Str(v)
		}
		content := field("config")
		if other := i.runtime.config(content); other != nil {
			content = value.Str(other.Config.V) // the id of another config
		}
		var err error
		if field("type") == "multipart" {
			err = appendParts(w, content)
		} else {
			err = appendPart(w, content, field("subtype"), field("filename"))
		}
		if err != nil {
			return i.wrong("parts", "can not be put together: "+err.Error())
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	text := fmt.Sprintf("Content-Type: multipart/mixed; boundary=%q\nMIME-Version: 1.0\n\n%s", w.Boundary(), strings.ReplaceAll(body.String(), "\r\n", "\n"))
	i.Record.Config = &Config{Group: i.text("group", "Heat::Ungrouped"), Config: Value{text}}
	i.Record.Attributes = newValues("config", text)
	return nil
}

func appendPart(w *multipart.Writer, content, subtype, filename string) error {
	if subtype == "" && filename != "" {
		subtype = strings.TrimSuffix(filename, path.Ext(filename))
	}
	if subtype == "" {
		subtype = "plain"
	}
	charset := "us-ascii"
	if strings.ContainsFunc(content, func(r rune) bool { return r > 0x7f }) {
		charset = "utf-8"
	}
	h := textproto.MIMEHeader{}
	h.Set("Content-Type", mime.FormatMediaType("text/"+subtype, map[string]string{"charset": charset}))
	h.Set("MIME-Version", "1.0")
	if filename != "" {
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": filename}))
	}
	part, err := w.CreatePart(h)
	if err == nil {
		_, err = io.WriteString(part, content)
	}
	return err
}

// appendParts appends the parts of a text that is a multipart message; any other is left out, as Heat does.
func appendParts(w *multipart.Writer, content string) error {
	message, err := mail.ReadMessage(strings.NewReader(content))
	if err != nil {
		return nil
	}
	typ, params, err := mime.ParseMediaType(message.Header.Get("Content-Type"))
	if err != nil || !strings.HasPrefix(typ, "multipart/") {
		return nil
	}
	for r := multipart.NewReader(message.Body, params["boundary"]); ; {
		part, err := r.NextRawPart()
		if err != nil {
			return nil
		}
		text, err := io.ReadAll(part)
		if err != nil {
			return err
		}
		inner, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type"))
		_, subtype, _ := strings.Cut(inner, "/")
		if err := appendPart(w, string(text), subtype, part.FileName()); err != nil {
			return err
		}
	}
}

// config finds a software config by its id, or gives nil.
func (r *Runtime) config(id string) *Config {
	for _, rec := range r.state.Records() {
		if rec.Config != nil && rec.ID == id && id != "" {
			return rec.Config
		}
	}
	return nil
}
