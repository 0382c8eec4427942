package secretscan

import (
	"regexp"
	"strings"
)

// rule detects one kind of secret by a prefix that begins the secret or comes right
// before it.
type rule struct {
	prefix string
	shape  *regexp.Regexp           // matches from the prefix on; a group, if any, is the secret
	holds  func(secret string) bool // further check; may be nil
}

func shaped(prefix, rest string) rule {
	return rule{prefix: prefix, shape: regexp.MustCompile(`^` + regexp.QuoteMeta(prefix) + rest)}
}

// keys are the formats of keys as their issuers document them.
var keys = []rule{
	shaped("AKIA", `[A-Z0-9]{16}\b`), // AWS
	shaped("ASIA", `[A-Z0-9]{16}\b`),
	shaped("ghp_", `[A-Za-z0-9]{36,}`), // GitHub
	shaped("gho_", `[A-Za-z0-9]{36,}`),
	shaped("ghu_", `[A-Za-z0-9]{36,}`),
	shaped("ghs_", `[A-Za-z0-9]{36,}`),
	shaped("ghr_", `[A-Za-z0-9]{36,}`),
	shaped("github_pat_", `\w{22,}`),
	shaped("glpat-", `[\w-]{20,}`),               // GitLab
	shaped("xox", `[abeoprs]-[A-Za-z0-9-]{10,}`), // Slack
	shaped("xapp-", `\d-[A-Za-z0-9-]{20,}`),
	shaped("hooks.slack.com/services/", `(T\w+/B\w+/\w{16,})`),
	{"sk-", regexp.MustCompile(`^sk-[\w-]{20,}`), random},                 // OpenAI, Anthropic, OpenRouter and others
	{"sk_live_", regexp.MustCompile(`^sk_live_[A-Za-z0-9]{16,}`), random}, // Stripe
	{"sk_test_", regexp.MustCompile(`^sk_test_[A-Za-z0-9]{16,}`), random},
	{"rk_live_", regexp.MustCompile(`^rk_live_[A-Za-z0-9]{16,}`), random},
	shaped("whsec_", `[A-Za-z0-9+/=]{24,}`),
	shaped("AIza", `[\w-]{35}`), // Google
	shaped("GOCSPX-", `[\w-]{28}`),
	shaped("ya29.", `[\w-]{20,}`),
	shaped("npm_", `[A-Za-z0-9]{36}\b`),
	shaped("pypi-AgEI", `[\w-]{50,}`),
	{"hf_", regexp.MustCompile(`^hf_[A-Za-z0-9]{30,}`), nil}, // Hugging Face
	shaped("SG.", `[\w-]{22}\.[\w-]{43}`),                    // SendGrid
	shaped("dop_v1_", `[a-f0-9]{64}`),                        // DigitalOcean
	shaped("shpat_", `[a-fA-F0-9]{32}`),                      // Shopify
	shaped("dapi", `[a-f0-9]{32}\b`),                         // Databricks
	shaped("hvs.", `[\w-]{24,}`),                             // Vault
	shaped("AGE-SECRET-KEY-1", `[A-Z0-9]{58}`),
	shaped("AccountKey=", `([A-Za-z0-9+/]{40,}={0,2})`),                           // Azure
	{"eyJ", regexp.MustCompile(`^eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}`), nil}, // JSON Web Tokens
	{"://", regexp.MustCompile(`^://[^\s/:@"'<>]*:([^\s/@"'<>{}()\[\]&;$%]{6,})@`), irregular},
}

// names are parts of lower-case names to which secrets are assigned. weak also
// accepts a word with digits, as in many passwords.
var names = []struct {
	part string
	weak bool
}{
	{"password", true}, {"passwd", true}, {"passphrase", true}, {"pwd", true},
	{"secret", false}, {"token", false}, {"credential", false},
	{"api_key", false}, {"apikey", false}, {"api-key", false},
	{"access_key", false}, {"accesskey", false}, {"access-key", false},
	{"private_key", false}, {"privatekey", false}, {"private-key", false},
	{"bearer", false},
}

