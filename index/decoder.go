package index

import "encoding/binary"

// decoder reads varints and what they measure; at a damaged one it fails and stays so, at
// the end of the data. What it has read is known by a number: to move slices along would
// keep the garbage collector busy.
type decoder struct {
	data   string
	at     int
	failed bool
}

// more says whether there is more to read.
func (d *decoder) more() bool { return d.at < len(d.data) }

func (d *decoder) uvarint() uint64 {
	if d.at < len(d.data) && d.data[d.at] < 0x80 { // nearly all are that short
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

// int is a uvarint that counts or measures something in memory.
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

// text is a string behind its length, a part of the data.
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
