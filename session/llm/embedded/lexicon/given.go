package lexicon

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Given is what a line gives a name.
type Given struct {
	Name, Value string
	Compared    bool // the line only compares them
	Computed    bool // by a function of that name
	Below       bool // the lines below have the value for where it is unset
}

// value matches a value as it is written: a number, perhaps with its unit or within the call that makes it one, a text,
// a truth value, or none.
const value = `(-?(?:0x[0-9a-fA-F_]+|\.?\d[\d_]*(?:\.\d+)?(?:e-?\d+)?)[a-zA-Z%]*(?:\s*(?:\*\*?|<<)\s*[\w.()]+)*` +
	`|[\w.:]+[({]\s*(?:\w+\s*=\s*)?(?:-?\d[\d_.]*(?:\s*,\s*[\w.:]+)?|"[^"]*"|'[^']*')\s*[)}]|[fbruLR]?"[^"]*"` +
	`|[fbru]?'[^']*'` +
	`|\b(?i:true|false|none|null|nil)\b|[A-Z]\w*(?:\.|::)[A-Z]\w*\b)`

// behindName is what may stand between a name and the sign behind which its value is: quotes, brackets, and its type.
const behindName = `["'` + "`" + `]?[\])}?]*(?:\s*:\s*[^=:;{},()]{1,40}?|\s+(?:[\w.*\[\]]+)(?:<[\w, ]+>)?)?`

// These match what gives a name a value: an assignment, a parameter, a member of a literal, perhaps behind what is used
// instead where it is set; a call with the name as a text, as of a flag; and a macro, a variable of a shell or an
// attribute of a module.
var givens = []*lazyregexp.Regexp{
	lazyregexp.New(`\$\{([A-Za-z_]\w*):[-=]([^}]+)\}`),
	lazyregexp.New(`([A-Za-z_][\w-]*)` + behindName + `\s*(?:=>|:=|=|:)\s*[^=;,]*?(?:\|\||\?\?|\?:|\?[^:?]*:|\bor\b|` +
		`unwrap_or\(|getOrDefault\([^,]*,|\.get\([^,]*,|getenv\([^,]*,|orElse\(|fetch\([^,]*,|env\([^,]*,|` +
		`setting\([^,]*,)\s*` + value),
	lazyregexp.New(`([A-Za-z_][\w-]*)` + behindName + `\s*(?:=>|:=|\|\|=|\?\?=|=|:)\s*(?:Some\(|&|new )?` + value),
	lazyregexp.New(`["']-{0,2}([A-Za-z_][\w.-]*)["'],\s*(?:["']\w?["'],\s*)?` + value + `\s*[,)]`),
	lazyregexp.New(`^\s*(?:#\s*define\s+|@)([A-Za-z_]\w*)\s+\(?` + value),
	lazyregexp.New(`\b([A-Za-z_]\w*)\{` + value + `\};`),
}

var compared = lazyregexp.New(`([A-Za-z_]\w*)(?:\(\))?\s*(?:>=?|===?)\s*(\d[\d_]*)\b`)

// GivenIn returns what a line gives to names, each name once, and what it compares them with.
func GivenIn(line string) (all []Given) {
	seen := map[string]bool{}
	line = trailing.ReplaceAllString(line, "")
	for _, pattern := range givens {
		for rest := line; rest != ""; {
			m := pattern.FindStringSubmatchIndex(rest)
			if m == nil {
				break
			}
			g := Given{Name: rest[m[2]:m[3]], Value: strings.TrimSpace(rest[m[4]:m[5]])}
			if notNames[strings.ToLower(g.Name)] {
				rest = rest[m[3]:] // the name is behind it
				continue
			}
			names := []string{g.Name}
			if behind := typedName.FindStringSubmatch(rest[m[3]:m[4]]); behind != nil {
				names = append(names, behind[1])
			}
			for _, g.Name = range names {
				if !seen[g.Name] && !comparing.MatchString(rest[m[3]:m[4]]) {
					seen[g.Name] = true
					all = append(all, g)
				}
			}
			rest = rest[m[5]:]
		}
	}
	for _, m := range compared.FindAllStringSubmatch(line, -1) {
		if !seen[m[1]] {
			all = append(all, Given{Name: m[1], Value: m[2], Compared: true})
		}
	}
	return all
}

