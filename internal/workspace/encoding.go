package workspace

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding"
)

// ByteOrderMark is the byte order mark in UTF-8. It precedes the text of a File with BOM, in
// the file's charset.
const ByteOrderMark = "\xef\xbb\xbf"

// Encoding is how a file stores its text. The zero value is UTF-8 without a byte order mark.
type Encoding struct {
	BOM     bool   // the file begins with a byte order mark
	Charset string `json:",omitempty"` // MIME name; "" for UTF-8
}

// CharacterError is the error for a text with a character that the charset of its file lacks.
type CharacterError struct {
	Character rune
	Charset   string
}

func (e *CharacterError) Error() string {
	return fmt.Sprintf("the encoding of the file, %s, has no character %q (%U)", e.Charset, e.Character, e.Character)
}

// Encode returns the bytes of a text, which it may share. If the charset lacks a character of
// the text, the error is a *CharacterError. UTF-8 stores any bytes as they are.
func (e Encoding) Encode(text []byte) ([]byte, error) {
	if e.BOM {
		text = slices.Concat([]byte(ByteOrderMark), text)
	}
	if e.Charset == "" {
		return text, nil
	}
	charset := charsetNamed(e.Charset)
	if charset == nil {
		return nil, fmt.Errorf("the encoding %s is not supported", e.Charset)
	}
	return encode(charset, e.Charset, text)
}

func encode(charset encoding.Encoding, name string, text []byte) ([]byte, error) {
	if !utf8.Valid(text) {
		return nil, fmt.Errorf("the text is not UTF-8, so it can't be stored as %s", name)
	}
	data, err := charset.NewEncoder().Bytes(text)
	if err == nil {
		return data, nil
	}
	for _, r := range string(text) {
		if _, err := charset.NewEncoder().String(string(r)); err != nil {
			return nil, &CharacterError{r, name}
		}
	}
	return nil, err
}

// EncodeFor is like Encode, and checks that Read would find exactly this text at path.
func (e Encoding) EncodeFor(path string, text []byte) ([]byte, error) {
	data, err := e.Encode(text)
	if err != nil {
		return nil, err
	}
	switch back, _, unclear := decode(path, data); {
	case unclear != "":
		return nil, fmt.Errorf("with this text, the encoding of the file would not be clear: %s", unclear)
	case !bytes.Equal(back, text):
		return nil, fmt.Errorf("with this text, the file would be read in another encoding than %s", e)
	}
	return data, nil
}

// String returns the name of the charset.
func (e Encoding) String() string {
	if e.Charset == "" {
		return "UTF-8"
	}
	return e.Charset
}

// Decode returns the text of a file that has these bytes as [File] has it, and its encoding. If that is not certain,
// unclear says why, and text has the bytes as they are.
func Decode(path string, data []byte) (text []byte, e Encoding, unclear string) {
	return decode(path, data)
}

// decode returns the text of a file as UTF-8, and its encoding, which stores the text as exactly
// these bytes. If the encoding is not certain, unclear says why, and text has the bytes as they
// are.
func decode(path string, data []byte) (text []byte, e Encoding, unclear string) {
	switch {
	case bytes.HasPrefix(data, []byte(ByteOrderMark)):
		text = data[len(ByteOrderMark):]
		return text, Encoding{BOM: true}, notUTF8(text, "it begins with the byte order mark of UTF-8")
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return decodeUTF16(data, "UTF-16LE")
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return decodeUTF16(data, "UTF-16BE")
	}
	if charset := utf16WithoutMark(data); charset != "" {
		return decodeUTF16(data, charset)
	}
	name, charset := declaredCharset(path, data)
	switch valid := utf8.Valid(data); {
	case charset == "" && valid:
		return data, Encoding{}, ""
	case charset == "UTF-8":
		return data, Encoding{}, notUTF8(data, "it declares "+name)
	case charset != "" && valid && !ascii(data):
		return data, Encoding{}, fmt.Sprintf("it declares %s, but its bytes are UTF-8", name)
	case charset != "":
		return decodeExactly(data, charset)
	case name != "":
		return data, Encoding{}, fmt.Sprintf("it declares %s, which is not supported", name)
	}
	if charset, unclear = guessCharset(data); unclear != "" {
		return data, Encoding{}, unclear
	}
	return decodeExactly(data, charset)
}

// notUTF8 says why a text that should be UTF-8 is unclear; "" if it is UTF-8.
func notUTF8(text []byte, why string) string {
	if at := firstInvalid(text); at < len(text) {
		return fmt.Sprintf("%s, but line %d is not UTF-8", why, 1+bytes.Count(text[:at], []byte("\n")))
	}
	return ""
}

// firstInvalid returns the offset of the first byte that is not UTF-8, else the text's length.
func firstInvalid(text []byte) int {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return len(text)
}

func ascii(data []byte) bool {
	return !slices.ContainsFunc(data, func(c byte) bool { return c >= utf8.RuneSelf })
}

// decodeExactly decodes data, if encoding the result gives the same bytes.
func decodeExactly(data []byte, name string) (text []byte, e Encoding, unclear string) {
	charset := charsetNamed(name)
	text, err := charset.NewDecoder().Bytes(data)
	if err == nil {
		var back []byte
		if back, err = encode(charset, name, text); err == nil && bytes.Equal(back, data) {
			return text, Encoding{Charset: name}, ""
		}
	}
	return data, Encoding{}, fmt.Sprintf("it seems to be %s, but has bytes that do not exist there", name)
}

func decodeUTF16(data []byte, charset string) (text []byte, e Encoding, unclear string) {
	text, e, unclear = decodeExactly(data, charset)
	if unclear == "" {
		text, e.BOM = bytes.CutPrefix(text, []byte(ByteOrderMark))
	}
	return text, e, unclear
}
