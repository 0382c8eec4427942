package index

import "encoding/binary"

// decoder reads varints and length-prefixed values. At a damaged value it sets failed and
// moves to the end of the data. It keeps a position, not a shrinking slice, because
// assigning slices costs write barriers.
type decoder struct {
	data   string
	at     int
	failed bool
}

// more reports whether data is left.
func (d *decoder) more() bool { return d.at < len(d.data) }

func (d *decoder) uvarint() uint64 {
	if d.at < len(d.data) && d.data[d.at] < 0x80 { // nearly all varints are one byte
		d.at++
		return uint64(d.data[d.at-1])
	}
	return d.longUvarint()
}

func (d *decoder) longUvarint() (v uint64) {
	for shift := 0; d.at < len(d.data) && shift < 64; shift += 7 {
		b := d.data[d.at]
		d.at++
		if v |= uint64(b&0x7f) << shift; b < 0x80 {
			return v
		}
	}
	d.fail()
	return 0
}

func (d *decoder) varint() int64 {
	v := d.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// int reads a uvarint that is a count or a size in memory.
func (d *decoder) int() int {
	v := d.uvarint()
	if v > 1<<32 {
		d.fail()
		return 0
	}
	return int(v)
}

func (d *decoder) byte() byte {
	if !d.more() {
		d.fail()
		return 0
	}
	d.at++
	return d.data[d.at-1]
}

// text reads a length-prefixed string, which shares memory with the data.
func (d *decoder) text() string {
	n := d.int()
	if n > len(d.data)-d.at {
		d.fail()
		return ""
	}
	d.at += n
	return d.data[d.at-n : d.at]
}

func (d *decoder) fail() { d.failed, d.at = true, len(d.data) }

func appendText(buf []byte, text string) []byte {
	return append(binary.AppendUvarint(buf, uint64(len(text))), text...)
}

// uvarint returns the varint at a position, and the position after it. That is -1 for a
// damaged varint, and for a position of -1.
func uvarint(data []byte, at int) (uint64, int) {
	if uint(at) < uint(len(data)) && data[at] < 0x80 { // most varints are one byte
		return uint64(data[at]), at + 1
	}
	return longUvarint(data, at)
}

func longUvarint(data []byte, at int) (uint64, int) {
	if at < 0 || at >= len(data) {
		return 0, -1
	}
	v, n := binary.Uvarint(data[at:])
	if n <= 0 {
		return 0, -1
	}
	return v, at + n
}

// varint is uvarint for a signed number.
func varint(data []byte, at int) (int, int) {
	v, at := uvarint(data, at)
	return int(int64(v>>1) ^ -int64(v&1)), at
}

// text returns the length-prefixed text at a position, and the position after it as
// uvarint does.
func text(data []byte, at int) ([]byte, int) {
	size, at := uvarint(data, at)
	if at < 0 || size > uint64(len(data)-at) {
		return nil, -1
	}
	end := at + int(size)
	return data[at:end], end
}
