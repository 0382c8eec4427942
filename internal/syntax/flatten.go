package syntax

/*
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
#include <stdbool.h>
#include <stdint.h>

// The part of tree-sitter's interface that the walk needs. The functions live in
// the objects of the go-tree-sitter package; they are declared weak so that this
// package links by itself too, and missing() names the first that is not there.
#define WEAK __attribute__((weak))

typedef struct { uint32_t row, column; } TSPoint;
typedef struct { uint32_t context[4]; const void *id; const void *tree; } TSNode;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;

extern WEAK uint32_t ts_node_descendant_count(TSNode);
extern WEAK uint32_t ts_node_child_count(TSNode);
extern WEAK uint16_t ts_node_symbol(TSNode);
extern WEAK uint32_t ts_node_start_byte(TSNode);
extern WEAK uint32_t ts_node_end_byte(TSNode);
extern WEAK TSPoint ts_node_start_point(TSNode);
extern WEAK TSPoint ts_node_end_point(TSNode);
extern WEAK bool ts_node_is_named(TSNode);
extern WEAK bool ts_node_is_missing(TSNode);
extern WEAK bool ts_node_has_error(TSNode);
extern WEAK TSTreeCursor ts_tree_cursor_new(TSNode);
extern WEAK void ts_tree_cursor_delete(TSTreeCursor *);
extern WEAK TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
extern WEAK uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
extern WEAK bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
extern WEAK bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
extern WEAK bool ts_tree_cursor_goto_parent(TSTreeCursor *);

static const char *missing(void) {
	if (!ts_node_descendant_count) return "ts_node_descendant_count";
	if (!ts_node_child_count) return "ts_node_child_count";
	if (!ts_node_symbol) return "ts_node_symbol";
	if (!ts_node_start_byte) return "ts_node_start_byte";
	if (!ts_node_end_byte) return "ts_node_end_byte";
	if (!ts_node_start_point) return "ts_node_start_point";
	if (!ts_node_end_point) return "ts_node_end_point";
	if (!ts_node_is_named) return "ts_node_is_named";
	if (!ts_node_is_missing) return "ts_node_is_missing";
	if (!ts_node_has_error) return "ts_node_has_error";
	if (!ts_tree_cursor_new) return "ts_tree_cursor_new";
	if (!ts_tree_cursor_delete) return "ts_tree_cursor_delete";
	if (!ts_tree_cursor_current_node) return "ts_tree_cursor_current_node";
	if (!ts_tree_cursor_current_field_id) return "ts_tree_cursor_current_field_id";
	if (!ts_tree_cursor_goto_first_child) return "ts_tree_cursor_goto_first_child";
	if (!ts_tree_cursor_goto_next_sibling) return "ts_tree_cursor_goto_next_sibling";
	if (!ts_tree_cursor_goto_parent) return "ts_tree_cursor_goto_parent";
	return 0;
}

typedef struct {
	uint32_t start, end, row, end_row, next;
	int32_t parent;
	uint16_t symbol, field;
	uint8_t flags;
} flat_node;

static uint32_t count(TSNode root) { return ts_node_descendant_count(root); }

// write fills f with the cursor's node.
static void write(flat_node *f, const TSTreeCursor *cursor, TSNode node, bool named, bool missing) {
	f->start = ts_node_start_byte(node);
	f->end = ts_node_end_byte(node);
	f->row = ts_node_start_point(node).row;
	TSPoint end = ts_node_end_point(node);
	f->end_row = end.column == 0 && end.row > f->row ? end.row - 1 : end.row;
	f->symbol = ts_node_symbol(node);
	f->field = ts_tree_cursor_current_field_id(cursor);
	f->flags = (missing ? 1 : 0) | (named ? 2 : 0);
}

// flatten writes the tree in preorder to out, whose length is count(root), and returns
// the number of nodes that it wrote. Unnamed tokens are left out: they are half of all
// nodes, and reading a node's field costs most.
static uint32_t flatten(TSNode root, flat_node *out) {
	TSTreeCursor cursor = ts_tree_cursor_new(root);
	bool errors = ts_node_has_error(root); // without any, no node is missing
	uint32_t n = 0;
	int32_t parent = -1;
	for (;;) {
		TSNode node = ts_tree_cursor_current_node(&cursor);
		bool named = ts_node_is_named(node), missing = errors && ts_node_is_missing(node);
		bool branch = ts_node_child_count(node) > 0;
		if (named || missing || branch) {
			write(&out[n], &cursor, node, named, missing);
			out[n].parent = parent;
			if (branch && ts_tree_cursor_goto_first_child(&cursor)) {
				parent = n++;
				continue;
			}
			out[n].next = n + 1;
			n++;
		}
		while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
			if (!ts_tree_cursor_goto_parent(&cursor)) {
				if (parent >= 0) out[parent].next = n;
				ts_tree_cursor_delete(&cursor);
				return n;
			}
			out[parent].next = n;
			parent = out[parent].parent;
		}
	}
}
*/
import "C"

import (
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

// This fails to compile if Go and C have different layouts of a node.
var _ [unsafe.Sizeof(node{})]byte = [C.sizeof_flat_node]byte{}

// flattenTree writes the nodes below root to p.nodes in one call into C. One call for each
// property of a node would cost twice as much as the parse itself.
func (p *treeParser) flattenTree(root *sitter.Node) error {
	c := *(*C.TSNode)(unsafe.Pointer(root))
	nodes, err := p.allocateNodes(int(C.count(c)))
	if err != nil {
		return err
	}
	n := C.flatten(c, (*C.flat_node)(unsafe.Pointer(unsafe.SliceData(nodes))))
	p.nodes = nodes[:n]
	return nil
}

// allocateNodes returns memory for n nodes. The nodes of a large tree lie outside of the heap
// until releaseNodes: on it, they would let the heap grow by twice their size before the next
// garbage collection.
func (p *treeParser) allocateNodes(n int) ([]node, error) {
	switch {
	case n <= cap(p.nodes):
		return p.nodes[:n], nil
	case n <= maxKeptNodes:
		return make([]node, n), nil
	}
	large, err := mapMemory(n * C.sizeof_flat_node)
	if err != nil {
		return nil, err
	}
	p.mapped = large
	return unsafe.Slice((*node)(unsafe.Pointer(unsafe.SliceData(large))), n), nil
}

// releaseNodes ends the use of p.nodes.
func (p *treeParser) releaseNodes() {
	if p.mapped != nil {
		unmapMemory(p.mapped)
		p.nodes, p.mapped = nil, nil
	}
}

// missingFunction returns the name of a tree-sitter function that the program was linked
// without, or "".
func missingFunction() string { return C.GoString(C.missing()) }
