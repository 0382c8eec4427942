package modules

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Place is a line of a file.
type Place struct {
	File string
	Line int // 1-based
	Text string
}

// Attribute is a field of a class that no declaration has: methods set it on the object.
type Attribute struct {
	Class, Name string
	File        string // that declares the class
	First, Last int    // lines of the class
}

// own is how a method names its object before a name, by the ending of a file.
func own(file string) string {
	switch filepath.Ext(file) {
	case ".py":
		return `\bself\.`
	case ".rb":
		return `(?:^|[^@\w])@`
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts":
		return `\bthis\.`
	}
	return ""
}

// HasAttributes reports whether objects get attributes by being assigned to, in the language of a file.
func HasAttributes(file string) bool { return own(file) != "" }

// Pattern matches the lines that may name the attribute, or one of its new name, or say which variables hold an
// object of the class.
func (a Attribute) Pattern(to string) string {
	return `\bclass \w+.*\b` + regexp.QuoteMeta(a.Class) + `\b|[.@](?:` + regexp.QuoteMeta(a.Name) + `|` +
		regexp.QuoteMeta(to) + `)\b|` + a.holding()
}

// Sources are the patterns of the files that may name an attribute of a class in a file.
func Sources(file string) []string {
	switch ext := filepath.Ext(file); ext {
	case ".py", ".rb":
		return []string{"*" + ext}
	}
	return []string{"*.ts", "*.tsx", "*.js", "*.jsx", "*.mjs", "*.cjs", "*.mts", "*.cts", "*.vue"}
}

// Takes reports whether a line of the class names an attribute that is called so.
func (a Attribute) Takes(lines []Place, name string) bool {
	pattern := regexp.MustCompile(own(a.File) + regexp.QuoteMeta(name) + `\b`)
	return slices.ContainsFunc(lines, func(p Place) bool { return a.has(p) && pattern.MatchString(p.Text) })
}

// has reports whether a line is one of the class.
func (a Attribute) has(p Place) bool {
	return p.File == a.File && a.First <= p.Line && p.Line <= a.Last
}

// holding matches what gives an object of the class to a variable: an assignment or the type of a parameter.
func (a Attribute) holding() string {
	class := regexp.QuoteMeta(a.Class)
	return `([\w$]+)\s*(?::\s*["']?` + class + `\b[\w"']*\s*)?=\s*(?:new\s+)?(?:\w+\.)*` + class +
		`(?:\.new)?\(|([\w$]+)\s*:\s*["']?` + class + `\b`
}

// Places sorts the lines of files of one language into those that name the attribute, and those that may name that of
// another object. It reports false if no method of the class sets the attribute.
func (a Attribute) Places(lines []Place) (named, others []Place, ok bool) {
	name := regexp.QuoteMeta(a.Name)
	mine := regexp.MustCompile(own(a.File) + name + `\b`)
	sets := regexp.MustCompile(own(a.File) + name + `\s*(?::[^=]+)?(?:=[^=>]|=$|\|\|=)`)
	anyone := regexp.MustCompile(`\.` + name + `\b`)
	holds := regexp.MustCompile(a.holding())
	holders := map[string][]string{} // by file
	for _, p := range lines {
		for _, m := range holds.FindAllStringSubmatch(p.Text, -1) {
			holders[p.File] = append(holders[p.File], m[1]+m[2])
		}
	}
	inherited := a.inherited(lines)
	for _, p := range lines {
		switch {
		case a.has(p) && mine.MatchString(p.Text):
			ok = ok || sets.MatchString(p.Text)
			named = append(named, p)
		case anyone.MatchString(p.Text) && heldBy(holders[p.File]).MatchString(p.Text, name):
			named = append(named, p)
		case importing.MatchString(p.Text), !inherited && !a.has(p) && mine.MatchString(p.Text) &&
			len(anyone.FindAllString(p.Text, -1)) == len(mine.FindAllString(p.Text, -1)):
		case anyone.MatchString(p.Text):
			others = append(others, p)
		}
	}
	return named, others, ok
}

// importing matches a line that imports something.
var importing = lazyregexp.New(`^\s*(?:from|import|require)\b`)

// inherited reports whether another class extends the class, so that its methods have the attribute, too.
func (a Attribute) inherited(lines []Place) bool {
	extends := regexp.MustCompile(`\bclass \w+(?:\(|\s*<|\s+extends\b).*\b` + regexp.QuoteMeta(a.Class) + `\b`)
	return slices.ContainsFunc(lines, func(p Place) bool { return extends.MatchString(p.Text) })
}

// held are variables that hold an object.
type held []string

func heldBy(names []string) held { return slices.Compact(slices.Sorted(slices.Values(names))) }

// MatchString reports whether a line names an attribute of one of the variables.
func (h held) MatchString(line, name string) bool {
	return len(h) > 0 && h.pattern(name).MatchString(line)
}

func (h held) pattern(name string) *regexp.Regexp {
	var quoted []string
	for _, n := range h {
		quoted = append(quoted, regexp.QuoteMeta(n))
	}
	return regexp.MustCompile(`(^|[^\w.$])(` + strings.Join(quoted, "|") + `)\.` + name + `\b`)
}

// Renamed returns a line that names the attribute with another name for it.
func (a Attribute) Renamed(p Place, lines []Place, to string) string {
	name := regexp.QuoteMeta(a.Name)
	text := p.Text
	if a.has(p) {
		text = regexp.MustCompile(`(`+own(a.File)+`)`+name+`\b`).ReplaceAllString(text, "${1}"+strings.ReplaceAll(to,
			"$", "$$"))
	}
	var names []string
	holds := regexp.MustCompile(a.holding())
	for _, other := range lines {
		for _, m := range holds.FindAllStringSubmatch(other.Text, -1) {
			if other.File == p.File {
				names = append(names, m[1]+m[2])
			}
		}
	}
	if len(names) > 0 {
		text = heldBy(names).pattern(name).ReplaceAllString(text, "${1}${2}."+strings.ReplaceAll(to, "$", "$$"))
	}
	return text
}
