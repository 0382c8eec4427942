package postings

import "encoding/binary"

// Pairs returns the stored pairs of the i-th name.
func (n Names) Pairs(i int) Pairs { return Pairs(binary.LittleEndian.Uint64(n.pairs[8*i:])) }
