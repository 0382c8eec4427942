package vectors

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

// A file is a header and records of one size. The header is the magic, the number of
// dimensions, whether the set has been whole, and the space with its length before it. A
// record is a key, a checksum, and the vector.
const (
	magic      = "PLKVEC01"
	fixedBytes = len(magic) + 4 + 1 + 2
	keyBytes   = len(Key{})
	sumBytes   = 4
)

// maxDimensions is more than models have.
const maxDimensions = 1 << 14

type header struct {
	dimensions int // 0 until there is a vector
	complete   bool
	space      string
}

func (h *header) encode() []byte {
	data := binary.LittleEndian.AppendUint32([]byte(magic), uint32(h.dimensions))
	complete := byte(0)
	if h.complete {
		complete = 1
	}
	data = binary.LittleEndian.AppendUint16(append(data, complete), uint16(len(h.space)))
	return append(data, h.space...)
}

func (h *header) write(out io.Writer) error {
	_, err := out.Write(h.encode())
	return err
}

func (h *header) bytes() int64 { return int64(fixedBytes + len(h.space)) }

func (h *header) recordBytes() int { return keyBytes + sumBytes + h.dimensions }

// at is where the record of a slot begins.
func (h *header) at(slot int) int64 { return h.bytes() + int64(slot)*int64(h.recordBytes()) }

// words is how many words the bits of a vector take.
func (h *header) words() int { return (h.dimensions + 63) / 64 }

// errNoSet says that a file is no set of vectors, or none of this program's.
var errNoSet = errors.New("this is no file of vectors: delete it to have them made anew")

// ReadSpace returns the space of the vectors in a file.
func ReadSpace(r io.Reader) (space string, err error) {
	fixed := make([]byte, fixedBytes)
	if _, err := io.ReadFull(r, fixed); err != nil || string(fixed[:len(magic)]) != magic {
		return "", errNoSet
	}
	name := make([]byte, binary.LittleEndian.Uint16(fixed[fixedBytes-2:]))
	if _, err := io.ReadFull(r, name); err != nil {
		return "", errNoSet
	}
	return string(name), nil
}

func (s *Set) readHeader() error {
	space, err := ReadSpace(io.NewSectionReader(s.file, 0, math.MaxInt64))
	if err == nil && space != s.head.space {
		err = fmt.Errorf("its vectors are those of %s", space)
	}
	var fixed [fixedBytes]byte
	if err == nil {
		_, err = s.file.ReadAt(fixed[:], 0)
	}
	dimensions := binary.LittleEndian.Uint32(fixed[len(magic):])
	if err == nil && (dimensions == 0 || dimensions > maxDimensions) {
		err = errNoSet
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	s.head.dimensions, s.head.complete = int(dimensions), fixed[len(magic)+4] == 1
	s.end = max(s.end, s.head.bytes())
	return nil
}

// load takes the whole records behind the end.
func (s *Set) load() error {
	size := s.head.recordBytes()
	const atATime = 1 << 20
	in := bufio.NewReaderSize(io.NewSectionReader(s.file, s.end, math.MaxInt64-s.end), atATime)
	record := make([]byte, size)
	for {
		_, err := io.ReadFull(in, record)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || err == nil && !whole(record) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading %s: %w", s.path, err)
		}
		s.take(record)
	}
}

// take notes whole records that the file has at its end.
func (s *Set) take(records []byte) {
	size := s.head.recordBytes()
	if s.slots == nil {
		s.slots = map[Key]int32{}
	}
	for ; len(records) > 0; records = records[size:] {
		k := Key(records[:keyBytes])
		s.slots[k] = int32(len(s.keys))
		s.keys = append(s.keys, k)
		s.codes = appendSigns(s.codes, records[keyBytes+sumBytes:size])
		s.end += int64(size)
	}
}

func appendRecord(data []byte, k Key, vector []byte) []byte {
	data = append(data, k[:]...)
	data = binary.LittleEndian.AppendUint32(data, checksum(k[:], vector))
	return append(data, vector...)
}

func whole(record []byte) bool {
	return binary.LittleEndian.Uint32(record[keyBytes:]) == checksum(record[:keyBytes], record[keyBytes+sumBytes:])
}

// checksum is not zero where all else is, as a loss of power may leave it.
func checksum(key, vector []byte) uint32 {
	return crc32.Update(crc32.ChecksumIEEE(key), crc32.IEEETable, vector)
}
