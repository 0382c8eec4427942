package secretscan

import (
	"encoding/base64"
	"strconv"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

const (
	pemMark         = "-----BEGIN "
	pemLine         = 64       // characters of each line except the last
	sshLine         = 70       // likewise, of OpenSSH's format
	maxPEM          = 32 << 10 // bytes of a key; four times the largest in use
	maxJWK          = 4 << 10  // bytes before and after the type of a key in JSON
	minPartialLines = 2        // consecutive lines that are taken for a key without its first line
)

var (
	privateKey = lazyregexp.New(`^-----BEGIN (?:[A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----`)
	ssh2Key    = lazyregexp.New(`^---- BEGIN SSH2 [A-Z ]*PRIVATE KEY ----`)
	keyHeader  = lazyregexp.New(`^[A-Za-z][A-Za-z0-9-]*: ?[^\n\\]*`)
	keyPart    = lazyregexp.New(`^[A-Za-z0-9+/=]+`)
	puttyLines = lazyregexp.New(`^Private-Lines: (\d{1,3})\r?\n`)
	puttyMAC   = lazyregexp.New(`^Private-(?:MAC|Hash): ([0-9a-f]{32,})`)
	jwkMember  = lazyregexp.New(`\\?"(?:d|p|q|dp|dq|qi|k)\\?"\s*:\s*\\?"([\w-]{16,})`)
	xmlMember  = lazyregexp.New(`<(?:D|P|Q|DP|DQ|InverseQ)>([A-Za-z0-9+/=]{16,})<`)
)

func keyTriggers() []trigger {
	return []trigger{
		{word: pemMark, find: func(text string, at int) []Span { return armored(text, at, privateKey) }},
		{word: "---- BEGIN SSH2", find: func(text string, at int) []Span { return armored(text, at, ssh2Key) }},
		{word: "Private-Lines: ", find: putty},
		{word: "Private-MAC: ", find: groupOf(puttyMAC)},
		{word: "Private-Hash: ", find: groupOf(puttyMAC)},
		{word: `"kty`, find: jwk},
		{word: "<RSAKeyValue>", find: func(text string, at int) []Span {
			end := strings.Index(text[at:min(len(text), at+maxJWK)], "</RSAKeyValue>")
			return members(text, at, at+max(end, 0), xmlMember)
		}},
	}
}

// groupOf returns a function that finds the group of a shape.
func groupOf(shape *lazyregexp.Regexp) func(text string, at int) []Span {
	return func(text string, at int) []Span {
		m := shape.FindStringSubmatchIndex(text[at:min(len(text), at+longestKey)])
		if m == nil {
			return nil
		}
		return []Span{{at + m[2], at + m[3]}}
	}
}

// members returns the groups of all matches of a shape in a range.
func members(text string, start, end int, shape *lazyregexp.Regexp) (found []Span) {
	for _, m := range shape.FindAllStringSubmatchIndex(text[start:end], -1) {
		found = append(found, Span{start + m[2], start + m[3]})
	}
	return found
}

// jwk returns the private members of the key in JSON around an offset.
func jwk(text string, at int) []Span {
	start := max(at-maxJWK, 0)
	start += max(strings.LastIndexByte(text[start:at], '{'), 0)
	if strings.Contains(text[start:at], `"kty`) {
		return nil // of an object that has been looked at
	}
	end := min(at+maxJWK, len(text))
	if n := strings.IndexByte(text[at:end], '}'); n >= 0 {
		end = at + n
	}
	return members(text, start, end, jwkMember)
}

// encodedPEM reports whether base64 encodes a private key in PEM.
func encodedPEM(encoded string) bool {
	text, err := base64.RawStdEncoding.DecodeString(encoded[:min(len(encoded)/4*4, 64)])
	return err == nil && privateKey.Match(text)
}

// putty returns the private lines of a key of PuTTY.
func putty(text string, at int) (found []Span) {
	m := puttyLines.FindStringSubmatchIndex(text[at:min(len(text), at+longName)])
	if m == nil {
		return nil
	}
	lines, _ := strconv.Atoi(text[at+m[2] : at+m[3]])
	at += m[1]
	for range lines {
		part := keyPart.FindString(text[at:])
		if part == "" {
			break
		}
		found = append(found, Span{at, at + len(part)})
		at += len(part)
		for at < len(text) && strings.IndexByte(" \t\r\n", text[at]) >= 0 {
			at++
		}
	}
	return found
}

// armored returns the encoded lines of the private key whose first line is at an offset.
// Each is a separate secret, so that lines keep their numbers. The headers stay readable.
func armored(text string, at int, head *lazyregexp.Regexp) (found []Span) {
	first := head.FindString(text[at:min(len(text), at+longName)])
	if first == "" {
		return nil
	}
	at += len(first)
	text = text[:min(len(text), at+maxPEM)]
	for {
		at = skipJoints(text, at)
		if header := keyHeader.FindString(text[at:]); header != "" {
			at += len(header)
			continue
		}
		part := keyPart.FindString(text[at:])
		if part == "" {
			return found
		}
		next := at + len(part)
		if encodedPart(part) || strings.HasPrefix(text[skipJoints(text, next):], "-----END") {
			found = append(found, Span{at, next})
		} else if strings.Trim(part, "+/") != "" {
			return found
		}
		at = next
	}
}

// encodedPart reports whether a word is a part of a key, and not of a language.
func encodedPart(part string) bool {
	return len(part) >= 16 || len(part) >= 4 && strings.ContainsAny(part, "0123456789+/=")
}

// skipJoints returns the offset after what joins the lines of a key in a source text: white
// space, escapes of it, quotes, and signs of concatenation and comments.
func skipJoints(text string, at int) int {
	for at < len(text) {
		switch {
		case text[at] == '\\' && at+1 < len(text) && escapeLetter(text[at+1]):
			at += 2
		case strings.IndexByte(" \t\r\n\"'`\\,|>#*&.", text[at]) >= 0, text[at] == '+' && at+1 < len(text) &&
			strings.IndexByte(" \t\r\n", text[at+1]) >= 0:
			at++
		default:
			return at
		}
	}
	return at
}

// partialPEM returns the lines of keys whose first line is missing. Lines of
// certificates look the same, unless their first line is there.
func partialPEM(text string) (found []Span) {
	if strings.Contains(text, pemMark) || !hasRun(text, pemLine) {
		return nil
	}
	var run []Span
	armor := false // the line before the run is a mark
	end := func() {
		if len(run) >= minPartialLines && !armor {
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
		case keyLine(code) && (len(run) == 0 || run[0].End-run[0].Start == len(code)):
			run = append(run, s)
		case len(run) >= minPartialLines && bare != "" && hasRun(bare, len(bare)):
			run = append(run, s) // the last line
			end()
		default:
			end()
			armor = strings.Contains(code, "-----")
		}
	}
	end()
	return found
}

// keyLine reports whether a line has the length of those of a key and looks encoded.
func keyLine(line string) bool {
	n := len(line)
	return (n == pemLine || n == sshLine) && hasRun(line, n) && mixed(line)
}

// hasRun reports whether a text has a run of n base64 characters, without padding.
func hasRun(text string, n int) bool {
	for last := n - 1; last < len(text); { // the last place of the next run
		first := last
		for first > last-n && base64Character(text[first]) {
			first--
		}
		if first == last-n {
			return true
		}
		last = first + n
	}
	return false
}

func base64Character(c byte) bool { return c != '_' && word(c) || c == '+' || c == '/' }

// mixed reports whether a text has digits and letters of both cases.
func mixed(text string) bool {
	return strings.ContainsAny(text, "0123456789") && strings.ToLower(text) != text && strings.ToUpper(text) != text
}
