package wording

import (
	"bytes"
	"encoding/json"
	"sync"
)

// Encode marshals v without escaping HTML, so code stays readable.
func Encode(v any) (data json.RawMessage, err error) {
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

func JSON(v any) (text string) {
	if err := withJSON(v, func(encoded []byte) { text = string(encoded) }); err != nil {
		panic("wording: a result has no JSON: " + err.Error())
	}
	return text
}

// DecodesAs decodes JSON into v, and reports whether v has all of it.
func DecodesAs(content json.RawMessage, v any) bool {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	return decoder.Decode(v) == nil
}
