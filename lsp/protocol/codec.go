package protocol

import "go.lsp.dev/protocol"

// Codec encodes the payloads of a connection with the protocol library, which supports
// LSP's union types. It implements jsonrpc2.Codec.
type Codec struct{}

// Marshal encodes v; nil slices become empty arrays.
func (Codec) Marshal(v any) ([]byte, error) { return protocol.Marshal(v) }

// Unmarshal decodes data into v. It does not retain data.
func (Codec) Unmarshal(data []byte, v any) error { return protocol.Unmarshal(data, v) }
