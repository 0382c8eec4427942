package wire

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A wrongFrame is what a client may send instead of a message.
type wrongFrame struct {
	name, bytes string
	silent      bool // it is no message at all, or could be one: no error has to be told
}

// wrongFrames returns frames that are wrong in one way each.
func wrongFrames() []wrongFrame {
	const body = `{"jsonrpc":"2.0","id":1,"method":"wrong"}`
	const accents = `{"jsonrpc":"2.0","id":1,"method":"wrong","params":{"text":"é è 😀"}}`
	n := len(body)
	length := func(value any) string { return fmt.Sprintf("Content-Length: %v\r\n\r\n%s", value, body) }
	lines := func(header string) string { return header + "\r\n\r\n" + body }
	return []wrongFrame{
		{name: "a fraction", bytes: length("1.5")},
		{name: "a fraction of zero", bytes: length(fmt.Sprintf("%d.0", n))},
		{name: "a negative length", bytes: length(-n)},
		{name: "minus one", bytes: length(-1)},
		{name: "a sign", bytes: length(fmt.Sprintf("+%d", n))},
		{name: "an exponent", bytes: length("4e1")},
		{name: "hexadecimal", bytes: length(fmt.Sprintf("0x%x", n))},
		{name: "an underscore", bytes: length("4_1")},
		{name: "quotes", bytes: length(`"41"`)},
		{name: "a unit", bytes: length(fmt.Sprintf("%d bytes", n))},
		{name: "a list", bytes: length(fmt.Sprintf("%d, %d", n, n))},
		{name: "no value", bytes: length("")},
		{name: "a word", bytes: length("many")},
		{name: "digits of another script", bytes: length("４１")},
		{name: "zero", bytes: length(0)},
		{name: "one", bytes: length(1)},
		{name: "one too few", bytes: length(n - 1)},
		{name: "one too many", bytes: length(n + 1), silent: true}, // right if a line break follows
		{name: "ten too many", bytes: length(n + 10)},
		{name: "twenty-five too many", bytes: length(n + 25)},
		{name: "a thousand too many", bytes: length(n + 1000)},
		{name: "the limit", bytes: length(maxMessageBytes)},
		{name: "over the limit", bytes: length(maxMessageBytes + 1)},
		{name: "the largest int32", bytes: length(1<<31 - 1)},
		{name: "beyond any memory", bytes: length(int64(9e18))},
		{name: "beyond 64 bits", bytes: length("1" + strings.Repeat("0", 30))},
		{name: "two lengths, the first one right", bytes: lines(fmt.Sprintf("Content-Length: %d\r\nContent-Length: 7", n))},
		{name: "two lengths, the second one too long", bytes: lines(fmt.Sprintf("Content-Length: %d\r\nContent-Length: %d", n, n+50))},
		{name: "no length", bytes: lines("Content-Type: application/vscode-jsonrpc")},
		{name: "a misspelt name", bytes: lines(fmt.Sprintf("Content-Lenght: %d", n))},
		{name: "no colon", bytes: lines(fmt.Sprintf("Content-Length %d", n))},
		{name: "a body alone", bytes: body},
		{name: "a line of JSON", bytes: body + "\n"},
		{name: "no blank line", bytes: fmt.Sprintf("Content-Length: %d\r\n%s", n, body)},
		{name: "carriage returns alone", bytes: fmt.Sprintf("Content-Length: %d\r\r%s", n, body)},
		{name: "a byte order mark", bytes: "\ufeff" + length(n)},
		{name: "zero bytes", bytes: "\x00\x00\x00" + length(n)},
		{name: "an HTTP request", bytes: fmt.Sprintf("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", n, body)},
		{name: "UTF-16", bytes: encodeUTF16(length(n))},
		{name: "characters instead of bytes", bytes: fmt.Sprintf("Content-Length: %d\r\n\r\n%s", utf8.RuneCountInString(accents), accents)},
		{name: "UTF-16 units instead of bytes", bytes: fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(utf16.Encode([]rune(accents))), accents)},
		{name: "a header that ends in its name", bytes: "Content-Le"},
		{name: "a header that ends in its length", bytes: "Content-Length: 1"},
		{name: "a header that ends after its line", bytes: "Content-Length: 12\r\n"},
		{name: "a header without body", bytes: "Content-Length: 12\r\n\r\n"},
		{name: "a body that ends early", bytes: fmt.Sprintf("Content-Length: %d\r\n\r\n%s", n, body[:10])},
		{name: "an endless line", bytes: strings.Repeat("x", 1<<20)},
		{name: "a megabyte of lines", bytes: strings.Repeat("x: y\n", 1<<18), silent: true}, // a part of the next header
		{name: "lengths without end", bytes: strings.Repeat("Content-Length: 60000000\r\n\r\n", 1000)},
		{name: "invalid JSON", bytes: framed(`{"jsonrpc":`)},
		{name: "not an object", bytes: framed("17")},
		{name: "two objects", bytes: framed(body + body)},
		{name: "a batch", bytes: framed("[" + body + "]")},
		{name: "an empty message", bytes: framed("")},
		{name: "another version", bytes: framed(`{"jsonrpc":"1.0","id":1,"method":"wrong"}`)},
		{name: "a raw line break in a string", bytes: framed("{\"jsonrpc\":\"2.0\",\"method\":\"a\r\n\r\nb\"}")},
		{name: "blank lines", bytes: "\r\n\r\n\n", silent: true},
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
