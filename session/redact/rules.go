package redact

import (
	"regexp"
	"strings"
)

// rule finds secrets of one kind: those that begin with prefix, or have it before them.
type rule struct {
	prefix string
	shape  *regexp.Regexp           // of the text from the prefix on; a group, if it has one, is the secret
	holds  func(secret string) bool // nil: always
}

func shaped(prefix, rest string) rule {
	return rule{prefix: prefix, shape: regexp.MustCompile(`^` + regexp.QuoteMeta(prefix) + rest)}
}

// keys are the shapes of keys as those who give them out document them.
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

// names are parts of names, in lower case, to which secrets are assigned. Where weak,
// a single word with digits may be one: people choose passwords so.
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
	// quoted is what follows a name: the rest of it, a type, and a literal. A literal
	// that is cut off is one, too.
	quoted = regexp.MustCompile("^[\\w-]{0,30}[\"'`]?\\]?(?:\\s*:\\s*[&*]?\\w+|[ \\t]+\\w+)?[ \\t]*(?::=|=>|:|=)[ \\t]*[a-zA-Z]{0,2}[\"'`]([^\\s\"'`…\\x{fffd}]{8,256})(?:[\"'`…]|$)")
	// unquoted is the value of a setting that has a line of its own.
	unquoted = regexp.MustCompile("^[\\w-]{0,30}[ \\t]*[:=][ \\t]*([^\\s\"'`(){}\\[\\]<>;,\\\\\\x{fffd}]{8,256})[ \\t]*\\r?(?:\\n|$)")
	// expression is what else may stand there in a programming language.
	expression = regexp.MustCompile(`^[*&!]?\w+(?:\.\w+)+$`)
	// inQuery is one of several values in a URL or a connection string.
	inQuery = regexp.MustCompile("^\\w{0,30}=([^\\s\"'`(){}\\[\\]<>;,&\\\\\\x{fffd}]{8,256})")
	// inHeader is what follows "bearer" in an HTTP header.
	inHeader = regexp.MustCompile(`^[ \t]+([\w.~+/=-]{20,})`)
)

// find returns the secrets in a text, in any order, some of them perhaps twice.
func find(text string) []span {
	var found []span
	for i := range keys {
		found = append(found, keys[i].find(text)...)
	}
	found = append(found, assigned(text)...)
	return append(append(found, pem(text)...), partialPEM(text)...)
}

// suspicious reports whether find could find something, for texts that hold many.
func suspicious(text string) bool {
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

func (r *rule) find(text string) (found []span) {
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
		s := span{start + m[len(m)-2], start + m[len(m)-1]}
		if r.holds == nil || r.holds(text[s.start:s.end]) {
			found, at = append(found, s), s.end
		}
	}
}

// assigned finds what is assigned to names.
func assigned(text string) (found []span) {
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
			if ok && mayBeSecret(text[value.start:value.end], name.weak) {
				found, at = append(found, value), value.end
			}
		}
	}
	return found
}

// valueOf returns the value that is given to the name of which the part from start
// to end was found.
func valueOf(text string, start, end int) (value span, ok bool) {
	for _, shape := range assignments(text, start, end) {
		m := shape.FindStringSubmatchIndex(text[end:])
		if m == nil || shape == unquoted && expression.MatchString(text[end+m[2]:end+m[3]]) {
			continue
		}
		return span{end + m[2], end + m[3]}, true
	}
	return span{}, false
}

// assignments are the shapes that what follows a name may have.
func assignments(text string, start, end int) []*regexp.Regexp {
	if strings.EqualFold(text[start:end], "bearer") {
		return []*regexp.Regexp{inHeader}
	}
	line := text[end:min(len(text), end+longName)]
	if n := strings.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	if !strings.ContainsAny(line, ":=") { // most lines that tell of tokens
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

const longName = 200 // bytes: a line that is longer than that before the value sets nothing

// aloneOnLine reports whether nothing but words stand on the line before a place.
func aloneOnLine(text string, at int) bool {
	line := text[max(0, at-longName):at]
	if n := strings.LastIndexByte(line, '\n'); n >= 0 {
		line = line[n+1:]
	} else if at > longName {
		return false
	}
	return strings.IndexFunc(line, func(r rune) bool { return r > 127 || !word(byte(r)) && strings.IndexByte(".- \t", byte(r)) < 0 }) < 0
}

// lowered is a text with ASCII's letters in lower case, byte for byte.
func lowered(text string) string {
	lower := []byte(text)
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return string(lower)
}
