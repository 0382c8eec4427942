package scip

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// MaxPart is how many bytes a part may have that is read. A document of 100,000 lines has about 20 MB.
const MaxPart = 64 << 20

// A PartKind is what a part of an index is.
type PartKind int

// The kinds of parts. Other ones are passed over.
const (
	MetadataPart PartKind = fieldIndexMetadata
	DocumentPart PartKind = fieldIndexDocument
)

// A Part is a message of an index.
type Part struct {
	Kind   PartKind
	Offset int64  // of Data in the file
	Size   int    // of Data in bytes
	Data   []byte // nil if it is longer than [MaxPart]
}

// A Reader reads an index part by part.
type Reader struct {
	in   *bufio.Reader
	at   int64
	data []byte
}

// NewReader returns a reader of what in has, from its beginning.
func NewReader(in io.Reader) *Reader { return &Reader{in: bufio.NewReaderSize(in, 1<<16)} }

// DamagedError says where a file is not an index of SCIP any more, or is cut off.
type DamagedError struct {
	Offset int64 // in bytes
	Reason string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("it is no index of SCIP, or damaged, at byte %d: %s", e.Offset, e.Reason)
}

// Next returns the next part, or io.EOF behind the last one.
func (r *Reader) Next() (Part, error) {
	for {
		began := r.at
		tag, err := r.varint()
		if err == io.EOF && r.at == began {
			return Part{}, io.EOF
		}
		if err != nil {
			return Part{}, r.damaged(err)
		}
		number, kind := protowire.DecodeTag(tag)
		if number < protowire.MinValidNumber {
			return Part{}, &DamagedError{began, "there is no such field"}
		}
		part, err := r.field(number, kind)
		if err != nil {
			return Part{}, r.damaged(err)
		}
		if part.Kind == MetadataPart || part.Kind == DocumentPart {
			return part, nil
		}
	}
}

// field reads a field. Its part has a kind if it is one that is wanted.
func (r *Reader) field(number protowire.Number, kind protowire.Type) (Part, error) {
	switch kind {
	case protowire.VarintType:
		_, err := r.varint()
		return Part{}, err
	case protowire.Fixed32Type:
		return Part{}, r.skip(4)
	case protowire.Fixed64Type:
		return Part{}, r.skip(8)
	case protowire.BytesType:
	default:
		return Part{}, formatError("it has a group")
	}
	size, err := r.varint()
	if err != nil {
		return Part{}, err
	}
	if size > math.MaxInt32 { // as Protocol Buffers has it
		return Part{}, formatError(fmt.Sprintf("it has a part of %d bytes", size))
	}
	part := Part{Kind: PartKind(number), Offset: r.at, Size: int(size)}
	if part.Kind != MetadataPart && part.Kind != DocumentPart || size > MaxPart {
		return part, r.skip(int(size))
	}
	part.Data, err = r.read(int(size))
	return part, err
}

// read reads so many bytes. They take memory only as they come.
func (r *Reader) read(size int) ([]byte, error) {
	const step = 1 << 20
	r.data = r.data[:0]
	for len(r.data) < size {
		had := len(r.data)
		more := min(size-had, max(step, had))
		if cap(r.data) < had+more {
			r.data = append(make([]byte, 0, had+more), r.data...)
		}
		n, err := io.ReadFull(r.in, r.data[had:had+more])
		r.data, r.at = r.data[:had+n], r.at+int64(n)
		if err != nil {
			return nil, err
		}
	}
	return r.data, nil
}

func (r *Reader) skip(size int) error {
	n, err := r.in.Discard(size)
	r.at += int64(n)
	return err
}

func (r *Reader) varint() (v uint64, err error) {
	for shift := 0; shift < 64; shift += 7 {
		b, err := r.in.ReadByte()
		if err != nil {
			return 0, err
		}
		r.at++
		if v |= uint64(b&0x7f) << shift; b < 0x80 {
			return v, nil
		}
	}
	return 0, formatError("it has a number that is too long")
}

// damaged tells a file that ends too early, or that makes no sense, from one that can't be read.
func (r *Reader) damaged(err error) error {
	reason := formatError("")
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &DamagedError{r.at, "it ends within a part"}
	case errors.As(err, &reason):
		return &DamagedError{r.at, err.Error()}
	}
	return err
}

// A formatError is what is wrong with the bytes of a message.
type formatError string

func (e formatError) Error() string { return string(e) }
