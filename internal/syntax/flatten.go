package syntax

/*
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
#include "flatten.h"

// These functions live in the objects of the go-tree-sitter package; they are declared weak so that this
// package links by itself too, and missing() names the first that is not there.
#define WEAK __attribute__((weak))

extern WEAK uint32_t ts_node_descendant_count(TSNode);
extern WEAK const TSLanguage *ts_tree_language(const void *);

static const char *missing(void) {
	if (!ts_node_descendant_count) return "ts_node_descendant_count";
	if (!ts_tree_language) return "ts_tree_language";
	return 0;
}

static uint32_t count(TSNode root) { return ts_node_descendant_count(root); }

static uint32_t flatten_tree(TSNode root, flat_node *out) { return flatten(root, ts_tree_language(root.tree), out); }
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
	n := C.flatten_tree(c, (*C.flat_node)(unsafe.Pointer(unsafe.SliceData(nodes))))
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
