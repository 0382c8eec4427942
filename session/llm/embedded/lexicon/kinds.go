package lexicon

import (
	"slices"
	"strings"
	"unicode"

	"ploke-lsp/internal/lazyregexp"
)

// KindAsked is a question for all things of a kind that code declares, such as handlers, or exit codes.
type KindAsked struct {
	Kind string   // as the question has it
	Ends []string // what the names of such things, or of what lists them, end with, in camel case
}

var kindForms = []*lazyregexp.Regexp{
	lazyregexp.New(`^(?:what|which)(?: are the)?(?: available| possible| different)? ((?:[a-z]+ )?[a-z]+s)(?: (?:are` +
		` (?:there|available|` +
		`defined|supported|possible|built[- ]in)|exist|do we have|can (?:i|we|you|one) use|` +
		`(?:does|do) (?:it|this|the \w+|\S+) (?:have|define|offer|provide|know|come with|support|return|use)))?$`),
	lazyregexp.New(`^(?:list|show|enumerate|name|give|print)(?: me)?(?: all| every)?(?: of)?(?: the)?(?: available|` +
		` possible| ` +
		`existing| supported| built[- ]in)? ((?:[a-z]+ )?[a-z]+s)(?: there are| we have| that exist| it has)?$`),
	lazyregexp.New(`^what are (?:all )?(?:of )?(?:the )?(?:available |possible |supported |built[- ]in |different` +
		` )?((?:[a-z]+ )?[a-z]+s)$`),
	lazyregexp.New(`^how many ((?:[a-z]+ )?[a-z]+s)(?: (?:are there|exist|do we have|does (?:it|this|the \w+) have))?$`),
}

// KindOf returns the kind of which a message asks for all. It reports false for kinds that are asked for otherwise.
func KindOf(message string) (x KindAsked, ok bool) {
	message = strings.ToLower(strings.TrimRight(Plain(message), "?!. "))
	for _, form := range kindForms {
		m := form.FindStringSubmatch(message)
		if m == nil {
			continue
		}
		words := strings.Fields(m[1])
		last := words[len(words)-1]
		if notKinds[last] || Common[last] || Pronouns[last] {
			return x, false
		}
		name := ""
		for _, w := range words[:len(words)-1] {
			if !Common[w] {
				name += capital(singular(w))
			}
		}
		x.Kind = m[1]
		ends := append([]string{capital(singular(last))}, alsoEnds[singular(last)]...)
		for _, end := range ends {
			x.Ends = append(x.Ends, name+end)
		}
		if name != "" && ofValues[last] {
			x.Ends = append(x.Ends, name)
		}
		return x, true
	}
	return x, false
}

// alsoEnds are other words for kinds, as names have them.
var alsoEnds = map[string][]string{"code": {"Status"}, "subcommand": {"SubCommand", "Command", "Cmd", "Commands"},
	"command": {"Cmd"}, "status": {"State", "Code"}, "state": {"Status"}, "error": {"Exception", "ErrorKind"},
	"exception": {"Error"}, "event": {"EventType", "EventKind"}, "type": {"Kind"}, "kind": {"Type"}}

// ofValues are the words for the values of what the word before them names, such as strictness levels.
var ofValues = SetOf("levels modes values kinds types names")

// notKinds are the things of a project that other questions ask for.
var notKinds = SetOf("files folders directories functions methods classes tests todos authors contributors" +
	" commits changes " +
	"variables imports exports modules packages versions licenses tags branches dependencies features flags options" +
	" scripts " +
	"targets tasks examples docs lines languages symbols types structs interfaces people steps things places ways" +
	" uses usages " +
	"callers arguments parameters settings bugs problems issues constants enums traits benchmarks fields members")

func singular(word string) string {
	switch {
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		return word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "xes"), strings.HasSuffix(word, "ches"),
		strings.HasSuffix(word, "uses"):
		return word[:len(word)-2]
	case strings.HasSuffix(word, "ss"), strings.HasSuffix(word, "us"):
		return word
	}
	return strings.TrimSuffix(word, "s")
}

func capital(word string) string {
	if word == "" {
		return ""
	}
	r := []rune(word)
	return string(unicode.ToUpper(r[0])) + string(r[1:])
}

// EnumPattern matches the lines that declare what lists values, by the ends of its name; ClassPattern those that
// declare
// one of the kind.
func (x KindAsked) EnumPattern() string {
	return `^\s*(?:[\w@#\[\]()]+ )*(?:enum(?: class| struct)?|class)\s+\w*(?:` + x.ends() + `)s?\b`
}

// ClassPattern matches the lines that declare a thing of the kind, by the end of its name.
func (x KindAsked) ClassPattern() string {
	return `^\s*(?:(?:export|default|public|abstract|final|pub(?:\([^)]*\))?|open|sealed|data|readonly|internal` +
		`|static) )*` +
		`(?:class|struct|object|record|type)\s+\w+(?:` + x.Ends[0] + `)\b`
}

func (x KindAsked) ends() string { return strings.Join(slices.Clone(x.Ends), "|") }

// IsEnum reports whether a line declares an enumeration.
func IsEnum(line string) bool { return enumHead.MatchString(line) }

// DeclaredName returns the name that a line declares as a class or an enumeration, "" for none. Abstract says that
// it is
// no thing of its own.
func DeclaredName(line string) (name string, abstract bool) {
	if m := declaredName.FindStringSubmatch(line); m != nil {
		return m[1], abstractWord.MatchString(line)
	}
	return "", false
}

var (
	enumHead     = lazyregexp.New(`\benum\b|\bclass \w+\([^)]*(?:Enum|Flag)\b`)
	declaredName = lazyregexp.New(`\b(?:enum(?: class| struct)?|class|struct|object|record|type|interface|trait)\s+(\w+)`)
	abstractWord = lazyregexp.New(`\babstract\b|\binterface\b|\btrait\b|\b(?:class|struct|type)\s+(?:Abstract|Base)\w`)
)
