package postings

import (
	"encoding/binary"
	"hash/crc32"
	"sync/atomic"
)

// blockBytes is the size of the blocks that have checksums. A block is a page of memory,
// so checking it loads nothing that its reader does not load.
const (
	blockShift = 12
	blockBytes = 1 << blockShift
	sumBytes   = 4 // of a block's checksum
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// blocks is the body of a segment. It checks each block when it is read for the first time.
type blocks struct {
	data    []byte
	sums    []byte          // of the blocks
	checked []atomic.Uint64 // a bit for each block whose checksum is right
	segment *Segment
}

func newBlocks(data, sums []byte, s *Segment) blocks {
	return blocks{data: data, sums: sums, checked: make([]atomic.Uint64, (blockCount(len(data))+63)/64), segment: s}
}

func blockCount(size int) int { return (size + blockBytes - 1) / blockBytes }

// read returns the bytes from one offset to another. It panics with a [Damage] if they are
// not the bytes that were written.
func (b *blocks) read(from, to int) []byte {
	for n := from >> blockShift; n<<blockShift < to; n++ {
		if b.checked[n>>6].Load()&(1<<(n&63)) == 0 {
			b.check(n)
		}
	}
	return b.data[from:to:to]
}

func (b *blocks) check(n int) {
	start := n << blockShift
	sum := crc32.Checksum(b.data[start:min(start+blockBytes, len(b.data))], castagnoli)
	if sum != binary.LittleEndian.Uint32(b.sums[n*sumBytes:]) {
		panic(&Damage{segment: b.segment})
	}
	b.checked[n>>6].Or(1 << (n & 63))
}

// section is a part of a segment's body.
type section struct {
	*blocks
	start, end int
}

func (s section) len() int { return s.end - s.start }

// bytes returns so many bytes at an offset. It panics with a [Damage] if the section ends
// before them.
func (s section) bytes(at, size int) []byte {
	if at < 0 || size < 0 || size > s.len()-at {
		panic(&Damage{segment: s.segment})
	}
	return s.read(s.start+at, s.start+at+size)
}

// all returns the whole section.
func (s section) all() []byte { return s.read(s.start, s.end) }

// blockSummer computes the checksums of the blocks of what is written.
type blockSummer struct {
	sums  []byte
	block uint32 // the checksum of the current block so far
	bytes int    // of the current block
}

func (b *blockSummer) add(data []byte) {
	for len(data) > 0 {
		n := min(len(data), blockBytes-b.bytes)
		b.block = crc32.Update(b.block, castagnoli, data[:n])
		b.bytes += n
		data = data[n:]
		if b.bytes == blockBytes {
			b.end()
		}
	}
}

// end ends the current block.
func (b *blockSummer) end() {
	if b.bytes > 0 {
		b.sums = binary.LittleEndian.AppendUint32(b.sums, b.block)
		b.block, b.bytes = 0, 0
	}
}
