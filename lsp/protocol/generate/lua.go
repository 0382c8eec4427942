package generate

import (
	"fmt"
	"strings"
)

// Lua returns the names of the methods, with LuaCATS annotations for the types.
func (p *Protocol) Lua() []byte {
	l := &lua{p: p}
	l.b.WriteString(`-- Generated from ` + origin + `. Do not edit.

--- The names of the ploke/* methods and of the commands, and the types of their parameters and
--- results. Positions are those of LSP.
local M = {}

`)
	fmt.Fprintf(&l.b, "--- The newest and the oldest version of the methods that these names and types describe.\n"+
		"M.version = %s\nM.oldest_version = %s\n", p.Version, p.OldestVersion)
	l.names("methods", "The methods: their parameters -> their results", p.Methods)
	l.names("commands", "The commands: their arguments -> their results", p.Commands)
	for _, t := range p.Types {
		l.oneType(t)
	}
	l.b.WriteString("\nreturn M\n")
	return []byte(l.b.String())
}

type lua struct {
	p *Protocol
	b strings.Builder
}

func (l *lua) names(table, doc string, methods []Method) {
	fmt.Fprintf(&l.b, "\n--- %s.\nM.%s = {\n", doc, table)
	for _, m := range methods {
		for _, line := range wrap(l.p.plain(m.Doc), 110) {
			fmt.Fprintf(&l.b, "  --- %s\n", line)
		}
		result := luaName(m.Result)
		if m.Notification {
			result = "nothing"
		}
		fmt.Fprintf(&l.b, "  --- %s -> %s\n", luaName(m.Params), result)
		fmt.Fprintf(&l.b, "  %s = '%s',\n", snakeCase(m.Go), m.Name)
	}
	l.b.WriteString("}\n")
}

func luaName(typeName string) string {
	if typeName == "" {
		return "{}"
	}
	return "ploke." + typeName
}

func (l *lua) oneType(t *Type) {
	l.b.WriteString("\n")
	for _, line := range wrap(l.p.plain(t.Doc), 110) {
		fmt.Fprintf(&l.b, "--- %s\n", line)
	}
	if t.Values != nil {
		var values []string
		for _, v := range t.Values {
			values = append(values, "'"+v.Value+"'")
		}
		fmt.Fprintf(&l.b, "--- @alias ploke.%s %s\n", t.Name, strings.Join(values, "|"))
		return
	}
	base := ""
	if t.Embeds != nil {
		base = ": ploke." + t.Embeds.Name
	}
	fmt.Fprintf(&l.b, "--- @class ploke.%s%s\n", t.Name, base)
	for _, f := range t.Fields {
		// The variants of a type are one class here, in which the fields of some may be missing.
		mark := question(f)
		typeName := luaType(f.Type)
		var names []string
		for _, v := range f.Variants {
			if v.typeName != "" {
				names = append(names, "ploke."+v.typeName)
			}
		}
		if names != nil {
			typeName = strings.Join(names, "|")
		}
		fmt.Fprintf(&l.b, "--- @field %s%s %s", f.Name, mark, typeName)
		if f.Doc != "" {
			fmt.Fprintf(&l.b, " %s", l.p.plain(f.Doc))
		}
		l.b.WriteString("\n")
	}
}

func luaType(r Ref) string {
	switch r.Kind {
	case Bool:
		return "boolean"
	case Integer:
		return "integer"
	case Number:
		return "number"
	case Token:
		return "string|integer"
	case Any:
		return "any"
	case LSP:
		return "lsp." + r.Name
	case Named:
		return "ploke." + r.Name
	case List:
		return luaType(*r.Of) + "[]"
	case Map:
		return "table<string, " + luaType(*r.Of) + ">"
	}
	return "string"
}
