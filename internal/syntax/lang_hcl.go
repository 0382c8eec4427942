package syntax

var hclRules = rules{
	on: map[string]rule{
		"block":         hclBlock,
		"attribute":     hclAttribute,
		"variable_expr": hclReference,
	},
	placement: placement{comments: "comment"},
}

// hclKinds are the kinds of blocks. Any other block is a section.
var hclKinds = map[string]Kind{
	"variable": KindVariable, "output": KindProperty, "module": KindModule, "function": KindFunction, "run": KindTest,
}

// hclBlock declares a block by its type and its labels. A nested block needs a label.
func hclBlock(b *builder, n int) {
	kind, ok := hclKinds[string(b.bytes(n+1))]
	if !ok {
		kind = KindSection
	}
	labels := hclLabels(b, n)
	if len(labels) == 1 && b.enclosing() != "" {
		return
	}
	last := len(labels) - 1
	d := declaration{kind: kind, name: labels[last], body: b.first(n, "block_start")}
	for i, label := range labels[:last] {
		if d.qualifier += b.intern(b.bytes(label)); i < last-1 {
			d.qualifier += "::"
		}
	}
	if kind == KindVariable || kind == KindProperty {
		d.docStart, d.docEnd = hclDescription(b, n)
	}
	b.declare(n, d)
}

// hclLabels returns the nodes of the block's type and of its labels' texts.
func hclLabels(b *builder, n int) (labels []int) {
	for c := range b.children(n) {
		if b.kind(c) == "string_lit" {
			c = b.first(c, "template_literal")
		}
		if k := b.kind(c); k == "identifier" || k == "template_literal" {
			labels = append(labels, c)
		}
	}
	return labels
}

// hclDescription returns the range of the block's description with its quotes.
func hclDescription(b *builder, n int) (start, end int) {
	for c := range b.children(b.first(n, "body")) {
		if b.kind(c) != "attribute" || string(b.bytes(c+1)) != "description" {
			continue
		}
		if value := b.first(b.first(c, "expression"), "literal_value"); value >= 0 {
			return b.start(value), b.end(value)
		}
	}
	return 0, 0
}

// hclAttribute declares top-level attributes and locals, and records the source of a module.
func hclAttribute(b *builder, n int) {
	value := b.first(n, "expression")
	d := declaration{kind: KindConstant, name: n + 1, body: b.multilineValue(value)}
	switch of := b.parent(b.parent(n)); {
	case b.kind(of) == "config_file":
		d.kind = KindVariable
		b.declare(n, d)
	case string(b.bytes(of+1)) == "locals":
		b.declare(n, d)
	case string(b.bytes(of+1)) == "module" && string(b.bytes(n+1)) == "source":
		if path := b.unquoted(value); path != "" {
			b.referTo(path, value, RefImport)
			labels := hclLabels(b, of)
			b.imports(value, b.name(labels[len(labels)-1]), path, "")
		}
	}
}

// hclReference records the x in var.x, local.x, module.x, data.type.x and type.x.
func hclReference(b *builder, n int) {
	name := hclNext(b, n)
	switch string(b.bytes(n)) {
	case "each", "count", "self", "path", "terraform":
		return
	case "data":
		name = hclNext(b, name)
	}
	if name >= 0 {
		b.refer(name+1, RefUse)
	}
}

// hclNext returns the attribute after n in its expression, or -1.
func hclNext(b *builder, n int) int {
	if n < 0 || int(b.nodes[n].next) >= len(b.nodes) || b.kind(int(b.nodes[n].next)) != "get_attr" {
		return -1
	}
	return int(b.nodes[n].next)
}
