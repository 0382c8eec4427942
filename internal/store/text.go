package store

import (
	"bytes"
	"compress/flate"
	"database/sql/driver"
	"fmt"
	"io"
	"sync"
)

// Text is a text in a column of type ANY. A long one is stored as a BLOB with the text in raw DEFLATE
// (RFC 1951), if that is shorter. Results of searches get about four times shorter. A program that writes
// a plain TEXT there is understood, too.
type Text string

const (
	// minPacked is the length in bytes from which a text is compressed: a shorter one hardly gets shorter.
	minPacked = 512
	// packLevel compresses nearly as well as the slowest level, in a third of its time.
	packLevel = 4
)

var packers = sync.Pool{New: func() any {
	w, err := flate.NewWriter(io.Discard, packLevel)
	if err != nil {
		panic(err) // the level is valid
	}
	return w
}}

// Value returns what is stored.
func (t Text) Value() (driver.Value, error) {
	if stored, packed := Pack([]byte(t)); packed {
		return stored, nil
	}
	return string(t), nil
}

// Scan reads what Value has returned.
func (t *Text) Scan(stored any) error {
	switch stored := stored.(type) {
	case string:
		*t = Text(stored)
		return nil
	case []byte:
		text, err := Unpack(stored)
		*t = Text(text)
		return err
	}
	return fmt.Errorf("a text is stored as %T", stored)
}

// Pack returns what is stored of bytes in a column of type BLOB, and whether it is compressed: raw DEFLATE
// (RFC 1951), if that is shorter. Else it is the bytes themselves.
func Pack(text []byte) (stored []byte, packed bool) {
	if len(text) < minPacked {
		return text, false
	}
	var b bytes.Buffer
	w := packers.Get().(*flate.Writer)
	defer packers.Put(w)
	w.Reset(&b)
	_, err := w.Write(text)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // a buffer takes everything
	}
	if b.Len() >= len(text) {
		return text, false
	}
	return b.Bytes(), true
}

// Unpack returns the bytes that Pack has compressed.
func Unpack(packed []byte) ([]byte, error) {
	r := flate.NewReader(bytes.NewReader(packed))
	defer r.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("a compressed text is damaged: %w", err)
	}
	return text, nil
}
