// The layout in memory of the trees of tree-sitter's library, in the version that go.mod names. Walking a
// tree through the library's functions takes three times as long. TestFlatten compares both.

#include <stdbool.h>
#include <stdint.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || UINTPTR_MAX != UINT64_MAX
#error "the layout of trees is known for little-endian systems with 64 bits only"
#endif

typedef uint16_t TSSymbol;

typedef struct { uint32_t context[4]; const void *id; const void *tree; } TSNode;

// A distance in a text.
typedef struct { uint32_t bytes, row, column; } Length;

// A leaf that is small enough to lie in the place of a pointer, which has is_inline unset.
typedef struct {
	bool is_inline : 1;
	bool visible : 1;
	bool named : 1;
	bool extra : 1;
	bool has_changes : 1;
	bool is_missing : 1;
	bool is_keyword : 1;
	uint8_t symbol;
	uint16_t parse_state;
	uint8_t padding_columns;
	uint8_t padding_rows : 4;
	uint8_t lookahead_bytes : 4;
	uint8_t padding_bytes;
	uint8_t size_bytes;
} InlineSubtree;

// Any other subtree. Its children lie before it.
typedef struct {
	volatile uint32_t ref_count;
	Length padding;
	Length size;
	uint32_t lookahead_bytes;
	uint32_t error_cost;
	uint32_t child_count;
	TSSymbol symbol;
	uint16_t parse_state;
	bool visible : 1;
	bool named : 1;
	bool extra : 1;
	bool fragile_left : 1;
	bool fragile_right : 1;
	bool has_changes : 1;
	bool has_external_tokens : 1;
	bool has_external_scanner_state_change : 1;
	bool depends_on_column : 1;
	bool is_missing : 1;
	bool is_keyword : 1;
	union {
		struct { // with children
			uint32_t visible_child_count;
			uint32_t named_child_count;
			uint32_t visible_descendant_count;
			int32_t dynamic_precedence;
			uint16_t repeat_depth;
			uint16_t production_id;
		};
		struct { // the state of an external scanner
			union { char *long_data; char short_data[24]; };
			uint32_t length;
		};
	};
} HeapSubtree;

typedef union { InlineSubtree data; const HeapSubtree *ptr; } Subtree;

_Static_assert(sizeof(Subtree) == 8, "a subtree is a pointer");

typedef struct { uint16_t field_id; uint8_t child_index; bool inherited; } TSFieldMapEntry;
typedef struct { uint16_t index, length; } TSFieldMapSlice;
typedef struct { bool visible, named, supertype; } TSSymbolMetadata;

typedef struct {
	uint32_t version, symbol_count, alias_count, token_count, external_token_count;
	uint32_t state_count, large_state_count, production_id_count, field_count;
	uint16_t max_alias_sequence_length;
	const void *parse_tables[6]; // up to the names of fields
	const TSFieldMapSlice *field_map_slices;
	const TSFieldMapEntry *field_map_entries;
	const TSSymbolMetadata *symbol_metadata;
	const TSSymbol *public_symbol_map;
	const uint16_t *alias_map;
	const TSSymbol *alias_sequences;
} TSLanguage;
