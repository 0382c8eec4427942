package generate

import (
	"fmt"
	"strconv"
	"strings"
)

// TypeScript returns the types, and the methods as values of vscode-languageclient.
func (p *Protocol) TypeScript() []byte {
	t := &typescript{p: p}
	t.b.WriteString(`// Generated from ` + origin + `. Do not edit.
// The types of the ploke/* methods; docs/protocol.md describes them. Positions are those of LSP.
import { NotificationType, RequestType } from "vscode-languageclient/node";
import type { Diagnostic, Location, ProgressToken, Range } from "vscode-languageclient/node";

`)
	fmt.Fprintf(&t.b, "/** The newest and the oldest version of the methods that these types describe. */\nexport const "+
		"version = %s;\nexport const oldestVersion = %s;\n", p.Version, p.OldestVersion)
	for _, one := range p.Types {
		t.oneType(one)
	}
	for _, m := range p.Methods {
		t.method(m)
	}
	for _, c := range p.Commands {
		t.doc("\n", c.Doc)
		fmt.Fprintf(&t.b, "export const command%s = %q;\n", c.Go, c.Name)
	}
	return []byte(t.b.String())
}

type typescript struct {
	p *Protocol
	b strings.Builder
}

func (t *typescript) doc(indent, text string) {
	if text == "" {
		return
	}
	lines := wrap(t.p.plain(text), 110)
	if len(lines) == 1 {
		fmt.Fprintf(&t.b, "%s/** %s */\n", indent, lines[0])
		return
	}
	fmt.Fprintf(&t.b, "%s/**\n", indent)
	indent = strings.TrimPrefix(indent, "\n")
	for _, line := range lines {
		fmt.Fprintf(&t.b, "%s * %s\n", indent, line)
	}
	fmt.Fprintf(&t.b, "%s */\n", indent)
}

func (t *typescript) oneType(one *Type) {
	variants := one.AllVariants()
	switch {
	case one.Values != nil:
		t.doc("\n", one.Doc)
		var values []string
		for _, v := range one.Values {
			values = append(values, strconv.Quote(v.Value))
		}
		fmt.Fprintf(&t.b, "export type %s = %s;\n", one.Name, strings.Join(values, " | "))
	case one.Embeds != nil && variants != nil:
		t.doc("\n", one.Doc)
		fmt.Fprintf(&t.b, "export type %s = %s & {\n", one.Name, one.Embeds.Name)
		t.fields(one.Fields)
		t.b.WriteString("};\n")
	case variants != nil:
		var names []string
		for _, v := range variants {
			names = append(names, v.Name)
			t.variant(v)
		}
		t.doc("\n", one.Doc)
		fmt.Fprintf(&t.b, "export type %s =\n  | %s;\n", one.Name, strings.Join(names, "\n  | "))
	default:
		t.doc("\n", one.Doc)
		extends := ""
		if one.Embeds != nil {
			extends = " extends " + one.Embeds.Name
		}
		fmt.Fprintf(&t.b, "export interface %s%s {\n", one.Name, extends)
		t.fields(one.Fields)
		t.b.WriteString("}\n")
	}
}

// variant writes the interface of a variant, whose type is a single value.
func (t *typescript) variant(v Variant) {
	t.doc("\n", firstUpper(v.Doc))
	fmt.Fprintf(&t.b, "export interface %s {\n", v.Name)
	for _, f := range v.Fields {
		if f.Name == "type" {
			fmt.Fprintf(&t.b, "  type: %q;\n", v.Value)
			continue
		}
		t.fields([]Field{f})
	}
	t.b.WriteString("}\n")
}

func (t *typescript) fields(fields []Field) {
	for _, f := range fields {
		t.doc("  ", firstUpper(f.Doc))
		fmt.Fprintf(&t.b, "  %s%s: %s;\n", f.Name, question(f), typescriptType(f.Type))
	}
}

func (t *typescript) method(m Method) {
	t.doc("\n", m.Doc)
	params := m.Params
	switch {
	case params == "" && m.FromServer:
		params = "void"
	case params == "":
		params = "object"
	}
	if m.Notification {
		fmt.Fprintf(&t.b, "export const %s = new NotificationType<%s>(%q);\n", lowerFirst(m.Go), params, m.Name)
		return
	}
	result := m.Result
	if result == "" {
		result = "object"
	}
	fmt.Fprintf(&t.b, "export const %s = new RequestType<%s, %s, void>(%q);\n", lowerFirst(m.Go), params, result, m.Name)
}

func typescriptType(r Ref) string {
	switch r.Kind {
	case Bool:
		return "boolean"
	case Integer, Number:
		return "number"
	case Token:
		return "ProgressToken"
	case Any:
		return "unknown"
	case LSP, Named:
		return r.Name
	case List:
		return typescriptType(*r.Of) + "[]"
	case Map:
		return "Record<string, " + typescriptType(*r.Of) + ">"
	}
	return "string"
}