var (
	// quoted matches the text after a name: the rest of the name, a type, and a string
	// literal that may be cut off.
	quoted = regexp.MustCompile("^[\\w-]{0,30}[\"'`]?\\]?(?:\\s*:\\s*[&*]?\\w+|[ \\t]+\\w+)?[ \\t]*(?::=|=>|:|=)[ \\t]*[a-zA-Z]{0,2}[\"'`]([^\\s\"'`…\\x{fffd}]{8,256})(?:[\"'`…]|$)")
	// unquoted matches the value of a setting on a line of its own.
	unquoted = regexp.MustCompile("^[\\w-]{0,30}[ \\t]*[:=][ \\t]*([^\\s\"'`(){}\\[\\]<>;,\\\\\\x{fffd}]{8,256})[ \\t]*\\r?(?:\\n|$)")
	// expression matches expressions of programming languages, which are not secrets.
	expression = regexp.MustCompile(`^[*&!]?\w+(?:\.\w+)+$`)
	// inQuery matches a value in a URL or a connection string.
	inQuery = regexp.MustCompile("^\\w{0,30}=([^\\s\"'`(){}\\[\\]<>;,&\\\\\\x{fffd}]{8,256})")
	// inHeader matches the text after "bearer" in an HTTP header.
	inHeader = regexp.MustCompile(`^[ \t]+([\w.~+/=-]{20,})`)
)

// find returns the secrets in a text, unsorted and possibly overlapping.
func find(text string) []Span {
	var found []Span
	for i := range keys {
		found = append(found, keys[i].find(text)...)
	}
	found = append(found, assigned(text)...)
	return append(append(found, pem(text)...), partialPEM(text)...)
}

// Suspicious is a fast check that reports whether Find may find a secret.
func Suspicious(text string) bool {
	for i := range keys {
		if strings.Contains(text, keys[i].prefix) {
			return true
		}
	}
	lower := lowered(text)
	for i := range names {
		if strings.Contains(lower, names[i].part) {
			return true
		}
	}
	return strings.Contains(text, pemMark) || longestRun(text) >= pemLine
}

func (r *rule) find(text string) (found []Span) {
	for at := 0; ; {
		n := strings.Index(text[at:], r.prefix)
		if n < 0 {
			return found
		}
		start := at + n
		at = start + len(r.prefix)
		if !wordStarts(text, start) {
			continue
		}
		m := r.shape.FindStringSubmatchIndex(text[start:])
		if m == nil {
			continue
		}
		s := Span{start + m[len(m)-2], start + m[len(m)-1]}
		if r.holds == nil || r.holds(text[s.Start:s.End]) {
			found, at = append(found, s), s.End
		}
	}
}

// assigned returns the values that are assigned to names.
func assigned(text string) (found []Span) {
	lower := lowered(text)
	for _, name := range names {
		for at := 0; ; {
			n := strings.Index(lower[at:], name.part)
			if n < 0 {
				break
			}
			start := at + n
			at = start + len(name.part)
			value, ok := valueOf(text, start, at)
			if ok && mayBeSecret(text[value.Start:value.End], name.weak) {
				found, at = append(found, value), value.End
			}
		}
	}
	return found
}

// valueOf returns the value assigned to the name whose part from start to end was
// found.
func valueOf(text string, start, end int) (value Span, ok bool) {
	for _, shape := range assignments(text, start, end) {
		m := shape.FindStringSubmatchIndex(text[end:])
		if m == nil || shape == unquoted && expression.MatchString(text[end+m[2]:end+m[3]]) {
			continue
		}
		return Span{end + m[2], end + m[3]}, true
	}
	return Span{}, false
}

// assignments returns the patterns that may match after a name.
func assignments(text string, start, end int) []*regexp.Regexp {
	if strings.EqualFold(text[start:end], "bearer") {
		return []*regexp.Regexp{inHeader}
	}
	line := text[end:min(len(text), end+longName)]
	if n := strings.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	if !strings.ContainsAny(line, ":=") { // rules out most prose about tokens
		return nil
	}
	shapes := []*regexp.Regexp{quoted}
	if aloneOnLine(text, start) {
		shapes = append(shapes, unquoted)
	}
	for start > 0 && (word(text[start-1]) || text[start-1] == '-') {
		start--
	}
	if start > 0 && strings.IndexByte("?&;\"'", text[start-1]) >= 0 {
		shapes = append(shapes, inQuery)
	}
	return shapes
}

const longName = 200 // bytes: a line with a longer beginning is not a setting

// aloneOnLine reports whether only words and blanks come before an offset on its
// line.
func aloneOnLine(text string, at int) bool {
	line := text[max(0, at-longName):at]
	if n := strings.LastIndexByte(line, '\n'); n >= 0 {
		line = line[n+1:]
	} else if at > longName {
		return false
	}
	return strings.IndexFunc(line, func(r rune) bool { return r > 127 || !word(byte(r)) && strings.IndexByte(".- \t", byte(r)) < 0 }) < 0
}

// lowered returns text with ASCII letters in lower case; offsets don't change.
func lowered(text string) string {
	lower := []byte(text)
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return string(lower)
}
