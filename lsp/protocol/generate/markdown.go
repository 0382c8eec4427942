package generate

import (
	"fmt"
	"strings"
)

// Markdown returns the reference of the protocol.
func (p *Protocol) Markdown() string {
	m := &markdown{p: p}
	for _, group := range groups(p.Methods) {
		m.group(group, "Other methods", m.method)
	}
	for _, group := range groups(p.Commands) {
		m.group(group, "Other commands", m.command)
	}
	m.line("## Types")
	m.line("A field with a “?” may be omitted. The types `Range`, `Location` and `Diagnostic` are those of LSP.")
	for _, t := range p.Types {
		m.oneType(t)
	}
	m.line("## Error codes")
	m.b.WriteString("| code | meaning |\n|---|---|\n")
	for _, e := range p.Errors {
		fmt.Fprintf(&m.b, "| %s | %s |\n", e.Value, m.cell(withoutName(e.Doc, e.Go+" means that")))
	}
	return m.b.String()
}

// groups returns methods by their groups, in the order in which the groups begin; those that stand
// alone are the last one.
func groups(methods []Method) (all [][]Method) {
	at := map[string]int{}
	var alone []Method
	for _, m := range methods {
		if m.Group == "" {
			alone = append(alone, m)
			continue
		}
		if _, known := at[m.Group]; !known {
			at[m.Group] = len(all)
			all = append(all, nil)
		}
		all[at[m.Group]] = append(all[at[m.Group]], m)
	}
	if alone != nil {
		all = append(all, alone)
	}
	return all
}

type markdown struct {
	p *Protocol
	b strings.Builder
}

// line writes a paragraph or a heading.
func (m *markdown) line(text string) { fmt.Fprintf(&m.b, "%s\n\n", text) }

// text resolves the links of a doc comment.
func (m *markdown) text(doc string) string {
	return m.p.resolve(doc, func(literal string) string { return "`" + literal + "`" }, typeLink)
}

func (m *markdown) cell(doc string) string { return strings.ReplaceAll(m.text(doc), "|", `\|`) }

func typeLink(name string) string { return fmt.Sprintf("[%s](#%s)", name, strings.ToLower(name)) }

// group writes methods under a heading, which is the first sentence of their doc comment.
func (m *markdown) group(methods []Method, fallback string, write func(Method)) {
	heading, rest, _ := strings.Cut(methods[0].Group, ". ")
	if heading == "" {
		heading = fallback
	}
	m.line("## " + strings.TrimSuffix(heading, "."))
	if rest != "" {
		m.line(m.text(rest))
	}
	for _, one := range methods {
		m.line("### `" + one.Name + "`")
		m.line(m.text(one.Doc))
		write(one)
		m.b.WriteString("\n")
	}
}

func (m *markdown) method(one Method) {
	sender, kind := "the client", "request"
	if one.FromServer {
		sender = "the server, if the client names it in `experimental.ploke.methods`"
	}
	if one.Notification {
		kind = "notification"
	}
	fmt.Fprintf(&m.b, "- a %s of %s\n", kind, sender)
	fmt.Fprintf(&m.b, "- params: %s\n", orNone(one.Params, "none"))
	if !one.Notification {
		fmt.Fprintf(&m.b, "- result: %s\n", orNone(one.Result, "an empty object"))
	}
}

func (m *markdown) command(one Method) {
	fmt.Fprintf(&m.b, "- argument: %s\n", orNone(one.Params, "none"))
	fmt.Fprintf(&m.b, "- result: %s\n", orNone(one.Result, "an empty object or null"))
}

func orNone(typeName, none string) string {
	if typeName == "" {
		return none
	}
	return typeLink(typeName)
}

func (m *markdown) oneType(t *Type) {
	m.line("### " + t.Name)
	m.line(m.text(t.Doc))
	if t.Embeds != nil {
		m.line("It has all fields of " + typeLink(t.Embeds.Name) + ", and these:")
	}
	switch {
	case len(t.Values) > 0:
		m.b.WriteString("| value | meaning |\n|---|---|\n")
		for _, v := range t.Values {
			fmt.Fprintf(&m.b, "| `%s` | %s |\n", v.Value, m.cell(v.Doc))
		}
	case t.Variants != nil:
		m.variants(t.Variants)
		m.fields(t.Fields)
	default:
		m.fields(t.Fields)
	}
	m.b.WriteString("\n")
}

func (m *markdown) variants(all []Variant) {
	m.b.WriteString("| type | fields | meaning |\n|---|---|---|\n")
	for _, v := range all {
		fmt.Fprintf(&m.b, "| `%s` | %s | %s |\n", v.Value, fieldNames(v.Fields), m.cell(v.Doc))
	}
	m.b.WriteString("\n")
}

// fieldNames lists the fields that a variant has besides those of all variants.
func fieldNames(fields []Field) string {
	var names []string
	for _, f := range fields {
		if f.Variants != nil {
			names = append(names, "`"+f.Name+"`"+question(f))
		}
	}
	return strings.Join(names, ", ")
}

func (m *markdown) fields(fields []Field) {
	m.b.WriteString("| field | type | meaning |\n|---|---|---|\n")
	for _, f := range fields {
		typeName := markdownType(f.Type)
		for i, v := range f.Variants {
			if v.typeName != "" && i == 0 {
				typeName = typeLink(v.typeName)
			} else if v.typeName != "" {
				typeName += " or " + typeLink(v.typeName)
			}
		}
		fmt.Fprintf(&m.b, "| `%s`%s | %s | %s |\n", f.Name, question(f), typeName, m.cell(f.Doc))
	}
}

func question(f Field) string {
	if f.Optional {
		return "?"
	}
	return ""
}

func markdownType(r Ref) string {
	switch r.Kind {
	case Bool:
		return "boolean"
	case Integer:
		return "integer"
	case Number:
		return "number"
	case URI:
		return "URI"
	case Time:
		return "time in RFC 3339"
	case Token:
		return "string or integer"
	case Any:
		return "any JSON"
	case LSP:
		return "`" + r.Name + "`"
	case Named:
		return typeLink(r.Name)
	case List:
		return "list of " + markdownType(*r.Of)
	case Map:
		return "object of " + markdownType(*r.Of)
	}
	return "string"
}
