package syntax

import "bytes"

var protobufRules = rules{
	on: map[string]rule{
		"package": func(b *builder, n int) {
			b.declare(n, declaration{kind: KindNamespace, name: n + 1, body: -1, noChildren: true})
		},
		"import":  protobufImport,
		"message": protobufDefine(KindStruct),
		"enum":    protobufDefine(KindEnum),
		"service": protobufDefine(KindInterface),
		"extend":  all(func(b *builder, n int) { protobufType(b, n+1) }, protobufDefine(KindImpl)),
		"rpc":     protobufDefine(KindMethod),
		"value":   protobufDefine(KindConstant),
		"field":   protobufDefine(KindField),
		"oneof":   protobufOneof,
		"type":    protobufType,
	},
	placement: placement{comments: "comment"},
	naming: naming{
		identifiers: "type",
		predeclared: "double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string " +
			"bytes",
	},
	reading: reading{
		nodeTypes: "comment package import message enum service extend rpc value field oneof block name_identifier type { }",
		scan:      scanProtobuf,
	},
}

func protobufDefine(kind Kind) rule {
	return func(b *builder, n int) { b.declare(n, protobufDeclaration(b, n, kind)) }
}

func protobufDeclaration(b *builder, n int, kind Kind) declaration {
	d := declaration{kind: kind, name: b.first(n, "name_identifier"), body: b.first(n, "{")}
	if name := b.bytes(d.name); bytes.IndexByte(name, '.') >= 0 {
		d.symbolName = b.intern(name[bytes.LastIndexByte(name, '.')+1:])
	}
	return d
}

// protobufOneof declares a oneof. Its fields belong to the message.
func protobufOneof(b *builder, n int) {
	d := protobufDeclaration(b, n, KindProperty)
	d.noChildren = true
	b.declare(n, d)
}

// protobufType records a type by its last name.
func protobufType(b *builder, n int) {
	path := b.bytes(n)
	if name := b.intern(path[bytes.LastIndexByte(path, '.')+1:]); name != "" && !b.predeclared[name] {
		b.referTo(name, n, RefType)
	}
}

func protobufImport(b *builder, n int) {
	b.referTo(b.name(n), n, RefImport)
	b.importAll(n)
}

// protobuf finds the definitions in a schema of any version by its words and brackets:
// https://protobuf.dev/reference/protobuf/edition-2023-spec.
type protobuf struct {
	lexer
	blocks []string // the kinds of the open blocks
	tokens []token  // the tokens of the current statement
}

func scanProtobuf(s *scan) {
	p := protobuf{lexer: lexer{scan: s, comment: "//", quotes: `"'`, dotsInWords: true, backslashEscapes: true}}
	for p.statement() {
	}
	for range p.blocks {
		p.missing("}", p.trimmed(len(p.text)))
		p.close(len(p.text))
	}
}

// statement reads a statement, or the beginning or the end of a block. Options may have braces
// of their own.
func (p *protobuf) statement() bool {
	p.tokens = p.tokens[:0]
	for brackets, braces := 0, 0; ; {
		switch t := p.token(); t.kind {
		case tokenEnd:
			return false
		case tokenComment:
			if len(p.tokens) == 0 {
				p.leaf("comment", t.start, t.end)
			}
		case '[':
			brackets++
		case ']':
			brackets = max(brackets-1, 0)
		case ';':
			if braces == 0 {
				p.define(t.end)
				return true
			}
		case '{':
			if brackets == 0 && p.nth(0) != "option" {
				p.block(t)
				return true
			}
			braces++
		case '}':
			if braces == 0 {
				p.end(t)
				return true
			}
			braces--
		default:
			if brackets == 0 {
				p.tokens = append(p.tokens, t)
			}
		}
	}
}

// nth returns the text of the statement's i-th token, "" for none.
func (p *protobuf) nth(i int) string {
	if i < 0 || i >= len(p.tokens) {
		return ""
	}
	return string(p.text[p.tokens[i].start:p.tokens[i].end])
}

// inside returns the kind of the innermost block, "" for the file.
func (p *protobuf) inside() string {
	if len(p.blocks) == 0 {
		return ""
	}
	return p.blocks[len(p.blocks)-1]
}

// end reads the end of a block, and a statement before it that lacks its semicolon.
func (p *protobuf) end(t token) {
	if len(p.tokens) > 0 {
		p.define(p.tokens[len(p.tokens)-1].end)
	}
	if len(p.blocks) == 0 {
		p.unexpected(t.start, t.end)
		return
	}
	p.blocks = p.blocks[:len(p.blocks)-1]
	p.close(t.end)
}

// block reads the beginning of a block. A group is a message and a field in one.
func (p *protobuf) block(brace token) {
	kind, at := p.nth(0), 1
	for i := range min(len(p.tokens), 2) {
		if p.nth(i) == "group" && p.nth(i+2) == "=" {
			kind, at = "message", i+1
		}
	}
	start := brace.start
	if len(p.tokens) > 0 {
		start = p.tokens[0].start
	}
	switch kind {
	case "message", "enum", "service", "oneof", "extend", "rpc":
	default:
		kind = "block"
	}
	p.blocks = append(p.blocks, kind)
	p.open(kind, start)
	if kind != "block" {
		p.names(at, kind == "rpc")
	}
	p.leaf("{", brace.start, brace.end)
}

// names adds the name of a definition, and the types of a method.
func (p *protobuf) names(at int, method bool) {
	for i, t := range p.tokens {
		switch word := p.nth(i); {
		case i == at && t.kind == tokenWord:
			p.leaf("name_identifier", t.start, t.end)
		case i > at && method && t.kind == tokenWord && word != "stream" && word != "returns":
			p.leaf("type", t.start, t.end)
		}
	}
}

// define adds the definition of a statement that ends at end.
func (p *protobuf) define(end int) {
	if len(p.tokens) < 2 {
		return
	}
	switch first := p.nth(0); first {
	case "option", "syntax", "edition", "reserved", "extensions":
	case "import":
		if last := p.tokens[len(p.tokens)-1]; last.kind == tokenQuoted {
			p.nameLeaf("import", last)
		}
	case "package", "rpc":
		p.open(first, p.tokens[0].start)
		p.names(1, first == "rpc")
		p.close(end)
	default:
		p.field(end)
	}
}

// field adds a field, or a value of an enum: the name before the "=".
func (p *protobuf) field(end int) {
	kind, name := "field", 0
	for name+1 < len(p.tokens) && p.tokens[name+1].kind != '=' {
		name++
	}
	switch inside := p.inside(); {
	case name+1 >= len(p.tokens) || inside == "service" || inside == "":
		return
	case inside == "enum":
		kind = "value"
	}
	p.open(kind, p.tokens[0].start)
	for i, t := range p.tokens[:name+1] {
		switch word := p.nth(i); {
		case t.kind != tokenWord:
		case i == name:
			p.leaf("name_identifier", t.start, t.end)
		case i > 0 || word != "optional" && word != "required" && word != "repeated" && word != "map":
			p.leaf("type", t.start, t.end)
		}
	}
	p.close(end)
}
