package vectors

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
)

// oldMagic begins a file whose header has no checksum.
const oldMagic = "PLKVEC01"

// maxDimensions is larger than the number of dimensions of any known model.
const maxDimensions = 1 << 14

type header struct {
	dimensions int // 0 until there is a vector
	complete   int // records when it was last complete; 0: never
	space      string
}

func (h *header) encode() []byte {
	data := binary.LittleEndian.AppendUint32([]byte(magic), uint32(h.dimensions))
	data = binary.LittleEndian.AppendUint32(data, uint32(h.complete))
	data = binary.LittleEndian.AppendUint16(data, uint16(len(h.space)))
	data = append(data, h.space...)
	return binary.LittleEndian.AppendUint32(data, crc32.ChecksumIEEE(data))
}

func (h *header) write(out io.Writer) error {
	_, err := out.Write(h.encode())
	return err
}

func (h *header) size() int64 { return int64(fixedBytes + len(h.space) + checksumBytes) }

func (h *header) recordBytes() int { return keyBytes + checksumBytes + h.dimensions }

// recordOffset returns where a record begins in the file, by its number.
func (h *header) recordOffset(n int32) int64 { return h.size() + int64(n)*int64(h.recordBytes()) }

// codeWords returns how many 64-bit words the sign bits of a vector take.
func (h *header) codeWords() int { return (h.dimensions + 63) / 64 }

// ReadSpace returns the space of the vectors in a file. Vectors can only be compared
// within one space.
func ReadSpace(r io.Reader) (space string, err error) {
	h, err := readHeader(r)
	return h.space, err
}

func readHeader(r io.Reader) (h header, err error) {
	fixed := make([]byte, fixedBytes)
	if _, err := io.ReadFull(r, fixed); err != nil {
		return h, fmt.Errorf("%w: no header", errDamaged)
	}
	if string(fixed[:len(magic)]) == oldMagic {
		return h, errOutdated
	}
	rest := make([]byte, int(binary.LittleEndian.Uint16(fixed[fixedBytes-2:]))+checksumBytes)
	if _, err := io.ReadFull(r, rest); err != nil {
		return h, fmt.Errorf("%w: half a header", errDamaged)
	}
	h = header{
		dimensions: int(binary.LittleEndian.Uint32(fixed[len(magic):])),
		complete:   int(binary.LittleEndian.Uint32(fixed[len(magic)+4:])),
		space:      string(rest[:len(rest)-checksumBytes]),
	}
	if string(h.encode()) != string(fixed)+string(rest) || h.dimensions == 0 || h.dimensions > maxDimensions {
		return header{}, fmt.Errorf("%w: a wrong header", errDamaged)
	}
	return h, nil
}
