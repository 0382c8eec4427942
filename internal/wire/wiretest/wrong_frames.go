// Package wiretest lists what broken clients send, for tests.
package wiretest

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A WrongFrame is what a client may send instead of a message.
type WrongFrame struct {
	Name, Bytes string
	Silent      bool // it could be a part of a message, so there may be no error reply
}

// limit is the server's limit for a message in bytes.
const limit = 64 << 20

// Frame returns a frame with a body.
func Frame(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// WrongFrames returns frames that are wrong in one way each.
func WrongFrames() []WrongFrame {
	const body = `{"jsonrpc":"2.0","id":1,"method":"wrong"}`
	const accents = `{"jsonrpc":"2.0","id":1,"method":"wrong","params":{"text":"é è 😀"}}`
	n := len(body)
	length := func(value any) string { return fmt.Sprintf("Content-Length: %v\r\n\r\n%s", value, body) }
	lines := func(header string) string { return header + "\r\n\r\n" + body }
	return []WrongFrame{
		{Name: "a fraction", Bytes: length("1.5")},
		{Name: "a fraction of zero", Bytes: length(fmt.Sprintf("%d.0", n))},
		{Name: "a negative length", Bytes: length(-n)},
		{Name: "minus one", Bytes: length(-1)},
		{Name: "a sign", Bytes: length(fmt.Sprintf("+%d", n))},
		{Name: "an exponent", Bytes: length("4e1")},
		{Name: "hexadecimal", Bytes: length(fmt.Sprintf("0x%x", n))},
		{Name: "an underscore", Bytes: length("4_1")},
		{Name: "quotes", Bytes: length(`"41"`)},
		{Name: "a unit", Bytes: length(fmt.Sprintf("%d bytes", n))},
		{Name: "a list", Bytes: length(fmt.Sprintf("%d, %d", n, n))},
		{Name: "no value", Bytes: length("")},
		{Name: "a word", Bytes: length("many")},
		{Name: "digits of another script", Bytes: length("４１")},
		{Name: "zero", Bytes: length(0)},
		{Name: "one", Bytes: length(1)},
		{Name: "one too few", Bytes: length(n - 1)},
		{Name: "one too many", Bytes: length(n + 1), Silent: true}, // right if a line break follows
		{Name: "ten too many", Bytes: length(n + 10)},
		{Name: "twenty-five too many", Bytes: length(n + 25)},
		{Name: "a thousand too many", Bytes: length(n + 1000)},
		{Name: "the limit", Bytes: length(limit)},
		{Name: "over the limit", Bytes: length(limit + 1)},
		{Name: "the largest int32", Bytes: length(1<<31 - 1)},
		{Name: "beyond any memory", Bytes: length(int64(9e18))},
		{Name: "beyond 64 bits", Bytes: length("1" + strings.Repeat("0", 30))},
		{Name: "two lengths, the first one right", Bytes: lines(fmt.Sprintf("Content-Length: %d\r\nContent-Length: 7", n))},
		{Name: "two lengths, the second one too long", Bytes: lines(fmt.Sprintf("Content-Length: %d\r\nContent-Length: %d", n, n+50))},
		{Name: "no length", Bytes: lines("Content-Type: application/vscode-jsonrpc")},
		{Name: "a misspelt name", Bytes: lines(fmt.Sprintf("Content-Lenght: %d", n))},
		{Name: "no colon", Bytes: lines(fmt.Sprintf("Content-Length %d", n))},
		{Name: "a body alone", Bytes: body},
		{Name: "a line of JSON", Bytes: body + "\n"},
		{Name: "no blank line", Bytes: fmt.Sprintf("Content-Length: %d\r\n%s", n, body)},
		{Name: "carriage returns alone", Bytes: fmt.Sprintf("Content-Length: %d\r\r%s", n, body)},
		{Name: "a byte order mark", Bytes: "\ufeff" + length(n)},
		{Name: "zero bytes", Bytes: "\x00\x00\x00" + length(n)},
		{Name: "an HTTP request", Bytes: fmt.Sprintf("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", n, body)},
		{Name: "UTF-16", Bytes: encodeUTF16(length(n))},
		{Name: "characters instead of bytes", Bytes: fmt.Sprintf("Content-Length: %d\r\n\r\n%s", utf8.RuneCountInString(accents), accents)},
		{Name: "UTF-16 units instead of bytes", Bytes: fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(utf16.Encode([]rune(accents))), accents)},
		{Name: "a header that ends in its name", Bytes: "Content-Le"},
		{Name: "a header that ends in its length", Bytes: "Content-Length: 1"},
		{Name: "a header that ends after its line", Bytes: "Content-Length: 12\r\n"},
		{Name: "a header without body", Bytes: "Content-Length: 12\r\n\r\n"},
		{Name: "a body that ends early", Bytes: fmt.Sprintf("Content-Length: %d\r\n\r\n%s", n, body[:10])},
		{Name: "an endless line", Bytes: strings.Repeat("x", 1<<18)},
		{Name: "lines without end", Bytes: strings.Repeat("x: y\n", 1<<16), Silent: true}, // a part of the next header
		{Name: "lengths without end", Bytes: strings.Repeat("Content-Length: 60000000\r\n\r\n", 1000)},
		{Name: "invalid JSON", Bytes: Frame(`{"jsonrpc":`)},
		{Name: "not an object", Bytes: Frame("17")},
		{Name: "two objects", Bytes: Frame(body + body)},
		{Name: "a batch", Bytes: Frame("[" + body + "]")},
		{Name: "an empty message", Bytes: Frame("")},
		{Name: "another version", Bytes: Frame(`{"jsonrpc":"1.0","id":1,"method":"wrong"}`)},
		{Name: "a raw line break in a string", Bytes: Frame("{\"jsonrpc\":\"2.0\",\"method\":\"a\r\n\r\nb\"}")},
		{Name: "blank lines", Bytes: "\r\n\r\n\n", Silent: true},
	}
}

func encodeUTF16(text string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		b.WriteByte(byte(unit))
		b.WriteByte(byte(unit >> 8))
	}
	return b.String()
}
