package secretscan

import (
	"encoding/base64"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"ploke-lsp/internal/lazyregexp"
)

// Minimum entropy of secrets in bits per byte. English words of eight or more letters
// have about 2.8, random strings of the same alphabet 3 or more.
const (
	minBits     = 2.7
	minLongBits = 3.2 // for 20 or more bytes, if they are not hexadecimal
)

var (
	// compound matches identifiers, file names and versions: words with few digits.
	compound = lazyregexp.New(`^[\W_]*[A-Za-z]*\d{0,4}(?:[\W_]+(?:[A-Za-z]+\d{0,4}|\d{1,4}))*[\W_]*$`)
	// simple is a word with digits.
	simple = lazyregexp.New(`^[A-Za-z]+\d{1,4}$`)
	// number matches numbers that have letters.
	number = lazyregexp.New(`^-?0[xX][0-9a-fA-F]{1,16}$|^[-+]?[\d.]+[eE][-+]?\d+$`)
	// file matches paths of files.
	file = lazyregexp.New(`^(?:~|\.{1,2})?(?:/[\w.@-]*)+$`)
)

// mayBeSecret reports whether a value may be a secret: it is irregular, and not a
// word, name, path or template. weak also allows a word with digits.
func mayBeSecret(value string, weak bool) bool {
	switch {
	case !irregular(value) || generated(value) || isPath(value):
		return false
	case simple.MatchString(value):
		return weak
	}
	return !compound.MatchString(value)
}

// generated reports whether a value is a placeholder of a secret, a template, a format string
// or another one that is not literal.
func generated(value string) bool {
	for i := range max(len(value)-1, 0) {
		next := value[i+1]
		switch value[i] {
		case '$':
			if i == 0 || next == '{' || next == '(' {
				return true
			}
		case '%':
			if strings.IndexByte("{sdvqx", next) >= 0 {
				return true
			}
		case '{':
			if next == '{' {
				return true
			}
		case '<':
			if 'a' <= next && next <= 'z' {
				return true
			}
		case '\\':
			if strings.IndexByte("xuU", next) >= 0 {
				return true
			}
		case '.', ':':
			if strings.HasPrefix(value[i:], "...") || strings.HasPrefix(value[i:], "://") {
				return true
			}
		}
	}
	lower := strings.ToLower(value)
	return strings.Contains(lower, "ploke_secret") || strings.Contains(lower, "ploke-secret") || number.MatchString(value)
}

// irregular reports whether letters are mixed with other characters, and the entropy
// is that of a random text.
func irregular(value string) bool {
	letters, others := 0, 0
	for _, r := range value {
		switch {
		case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r > 127:
			letters++
		case !strings.ContainsRune("-_./: ", r):
			others++
		}
	}
	least := minBits
	if len(value) >= 20 && strings.Trim(value, "0123456789abcdefABCDEF") != "" {
		least = minLongBits
	}
	return letters > 0 && others > 0 && entropy(value) >= least
}

// random reports whether a key contains a run of letters and digits that looks
// random.
func random(key string) bool {
	for run := range strings.FieldsFuncSeq(key, func(r rune) bool { return r > 127 || r == '_' || !word(byte(r)) }) {
		if len(run) >= 16 && strings.ContainsAny(run, "0123456789") && irregular(run) {
			return true
		}
	}
	return false
}

// entropy returns Shannon's entropy of a text's byte frequencies, in bits per byte.
func entropy(text string) float64 {
	var counts [256]int
	for i := range len(text) {
		counts[text[i]]++
	}
	sum := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(text))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

// isPath reports whether a value is the path of a file: all its names are words.
func isPath(value string) bool {
	if !file.MatchString(value) {
		return false
	}
	for name := range strings.SplitSeq(value, "/") {
		if name != "" && !compound.MatchString(name) {
			return false
		}
	}
	return true
}

// password reports whether a value may be a password, where the context says that there is
// one.
func password(value string) bool { return mayBeSecret(value, true) || unpronounceable(value) }

// inURL is like password, but also takes what could be a path or a name.
func inURL(value string) bool { return irregular(value) || unpronounceable(value) }

