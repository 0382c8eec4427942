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

// A file is a header and records of equal size. The header is the magic, the number of
// dimensions, a byte that is 1 if the set has been complete, and the space after its
// length. A record is a key, a checksum and the vector. All numbers are little-endian.
const (
	magic         = "PLKVEC01"
	fixedBytes    = len(magic) + 4 + 1 + 2
	keyBytes      = len(Key{})
	checksumBytes = 4
)

// maxDimensions is larger than the number of dimensions of any known model.
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

func (h *header) size() int64 { return int64(fixedBytes + len(h.space)) }

func (h *header) recordBytes() int { return keyBytes + checksumBytes + h.dimensions }

// recordOffset returns where the record of a slot begins in the file.
func (h *header) recordOffset(slot int) int64 { return h.size() + int64(slot)*int64(h.recordBytes()) }

// codeWords returns how many 64-bit words the sign bits of a vector take.
func (h *header) codeWords() int { return (h.dimensions + 63) / 64 }

// errNotASet means that a file is not a vector file, or not one of this version.
var errNotASet = errors.New("not a vector file: delete it to make the vectors again")

// ReadSpace returns the space of the vectors in a file. Vectors can only be compared
// within one space.
func ReadSpace(r io.Reader) (space string, err error) {
	fixed := make([]byte, fixedBytes)
	if _, err := io.ReadFull(r, fixed); err != nil || string(fixed[:len(magic)]) != magic {
		return "", errNotASet
	}
	name := make([]byte, binary.LittleEndian.Uint16(fixed[fixedBytes-2:]))
	if _, err := io.ReadFull(r, name); err != nil {
		return "", errNotASet
	}
	return string(name), nil
}

func (s *Set) readHeader() error {
	space, err := ReadSpace(io.NewSectionReader(s.file, 0, math.MaxInt64))
	if err == nil && space != s.head.space {
		err = fmt.Errorf("it holds the vectors of %s, not of %s: delete it to make them again", space, s.head.space)
	}
	var fixed [fixedBytes]byte
	if err == nil {
		_, err = s.file.ReadAt(fixed[:], 0)
	}
	dimensions := binary.LittleEndian.Uint32(fixed[len(magic):])
	if err == nil && (dimensions == 0 || dimensions > maxDimensions) {
		err = errNotASet
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	s.head.dimensions, s.head.complete = int(dimensions), fixed[len(magic)+4] == 1
	s.end = max(s.end, s.head.size())
	return nil
}

// load reads the valid records after the current end.
func (s *Set) load() error {
	size := s.head.recordBytes()
	const bufferBytes = 1 << 20
	in := bufio.NewReaderSize(io.NewSectionReader(s.file, s.end, math.MaxInt64-s.end), bufferBytes)
	record := make([]byte, size)
	for {
		_, err := io.ReadFull(in, record)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || err == nil && !valid(record) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading %s: %w", s.path, err)
		}
		s.appendRecords(record)
	}
}

// appendRecords adds complete records, which the file holds at its end, to the memory.
func (s *Set) appendRecords(records []byte) {
	size := s.head.recordBytes()
	if s.slots == nil {
		s.slots = map[Key]int32{}
	}
	for ; len(records) > 0; records = records[size:] {
		k := Key(records[:keyBytes])
		s.slots[k] = int32(len(s.keys))
		s.keys = append(s.keys, k)
		s.codes = appendSigns(s.codes, records[keyBytes+checksumBytes:size])
		s.end += int64(size)
	}
}

func appendRecord(data []byte, k Key, vector []byte) []byte {
	data = append(data, k[:]...)
	data = binary.LittleEndian.AppendUint32(data, checksum(k[:], vector))
	return append(data, vector...)
}

func valid(record []byte) bool {
	return binary.LittleEndian.Uint32(record[keyBytes:]) == checksum(record[:keyBytes], record[keyBytes+checksumBytes:])
}

// checksum returns a checksum that is not 0 for a record of zeros, which a loss of power
// may leave.
func checksum(key, vector []byte) uint32 {
	return crc32.Update(crc32.ChecksumIEEE(key), crc32.IEEETable, vector)
}
