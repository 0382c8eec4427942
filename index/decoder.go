package index

import "encoding/binary"

// decoder reads varints and what they measure; at a damaged one it fails and stays so.
type decoder struct {
	data   []byte
	failed bool
	all    string // a copy of the data from the first text on, of which texts are parts
}

func (d *decoder) uvarint() uint64 {
	if len(d.data) > 0 && d.data[0] < 0x80 && !d.failed { // nearly all are that short
		v := d.data[0]
		d.data = d.data[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(d.data)
	d.take(n)
	return v
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.data)
	d.take(n)
	return v
}

// int is a uvarint that counts or measures something in memory.
func (d *decoder) int() int {
	v := d.uvarint()
	if v > 1<<32 {
		d.failed = true
		return 0
	}
	return int(v)
}

func (d *decoder) byte() byte {
	if b := d.take(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

// text is a string behind its length. All texts of a value share one copy of it.
func (d *decoder) text() string {
	n := d.int()
	if n == 0 {
		return ""
	}
	if d.all == "" {
		d.all = string(d.data)
	}
	at := len(d.all) - len(d.data)
	if d.take(n); d.failed {
		return ""
	}
	return d.all[at : at+n]
}

func (d *decoder) take(n int) []byte {
	if d.failed = d.failed || n < 0 || n > len(d.data); d.failed {
		return nil
	}
	taken := d.data[:n]
	d.data = d.data[n:]
	return taken
}

func appendText(buf []byte, text string) []byte {
	return append(binary.AppendUvarint(buf, uint64(len(text))), text...)
}
