#include <stdlib.h>
#include "flatten.h"

static const TSSymbol error_symbol = 0xFFFF;

static Length add(Length a, Length b) {
	Length sum = {a.bytes + b.bytes, a.row + b.row, b.row > 0 ? b.column : a.column + b.column};
	return sum;
}

// properties are those of a subtree that the walk reads.
typedef struct {
	Length padding, size;
	TSSymbol symbol;
	bool visible, named, extra, missing;
	const HeapSubtree *branch; // NULL without visible children
} properties;

static inline properties read(const Subtree *s) {
	if (s->data.is_inline) {
		InlineSubtree d = s->data;
		return (properties){
			{d.padding_bytes, d.padding_rows, d.padding_columns}, {d.size_bytes, 0, d.size_bytes},
			d.symbol, d.visible, d.named, d.extra, d.is_missing, NULL,
		};
	}
	const HeapSubtree *h = s->ptr;
	return (properties){
		h->padding, h->size, h->symbol, h->visible, h->named, h->extra, h->is_missing,
		h->child_count > 0 && h->visible_child_count > 0 ? h : NULL,
	};
}

// frame is a subtree whose children are being visited.
typedef struct {
	const Subtree *child, *end; // the next child, and the end of the children
	const TSSymbol *aliases;    // that the production gives to its children; NULL if it gives none
	const TSFieldMapEntry *fields, *fields_end;
	Length at;                  // the end of the last child, or the start of the first
	uint32_t structural;        // number of children so far that are part of the production
	int32_t node;               // that was written for the subtree, or else for the one around it
	uint16_t field;             // of a subtree that is not visible: its children have it
	bool visible;
	bool begun;                 // a child was visited
} frame;

static frame enter(const TSLanguage *language, const HeapSubtree *h, Length at, int32_t node, bool visible, uint16_t field) {
	frame f = {(const Subtree *)h - h->child_count, (const Subtree *)h, NULL, NULL, NULL, at, 0, node, field, visible, false};
	if (h->production_id > 0) f.aliases = &language->alias_sequences[h->production_id * language->max_alias_sequence_length];
	if (language->field_count > 0) {
		TSFieldMapSlice slice = language->field_map_slices[h->production_id];
		f.fields = &language->field_map_entries[slice.index];
		f.fields_end = f.fields + slice.length;
	}
	return f;
}

// field_of returns the field of the next child.
static uint16_t field_of(const frame *f) {
	for (const TSFieldMapEntry *e = f->fields; e < f->fields_end; e++) {
		if (!e->inherited && e->child_index == f->structural) return e->field_id;
	}
	return f->visible ? 0 : f->field;
}

static void write(flat_node *out, const TSLanguage *language, properties p, Length at, TSSymbol alias, bool named) {
	Length end = add(at, p.size);
	TSSymbol symbol = alias ? alias : p.symbol;
	out->start = at.bytes;
	out->end = end.bytes;
	out->row = at.row;
	out->end_row = end.column == 0 && end.row > at.row ? end.row - 1 : end.row;
	out->symbol = symbol == error_symbol ? symbol : language->public_symbol_map[symbol];
	out->flags = (p.missing ? 1 : 0) | (named ? 2 : 0);
}

// flatten writes the tree in preorder to out, which has room for all nodes, and returns
// the number of nodes that it wrote. Unnamed tokens are left out: they are half of all nodes. A
// stack of its own bounds the depth by the memory only.
uint32_t flatten(TSNode root, const TSLanguage *language, flat_node *out) {
	properties p = read(root.id);
	Length at = {root.context[0], root.context[1], root.context[2]};
	write(out, language, p, at, 0, p.named);
	out->field = 0;
	out->parent = -1;
	out->next = 1;
	uint32_t n = 1, depth = 0, room = 128;
	frame *stack = malloc(room * sizeof(frame));
	if (!stack) abort(); // as tree-sitter does
	if (p.branch) stack[depth++] = enter(language, p.branch, at, 0, true, 0);
	while (depth > 0) {
		frame *f = &stack[depth - 1];
		if (f->child == f->end) {
			if (f->visible) out[f->node].next = n;
			depth--;
			continue;
		}
		p = read(f->child++);
		// The tree is larger than the caches: a sixth of the walk would be waiting for the next child.
		if (f->child < f->end && !f->child->data.is_inline) __builtin_prefetch(f->child->ptr);
		at = f->begun ? add(f->at, p.padding) : f->at;
		f->at = add(at, p.size);
		f->begun = true;
		TSSymbol alias = 0;
		if (!p.extra && f->aliases) alias = f->aliases[f->structural];
		bool visible = p.visible || alias, named = alias ? language->symbol_metadata[alias].named : p.named;
		bool written = visible && (named || p.missing || p.branch);
		uint16_t field = 0;
		if (!p.extra) {
			if (written || p.branch) field = field_of(f);
			f->structural++;
		}
		int32_t node = f->node;
		if (written) {
			write(&out[n], language, p, at, alias, named);
			out[n].field = field;
			out[n].parent = node;
			out[n].next = n + 1;
			node = n++;
		}
		if (!p.branch) continue;
		if (depth == room) {
			room *= 2;
			if (!(stack = realloc(stack, room * sizeof(frame)))) abort();
		}
		stack[depth++] = enter(language, p.branch, at, node, visible, field);
	}
	free(stack);
	return n;
}
