package generate

import (
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schema returns the protocol as a JSON Schema. Each type is one of its $defs, and so is each method
// and command, as an object with its params, or argument, and its result. A client must accept
// properties that the schema does not have.
func (p *Protocol) Schema() ([]byte, error) {
	defs := lspSchemas()
	for _, t := range p.Types {
		defs[t.Name] = p.typeSchema(t)
	}
	for _, m := range p.Methods {
		defs[m.Name] = p.methodSchema(m)
	}
	for _, c := range p.Commands {
		defs[c.Name] = p.commandSchema(c)
	}
	return json.MarshalIndent(&jsonschema.Schema{
		Schema: "https://json-schema.org/draft/2020-12/schema",
		Title:  "The ploke/* methods, version " + p.Version,
		Description: "Generated from lsp/protocol by go generate ./lsp/protocol. $defs holds the types by their names, " +
			"and the methods and commands by theirs: each is an object with the params, or the argument, and the result.",
		Defs: defs,
	}, "", "  ")
}

func (p *Protocol) methodSchema(m Method) *jsonschema.Schema {
	s := &jsonschema.Schema{Description: p.plain(m.Doc), Type: "object", Properties: map[string]*jsonschema.Schema{}}
	if m.Params != "" {
		s.Properties["params"] = named(m.Params)
	}
	switch {
	case m.Result != "":
		s.Properties["result"] = named(m.Result)
	case !m.Notification:
		s.Properties["result"] = &jsonschema.Schema{Type: "object"}
	}
	return s
}

// commandSchema is that of a command, in whose argument all fields may be omitted.
func (p *Protocol) commandSchema(c Method) *jsonschema.Schema {
	s := &jsonschema.Schema{Description: p.plain(c.Doc), Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for _, t := range p.Types {
		if t.Name == c.Params {
			argument := p.typeSchema(t)
			argument.Required = nil
			s.Properties["argument"] = argument
		}
	}
	s.Properties["result"] = &jsonschema.Schema{Types: []string{"object", "null"}}
	if c.Result != "" {
		s.Properties["result"] = named(c.Result)
	}
	return s
}

func (p *Protocol) typeSchema(t *Type) *jsonschema.Schema {
	if len(t.Values) > 0 {
		s := &jsonschema.Schema{Description: p.plain(t.Doc), Type: "string"}
		for _, v := range t.Values {
			s.Enum = append(s.Enum, v.Value)
		}
		return s
	}
	variants := t.AllVariants()
	if len(variants) == 0 {
		s := p.fieldsSchema(t.AllFields())
		s.Description = p.plain(t.Doc)
		return s
	}
	s := &jsonschema.Schema{Description: p.plain(t.Doc)}
	for _, v := range variants {
		s.OneOf = append(s.OneOf, p.variantSchema(v))
	}
	return s
}

func (p *Protocol) variantSchema(v Variant) *jsonschema.Schema {
	s := p.fieldsSchema(v.Fields)
	s.Title, s.Description = v.Name, p.plain(v.Doc)
	var value any = v.Value
	s.Properties["type"] = &jsonschema.Schema{Const: &value}
	return s
}

func (p *Protocol) fieldsSchema(fields []Field) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for _, f := range fields {
		property := refSchema(f.Type)
		property.Description = p.plain(f.Doc)
		s.Properties[f.Name] = property
		s.PropertyOrder = append(s.PropertyOrder, f.Name)
		if !f.Optional {
			s.Required = append(s.Required, f.Name)
		}
	}
	return s
}

func named(name string) *jsonschema.Schema { return &jsonschema.Schema{Ref: "#/$defs/" + name} }

func refSchema(r Ref) *jsonschema.Schema {
	switch r.Kind {
	case Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case Integer:
		return &jsonschema.Schema{Type: "integer"}
	case Number:
		return &jsonschema.Schema{Type: "number"}
	case URI:
		return &jsonschema.Schema{Type: "string", Format: "uri"}
	case Time:
		return &jsonschema.Schema{Type: "string", Format: "date-time"}
	case Token:
		return &jsonschema.Schema{Types: []string{"string", "integer"}}
	case Any:
		return &jsonschema.Schema{}
	case LSP, Named:
		return named(r.Name)
	case List:
		return &jsonschema.Schema{Type: "array", Items: refSchema(*r.Of)}
	case Map:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: refSchema(*r.Of)}
	}
	return &jsonschema.Schema{Type: "string"}
}

// lspSchemas are the types of the Language Server Protocol that fields have.
func lspSchemas() map[string]*jsonschema.Schema {
	zero := 0.0
	object := func(description string, names []string, one *jsonschema.Schema) *jsonschema.Schema {
		s := &jsonschema.Schema{Description: description, Type: "object", Required: names, PropertyOrder: names,
			Properties: map[string]*jsonschema.Schema{}}
		for _, name := range names {
			property := *one
			s.Properties[name] = &property
		}
		return s
	}
	location := object("A Location of LSP.", []string{"uri", "range"}, named("Range"))
	location.Properties["uri"] = refSchema(Ref{Kind: URI})
	return map[string]*jsonschema.Schema{
		"Position": object("A Position of LSP: 0-based, the character in the negotiated encoding.", []string{"line", "character"}, &jsonschema.Schema{Type: "integer", Minimum: &zero}),
		"Range":    object("A Range of LSP; its end is exclusive.", []string{"start", "end"}, named("Position")),
		"Location": location,
		"Diagnostic": {Description: "A Diagnostic of LSP, with all that LSP defines for it.", Type: "object", Required: []string{"range", "message"},
			Properties: map[string]*jsonschema.Schema{"range": named("Range"), "message": {Types: []string{"string", "object"}}}},
	}
}