// trailing matches a comment behind code.
var trailing = lazyregexp.New(`\s+(?:#|//|--|/\*)\s.*$`)

// BelowIn returns the name that a line gives what follows in the lines below, if these have a value for where it is
// unset.
func BelowIn(line string, after []string) (g Given, ok bool) {
	m := opensValue.FindStringSubmatch(line)
	if m == nil {
		return Given{}, false
	}
	var values []string
	falls := false
	for _, l := range after {
		if len(l)-len(strings.TrimLeft(l, " \t")) <= len(line)-len(strings.TrimLeft(line, " \t")) {
			break
		}
		falls = falls || fallsBack.MatchString(l)
		if v := alone.FindStringSubmatch(l); falls && v != nil {
			values = append(values, v[1]+v[2])
		}
	}
	return Given{Name: m[1], Value: strings.Join(values, " or "), Below: true}, len(values) > 0
}

var (
	opensValue = lazyregexp.New(`([A-Za-z_]\w*)(?:\s*:\s*[\w<>]+)?\s*(?:=>|:=|=|:)\s*[\w.$>-]*\(?$`)
	fallsBack  = lazyregexp.New(`unwrap_or\w*\(|\?\?|\|\||\?:|getOrDefault|orElse\(`)
	alone      = lazyregexp.New(`^\s*(?:\?\?|\|\||\?:|=>|return)?\s*` + value + `[,;]?$|(?:unwrap_or|orElse` +
		`|getOrDefault)\((?:[^,()]*,)?\s*` + value + `\)`)
)

// ComputedIn returns the name of the function that a line declares, as one that computes a value.
func ComputedIn(line string) (g Given, ok bool) {
	m := functionHead.FindStringSubmatch(line)
	if m == nil {
		return Given{}, false
	}
	return Given{Name: m[1], Value: "0", Computed: true}, true
}

var functionHead = lazyregexp.New(`^\s*(?:[\w<>]+ )*(?:function|def|fn|fun|func)\s+(?:\([^)]*\)\s*)?(\w+)\s*\(.*\w`)

// comparing matches signs that give nothing.
var comparing = lazyregexp.New(`[=!<>]=|(?:^|[^=])[<>]\s*$`)

// typedName captures the name where the word before it is its type.
var typedName = lazyregexp.New(`^\s+([A-Za-z_]\w*)\s*=\s*$`)

var notNames = SetOf("return if else for while switch case when match const let var val static final public " +
	"private int long string type")

// ofDefault matches names that only say that what follows is a default, such as that of an argument.
var ofDefault = lazyregexp.New(`(?i)^(?:env-?)?default(?:[_-]?(?:value(?:_?t|_os)?|num\w*|int|str\w*|bool|to` +
	`|s))?$|^initial(?:_?value)?$|^fallback$|^unwrap_or$`)

// defaultCall matches a call or an attribute that sets a default, with its value.
var defaultCall = lazyregexp.New(`(?i)\b((?:with_?|set_?)?default(?:_?value(?:_t` +
	`|_os)?)?)\s*\(\s*` + value + `\s*\)|` +
	`\b(default):` + value)

// DefaultIn returns the value of a line that sets the default of what a line around it names; "" for any other line.
func DefaultIn(line string) string {
	for _, g := range GivenIn(line) {
		if ofDefault.MatchString(g.Name) {
			return g.Value
		}
	}
	if m := defaultCall.FindStringSubmatch(line); m != nil {
		return m[2] + m[4]
	}
	return ""
}