// generatedPassword reports whether a value looks like a generated password, where the
// context does not say that there is one.
func generatedPassword(value string) bool { return mayBeSecret(value, false) && mixed(value) }

// numeric reports whether a value consists of digits in no order.
func numeric(value string) bool {
	return len(value) >= 8 && strings.Trim(value, "0123456789") == "" && entropy(value) >= 2.4
}

// credentials reports whether base64 after the word Basic may encode a user's name and a
// password, or what looks random.
func credentials(encoded string) bool {
	text, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(encoded, "="))
	if _, secret, ok := strings.Cut(string(text),
		":"); ok && err == nil && strings.IndexFunc(string(text), unicode.IsControl) < 0 && utf8.Valid(text) {
		return inURL(secret)
	}
	return entropy(encoded) >= 0.9*math.Log2(float64(min(len(encoded), 64)))
}

// mixedWord reports whether a value has digits among letters of both cases, or is long and
// has digits.
func mixedWord(value string) bool {
	return mixed(value) || len(value) >= 20 && strings.ContainsAny(value, "0123456789") && irregular(value)
}

// classes returns how many of these a value has: small and capital letters, digits, and
// other characters.
func classes(value string) int {
	n := 0
	for _, class := range []string{"abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789", "!@#$%^&*()-_[]{}<>~+=,.;:/?|"} {
		if strings.ContainsAny(value, class) {
			n++
		}
	}
	return n
}

// followers has for each letter those that often follow it in words of programs: the 300 most
// frequent of 676 pairs. Nine of ten random words of ten letters have at least a quarter others.
var followers = [26]string{
	"abcdefgiklmnpqrstuvwxy", "abcdefilorsuy", "abcdefghiklmoprstu", "abcdefilorsuv", "abcdefgilmnopqrstvwxy",
	"abcdefilorstu", "acehilnorsu", "aeiort", "abcdefglmnoprstvxz", "", "eis", "acdeilostuy", "abcdeilmopstu",
	"acdefgiklnopstuv", "abcdfgiklmnoprstuvw", "acehiloprstu", "u", "acdefgiklmnoprstuvy", "acdehiklmoprstuy",
	"acdefhilmoprstuy", "abcdefilmnprst", "aeiv", "aeinors", "acefiptx", "mnpst", "e",
}

// unpronounceable reports whether a value consists of random letters of one case.
func unpronounceable(value string) bool {
	if len(value) < 8 || len(value) > 40 || strings.ToLower(value) != value && strings.ToUpper(value) != value {
		return false
	}
	value = strings.ToLower(value)
	rare := 0
	for i := range len(value) {
		if value[i] < 'a' || value[i] > 'z' {
			return false
		}
		if i > 0 && strings.IndexByte(followers[value[i-1]-'a'], value[i]) < 0 {
			rare++
		}
	}
	return rare*4 >= len(value)-1
}

// jumbled reports whether the characters of a value stand in no order of words: at least a quarter
// of the letters that follow each other rarely do, or letters and digits alternate. So it is for 99
// of 100 random values of twenty letters and digits, and for few names, in whatever case.
func jumbled(value string) bool {
	const alternations = 5
	pairs, rare, alternating := 0, 0, 0
	for i := 1; i < len(value); i++ {
		first, second := value[i-1]|0x20, value[i]|0x20
		switch {
		case isLetter(first) && isLetter(second):
			pairs++
			if strings.IndexByte(followers[first-'a'], second) < 0 {
				rare++
			}
		case isLetter(first) && isDigit(value[i]), isDigit(value[i-1]) && isLetter(second):
			alternating++
		}
	}
	return alternating >= alternations || rare*4 >= pairs && pairs*6 >= len(value)
}

// isLetter reports whether c is a small letter.
func isLetter(c byte) bool { return 'a' <= c && c <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// ofSnowflake reports whether a token begins with the base64 of a number, which is the id of its bot.
func ofSnowflake(token string) bool {
	encoded, _, _ := strings.Cut(token, ".")
	id, err := base64.RawStdEncoding.DecodeString(encoded)
	return err == nil && strings.Trim(string(id), decimal) == ""
}
