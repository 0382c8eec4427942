package records

import "encoding/binary"

// Decoder reads varints and length-prefixed values. At a damaged value it sets failed and
// moves to the end of the data. It keeps a position, not a shrinking slice, because
// assigning slices costs write barriers.
type Decoder struct {
	Data   string
	at     int
	Failed bool
}

// More reports whether data is left.
func (d *Decoder) More() bool { return d.at < len(d.Data) }

func (d *Decoder) uvarint() uint64 {
	if d.at < len(d.Data) && d.Data[d.at] < 0x80 { // nearly all varints are one byte
		d.at++
		return uint64(d.Data[d.at-1])
	}
	return d.longUvarint()
}

func (d *Decoder) longUvarint() (v uint64) {
	for shift := 0; d.at < len(d.Data) && shift < 64; shift += 7 {
		b := d.Data[d.at]
		d.at++
		if v |= uint64(b&0x7f) << shift; b < 0x80 {
			return v
		}
	}
	d.fail()
	return 0
}

func (d *Decoder) varint() int64 {
	v := d.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// Int reads a uvarint that is a count or a size in memory.
func (d *Decoder) Int() int {
	v := d.uvarint()
	if v > 1<<32 {
		d.fail()
		return 0
	}
	return int(v)
}

func (d *Decoder) byte() byte {
	if !d.More() {
		d.fail()
		return 0
	}
	d.at++
	return d.Data[d.at-1]
}

// text reads a length-prefixed string, which shares memory with the data.
func (d *Decoder) text() string {
	n := d.Int()
	if n > len(d.Data)-d.at {
		d.fail()
		return ""
	}
	d.at += n
	return d.Data[d.at-n : d.at]
}

func (d *Decoder) fail() { d.Failed, d.at = true, len(d.Data) }

// AppendText appends a text with its length.
func AppendText(buf []byte, text string) []byte {
	return append(binary.AppendUvarint(buf, uint64(len(text))), text...)
}

// Uvarint returns the varint at a position, and the position after it. That is -1 for a
// damaged varint, and for a position of -1.
func Uvarint(data []byte, at int) (uint64, int) {
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

// Varint is uvarint for a signed number.
func Varint(data []byte, at int) (int, int) {
	v, at := Uvarint(data, at)
	return int(int64(v>>1) ^ -int64(v&1)), at
}

// Text returns the length-prefixed text at a position, and the position after it as
// uvarint does.
func Text(data []byte, at int) ([]byte, int) {
	size, at := Uvarint(data, at)
	if at < 0 || size > uint64(len(data)-at) {
		return nil, -1
	}
	end := at + int(size)
	return data[at:end], end
}
