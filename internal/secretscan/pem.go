package secretscan

import (
	"regexp"
	"strings"
)

const (
	pemMark         = "-----BEGIN "
	pemLine         = 64       // characters of each line except the last
	maxPEM          = 32 << 10 // bytes of a key; four times the largest in use
	minPartialLines = 2        // consecutive lines that are taken for a key without its first line
)

var (
	privateKey = regexp.MustCompile(`^-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----`)
	encoded    = regexp.MustCompile(`[A-Za-z0-9+/=]{4,}`)
)

// pem returns the encoded lines of private keys. Each line is a separate secret, so
// that lines keep their numbers. The header stays readable.
func pem(text string) (found []Span) {
	for at := 0; ; {
		n := strings.Index(text[at:], pemMark)
		if n < 0 {
			return found
		}
		at += n
		head := privateKey.FindString(text[at:])
		if head == "" {
			at += len(pemMark)
			continue
		}
		at += len(head)
		end := min(len(text), at+maxPEM)
		if n := strings.Index(text[at:end], "-----END"); n >= 0 {
			end = at + n
		}
		found = append(found, encodedPieces(text, at, end)...)
		at = end
	}
}

// encodedPieces returns the encoded pieces in a range of a text, without the words of
// headers.
func encodedPieces(text string, start, end int) (found []Span) {
	for _, m := range encoded.FindAllStringIndex(text[start:end], -1) {
		s := Span{start + m[0], start + m[1]}
		if s.Start > start && text[s.Start-1] == '\\' && text[s.Start] == 'n' {
			s.Start++ // skip the n of an escaped newline
		}
		if s.End-s.Start >= 16 || strings.ContainsAny(text[s.Start:s.End], "0123456789+/=") {
			found = append(found, s)
		}
	}
	return found
}

// partialPEM returns the lines of keys whose first line is missing. Lines of
// certificates look the same.
func partialPEM(text string) (found []Span) {
	if strings.Contains(text, pemMark) || longestRun(text) < pemLine {
		return nil
	}
	var run []Span
	end := func() {
		if len(run) >= minPartialLines {
			found = append(found, run...)
		}
		run = nil
	}
	for at := 0; at < len(text); {
		line := text[at:]
		if n := strings.IndexByte(line, '\n'); n >= 0 {
			line = line[:n]
		}
		code := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		s := Span{at + indent, at + indent + len(code)}
		at += len(line) + 1
		switch bare := strings.TrimRight(code, "="); {
		case len(code) == pemLine && longestRun(code) == pemLine && mixed(code):
			run = append(run, s)
		case len(run) >= minPartialLines && bare != "" && longestRun(bare) == len(bare):
			run = append(run, s) // the last line
			end()
		default:
			end()
		}
	}
	end()
	return found
}

// longestRun returns the length of the longest run of base64 characters, without
// padding.
func longestRun(text string) int {
	longest, run := 0, 0
	for i := range len(text) {
		if c := text[i]; c != '_' && word(c) || c == '+' || c == '/' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return longest
}

// mixed reports whether a text has digits and letters of both cases.
func mixed(text string) bool {
	return strings.ContainsAny(text, "0123456789") && strings.ToLower(text) != text && strings.ToUpper(text) != text
}
