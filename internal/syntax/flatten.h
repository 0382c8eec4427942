#include <stdint.h>
#include "tree_layout.h"

typedef struct {
	uint32_t start, end, row, end_row, next;
	int32_t parent;
	uint16_t symbol, field;
	uint8_t flags;
} flat_node;

uint32_t flatten(TSNode root, const TSLanguage *language, flat_node *out);
