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
	language     string
	parser       *sitter.Language
	names        []string // of node types
	rules        []rule
	roles        []role
	identifier   []bool
	fieldIDs     map[string]uint16
	calleeFields map[string]string
	valueTypes   []valueTypeRule
	conjunction  []byte
	types        map[string]uint16 // numbers of the scanner's node types
	knownNames
	reading
}

// knownNames are a language's rules of [naming], in the form in which names are looked up.
type knownNames struct {
	predeclared            map[string]bool
	predeclaredUnqualified bool
	separators             [][]byte
	sigil                  []byte
	selfNames              map[string]bool
	transparent            map[string]bool
	modules                func(b *builder, n int) string
	pathNodes              string
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
		language: l.name, fieldIDs: map[string]uint16{}, types: map[string]uint16{}, calleeFields: l.rules.callee,
		conjunction: []byte(l.rules.conjunction), knownNames: l.rules.known(), reading: l.rules.reading,
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
	for i, name := range strings.Fields(l.rules.nodeTypes) {
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

func (n *naming) known() knownNames {
	return knownNames{
		predeclared: set(n.predeclared), predeclaredUnqualified: n.predeclaredUnqualified,
		separators: bytes.Fields([]byte(cmp.Or(n.separators, "."))), sigil: []byte(n.sigil),
		selfNames: set(n.selfNames), transparent: set(n.transparent), modules: n.modules, pathNodes: n.pathNodes,
	}
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		m[word] = true
	}
	return m
}
