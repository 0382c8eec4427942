package workspace

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"

	"ploke-lsp/internal/lazyregexp"
)

// charsetNamed returns a charset by its MIME name, nil if it is not supported.
func charsetNamed(name string) encoding.Encoding {
	charset, err := ianaindex.MIME.Encoding(name)
	if err != nil {
		return nil
	}
	return charset
}

// declarationBytes is how far into a file a declaration of its charset is looked for, as in
// browsers.
const declarationBytes = 1024

var (
	xmlDeclaration = lazyregexp.New(`\A<\?xml[^>]*?\sencoding\s*=\s*["']([-\w.:]+)`)
	cssDeclaration = lazyregexp.New(`\A@charset "([-\w.:]+)";`)
	metaElement    = lazyregexp.New(`(?i)<meta\s[^>]*?charset\s*=\s*["']?\s*([-\w.:]+)`)
	// codingComment is what Python, Ruby, Emacs and Vim read in the first two lines.
	codingComment = lazyregexp.New(`(?m)^(?:[ \t\f]*#|[^\n]*(?:-\*-|vim?:))[^\n]*?coding[:=][ \t]*([-\w.]+)`)
	htmlSuffixes  = []string{".html", ".htm", ".xhtml", ".shtml"}
)

// declaredCharset returns the charset that a file names in its text, as it is written there and
// by its MIME name. The latter is "" if it is not supported. Both are "" if the file names none,
// or names one in which it can't have named it.
func declaredCharset(path string, data []byte) (name, charset string) {
	head := data[:min(len(data), declarationBytes)]
	suffix := strings.ToLower(filepath.Ext(path))
	var found [][]byte
	browser := false
	switch {
	case bytes.HasPrefix(head, []byte("<?xml")):
		found = xmlDeclaration.FindSubmatch(head)
	case suffix == ".css":
		found, browser = cssDeclaration.FindSubmatch(head), true
	case slices.Contains(htmlSuffixes, suffix):
		found, browser = metaElement.FindSubmatch(head), true
	case bytes.Contains(head, []byte("coding")):
		found = codingComment.FindSubmatch(firstTwoLines(head))
	}
	if found == nil {
		return "", ""
	}
	name = string(found[1])
	charset = mimeName(name, browser)
	if strings.HasPrefix(charset, "UTF-16") {
		return "", ""
	}
	return name, charset
}

func firstTwoLines(text []byte) []byte {
	lines := bytes.SplitAfterN(text, []byte("\n"), 3)
	return bytes.Join(lines[:min(len(lines), 2)], nil)
}

var (
	lineEndSuffix = lazyregexp.New(`-(unix|dos|mac)$`) // as Emacs writes them
	isoCharset    = lazyregexp.New(`^(?:iso[-_]?)?(8859|latin)[-_]?(\d+)$`)
)

// mimeName returns the MIME name of a charset that a file names, "" if it is not supported.
// Browsers read ISO-8859-1 as windows-1252.
func mimeName(name string, browser bool) string {
	name = lineEndSuffix.ReplaceAllString(strings.ToLower(name), "")
	if iso := isoCharset.FindStringSubmatch(name); iso != nil {
		name = strings.Replace(iso[1], "8859", "iso-8859-", 1) + iso[2]
	}
	name = cmp.Or(map[string]string{"ascii": "us-ascii", "utf_8": "utf-8"}[name], name)
	var charset encoding.Encoding
	if !browser {
		charset, _ = ianaindex.IANA.Encoding(name)
	}
	if charset == nil {
		charset, _ = htmlindex.Get(name)
	}
	if charset == nil {
		return ""
	}
	mime, err := ianaindex.MIME.Name(charset)
	if err != nil || charsetNamed(mime) == nil {
		return ""
	}
	return mime
}

// guessCharset returns the charset of a file that is not UTF-8 and declares nothing: ISO-8859-1
// or windows-1252, if the text reads like a western language. In other charsets, letters beyond
// ASCII come in long runs.
func guessCharset(data []byte) (charset, unclear string) {
	const longestRun = 2
	charset, run := "ISO-8859-1", 0
	for at := 0; at < len(data); at++ {
		c := data[at]
		if c < utf8.RuneSelf {
			run = 0
			if c == 0 {
				return "", "it has NUL bytes"
			}
			continue
		}
		if r, size := utf8.DecodeRune(data[at:]); r != utf8.RuneError && size > 1 {
			return "", "a part of it is UTF-8, and a part is not"
		}
		if c < 0xa0 {
			charset = "windows-1252"
		}
		r := charmap.Windows1252.DecodeByte(c)
		if run++; run > longestRun || !unicode.IsPrint(r) && r != 0xa0 && r != 0xad {
			return "", "it is not UTF-8, and declares no encoding"
		}
	}
	return charset, ""
}

// utf16WithoutMark returns the charset of a text that is UTF-16 without a byte order mark, if
// most of its characters are ASCII; else "".
func utf16WithoutMark(data []byte) string {
	sample := data[:min(len(data), sampleBytes)&^1]
	if len(data)%2 != 0 || len(sample) < 4 || bytes.IndexByte(sample, 0) < 0 {
		return ""
	}
	var zeros [2]int // at even and at odd offsets
	for i, c := range sample {
		if c == 0 {
			zeros[i%2]++
		}
	}
	charset, high, low := "UTF-16LE", zeros[1], zeros[0]
	if zeros[0] > 0 {
		charset, high, low = "UTF-16BE", zeros[0], zeros[1]
	}
	if low > 0 || high*4 < len(sample) {
		return ""
	}
	if text, _, unclear := decodeExactly(sample, charset); unclear != "" || binary(text) {
		return ""
	}
	return charset
}
