package peer

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

const (
	// maxHeader is the size in bytes of the largest header that is read.
	maxHeader = 1 << 20
	// maxText is the size in bytes of the largest text that is sent or read. No index takes
	// larger ones by default.
	maxText = 16 << 20
)

// The types of messages.
const (
	typeHello     = "hello"
	typeOpen      = "open"
	typeListed    = "listed"
	typeClosed    = "closed"
	typeProposals = "proposals"
	typeAsk       = "ask"
	typeTaken     = "taken"
	typeAnswer    = "answer"
)

// header is the header of each type of message.
type header struct {
	Type string `json:"type"`

	Version int32  `json:"version,omitempty"` // of the protocol in a hello, else of the document
	Program string `json:"program,omitempty"` // the version of the program
	State   string `json:"state,omitempty"`   // names the state folder
	Texts   bool   `json:"texts,omitempty"`   // the sender of the hello wants the texts
	Refused string `json:"refused,omitempty"` // why no messages follow, or why there is no answer

	Path   []byte `json:"path,omitempty"`
	Hidden string `json:"hidden,omitempty"` // why the text does not come

	Proposals []string `json:"proposals,omitempty"`
	Turns     []string `json:"turns,omitempty"`
}

// writeFrame writes a message. Both parts must be within their limits.
func writeFrame(w io.Writer, h *header, text []byte) error {
	data, err := json.Marshal(h)
	if err != nil {
		return err
	}
	frame := make([]byte, 8, 8+len(data))
	binary.BigEndian.PutUint32(frame, uint32(len(data)))
	binary.BigEndian.PutUint32(frame[4:], uint32(len(text)))
	if _, err := w.Write(append(frame, data...)); err != nil || len(text) == 0 {
		return err
	}
	_, err = w.Write(text)
	return err
}

// errProtocol says that the other end sent what is not in the protocol.
var errProtocol = errors.New("the other process sent what is not in the protocol")

// readFrame reads a message. It makes room for a text only as it arrives.
func readFrame(r io.Reader) (h *header, text []byte, err error) {
	var lengths [8]byte
	if _, err := io.ReadFull(r, lengths[:]); err != nil {
		return nil, nil, err
	}
	size, textSize := binary.BigEndian.Uint32(lengths[:]), binary.BigEndian.Uint32(lengths[4:])
	if size > maxHeader || textSize > maxText {
		return nil, nil, fmt.Errorf("%w: a message of %d and %d bytes", errProtocol, size, textSize)
	}
	data, err := readAll(r, int(size))
	if err != nil {
		return nil, nil, err
	}
	h = &header{}
	if err := json.Unmarshal(data, h); err != nil {
		return nil, nil, fmt.Errorf("%w: %v", errProtocol, err)
	}
	text, err = readAll(r, int(textSize))
	return h, text, err
}

// readAll reads exactly n bytes.
func readAll(r io.Reader, n int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(n)))
	if err == nil && len(data) < n {
		err = io.ErrUnexpectedEOF
	}
	return data, err
}
