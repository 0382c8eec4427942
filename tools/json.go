package tools

import (
	"bytes"
	"encoding/json"
	"sync"
)

// encode marshals v without escaping HTML, so code stays readable.
func encode(v any) (data json.RawMessage, err error) {
	err = withJSON(v, func(encoded []byte) { data = bytes.Clone(encoded) })
	return data, err
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// withJSON calls use with the JSON of v, which is valid only during the call.
func withJSON(v any, use func(encoded []byte)) error {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	use(bytes.TrimSuffix(buf.Bytes(), []byte("\n")))
	return nil
}

func jsonOf(v any) (text string) {
	if err := withJSON(v, func(encoded []byte) { text = string(encoded) }); err != nil {
		panic("tools: a result has no JSON: " + err.Error())
	}
	return text
}

// decodesAs decodes JSON into v, and reports whether v has all of it.
func decodesAs(content json.RawMessage, v any) bool {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	return decoder.Decode(v) == nil
}
