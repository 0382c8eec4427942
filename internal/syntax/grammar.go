package syntax

import (
	"bytes"
	"cmp"
	"strings"
	"sync"

	sitter "github.com/smacker/go-tree-sitter"
)

// role is the part that a node type plays in the placement of declarations and doc comments.
type role uint8

const (
	rolePlain role = iota
	roleComment
	roleAttribute
	roleWrapper
	roleGroup
	roleList
)

// grammar has a language's rules, indexed by its parser's numbers for node types and fields.
type grammar struct {
	language               string
	parser                 *sitter.Language
	names                  []string // of node types
	rules                  []rule
	roles                  []role
	identifier             []bool
	fieldIDs               map[string]uint16
	calleeFields           map[string]string
	predeclared            map[string]bool
	predeclaredUnqualified bool
	valueTypes             []valueTypeRule
	separators             [][]byte
	sigil                  []byte
	selfNames              map[string]bool
	transparent            map[string]bool
	leadingBlanks          bool
	conjunction            []byte
	rewrite                func([]byte) []byte
	rewritePrefix          int
	scan                   func(*scan)
	types                  map[string]uint16 // numbers of the scanner's node types
	maxSymbols             int
}

// grammars has each language's grammar, resolved on first use.
var grammars = func() map[string]func() *grammar {
	m := map[string]func() *grammar{}
	for _, l := range languages {
		m[l.name] = sync.OnceValue(l.resolve)
	}
	return m
}()

func (l language) resolve() *grammar {
	g := &grammar{
		language: l.name, fieldIDs: map[string]uint16{}, types: map[string]uint16{}, scan: l.rules.scan,
		maxSymbols:   l.rules.maxSymbols,
		calleeFields: l.rules.callee, predeclared: set(l.rules.predeclared),
		predeclaredUnqualified: l.rules.predeclaredUnqualified, leadingBlanks: l.rules.leadingBlanks,
		conjunction: []byte(l.rules.conjunction),
		rewrite:     l.rules.rewrite, rewritePrefix: l.rules.rewritePrefix,
		separators: bytes.Fields([]byte(cmp.Or(l.rules.separators, "."))), sigil: []byte(l.rules.sigil),
		selfNames: set(l.rules.selfNames), transparent: set(l.rules.transparent),
	}
	roles, identifiers := l.rules.roles(), set(l.rules.identifiers)
	add := func(name string, regular bool) {
		g.names = append(g.names, name)
		if !regular {
			name = "" // an anonymous token with the text of a node type
		}
		g.rules, g.roles = append(g.rules, l.rules.on[name]), append(g.roles, roles[name])
		g.valueTypes = append(g.valueTypes, l.rules.valueTypes[name])
		g.identifier = append(g.identifier, strings.Contains(name, "identifier") || name == "label_name" || identifiers[name])
	}
	for i, name := range strings.Fields(l.rules.types) {
		g.types[name] = uint16(i)
		add(name, true)
	}
	if l.parser != nil {
		g.parser = l.parser()
		g.addNodeTypes(add)
	}
	return g
}

// numbers tells add the node types of the parser, and takes its fields.
func (g *grammar) addNodeTypes(add func(name string, regular bool)) {
	for i := range g.parser.SymbolCount() {
		s := sitter.Symbol(i)
		add(g.parser.SymbolName(s), g.parser.SymbolType(s) == sitter.SymbolTypeRegular)
	}
	for id := 1; ; id++ {
		field := g.parser.FieldName(id)
		if field == "" {
			return
		}
		g.fieldIDs[field] = uint16(id)
	}
}

func (r *rules) roles() map[string]role {
	m := map[string]role{}
	for role, types := range map[role]string{
		roleComment: r.comments, roleAttribute: r.attributes, roleWrapper: r.wrappers, roleGroup: r.groups, roleList: r.lists,
	} {
		for name := range strings.FieldsSeq(types) {
			m[name] = role
		}
	}
	return m
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		m[word] = true
	}
	return m
}
