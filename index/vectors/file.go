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
// dimensions, the number of records when the set was last complete, the space after its
// length, and a checksum. A record is a key, a checksum and the vector. All numbers are
// little-endian.
const (
	magic         = "PLKVEC02"
	fixedBytes    = len(magic) + 4 + 4 + 2
	keyBytes      = len(Key{})
	checksumBytes = 4
)

// Such a file is removed, and its vectors have to be made again.
var (
	errDamaged  = errors.New("damaged vectors") // or those of another space
	errOutdated = errors.New("vectors in an older format")
)

func (s *Set) readHeader() error {
	h, err := readHeader(io.NewSectionReader(s.file, 0, math.MaxInt64))
	if err == nil && h.space != s.head.space {
		err = fmt.Errorf("%w: they belong to %s", errDamaged, h.space)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	s.head = h
	s.end = max(s.end, h.size())
	return nil
}

// load reads the valid records after the current end. It skips damaged records.
func (s *Set) load() error {
	size := s.head.recordBytes()
	const bufferBytes = 1 << 20
	in := bufio.NewReaderSize(io.NewSectionReader(s.file, s.end, math.MaxInt64-s.end), bufferBytes)
	record := make([]byte, size)
	for at := s.end; ; at += int64(size) {
		_, err := io.ReadFull(in, record)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err := s.cut(int(at-s.end) / size)
			s.lost = max(s.lost, s.head.complete-s.stored()) // the file has been cut
			return err
		}
		if err != nil {
			return fmt.Errorf("reading %s: %w", s.path, err)
		}
		if valid(record) {
			s.lost += int(at-s.end) / size
			s.end = at
			s.appendRecords(record)
		}
	}
}

// stored returns the number of records in the file.
func (s *Set) stored() int { return int(s.end-s.head.size()) / s.head.recordBytes() }

// cut removes damaged records at the end of the file, unless another process is just
// writing them. Less than a record is a torn write, and is written over.
func (s *Set) cut(records int) error {
	if records == 0 {
		return nil
	}
	return s.whileLocked(func() error {
		s.lost += records
		return s.file.Truncate(s.end)
	})
}

// appendRecords adds complete records, which the file holds at its end, to the memory.
func (s *Set) appendRecords(records []byte) {
	size := s.head.recordBytes()
	if s.slots == nil {
		s.slots = map[Key]int32{}
	}
	s.sampled = nil
	for ; len(records) > 0; records = records[size:] {
		k := Key(records[:keyBytes])
		s.slots[k] = int32(len(s.keys))
		s.keys = append(s.keys, k)
		s.records = append(s.records, int32((s.end-s.head.size())/int64(size)))
		s.codes = appendSigns(s.codes, records[keyBytes+checksumBytes:size])
		s.end += int64(size)
	}
}

// readRecord reads the record of a slot; ok is false if it is damaged, or lost.
func (s *Set) readRecord(slot int32, record []byte) (ok bool, err error) {
	switch _, err := s.file.ReadAt(record, s.head.recordOffset(s.records[slot])); {
	case errors.Is(err, io.EOF):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("reading %s: %w", s.path, err)
	}
	return valid(record) && Key(record[:keyBytes]) == s.keys[slot], nil
}

// forget removes the keys whose records are damaged, so that the vectors can be added again.
func (s *Set) forget(keys []Key) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refresh(); err != nil {
		return err
	}
	damaged := map[Key]bool{}
	record := make([]byte, s.head.recordBytes())
	for _, k := range keys {
		if slot, known := s.slots[k]; known {
			ok, err := s.readRecord(slot, record)
			if err != nil {
				return err
			}
			damaged[k] = !ok
		}
	}
	words, kept := s.head.codeWords(), 0
	for slot, k := range s.keys {
		if damaged[k] {
			delete(s.slots, k)
			s.lost++
			continue
		}
		s.keys[kept], s.records[kept] = k, s.records[slot]
		copy(s.codes[kept*words:][:words], s.codes[slot*words:])
		s.slots[k] = int32(kept)
		kept++
	}
	s.keys, s.records, s.codes, s.sampled = s.keys[:kept], s.records[:kept], s.codes[:kept*words], nil
	return nil
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
