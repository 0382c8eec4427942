package modules

import (
	"cmp"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Reimported returns the lines for one that imports what moved from From, so that it comes from To. It reports false
// for a line that is not understood.
func (m Moved) Reimported(file, line string) (lines []string, ok bool) {
	text := strings.TrimSpace(line)
	indent, _, _ := strings.Cut(line, text)
	switch filepath.Ext(file) {
	case ".py":
		lines, ok = m.fromPython(file, text)
	case ".rs":
		lines, ok = m.usedRust(file, text)
	case ".ts", ".tsx", ".js", ".jsx", ".mjs":
		lines, ok = m.importedScript(file, text)
	}
	for i := range lines {
		lines[i] = indent + lines[i]
	}
	return lines, ok
}

func (m Moved) fromPython(file, text string) (lines []string, ok bool) {
	f := pythonFrom.FindStringSubmatch(text)
	if f == nil || strings.ContainsAny(f[2], "(\\#;") || path.Base(m.From) == "__init__.py" {
		return nil, false
	}
	kept, taken := m.without(f[2], " as ")
	line, ok := m.importLine(file, m.To, taken)
	if !strings.HasPrefix(f[1], ".") {
		line = "from " + samePrefix(f[1], m.From, m.To) + " import " + taken
		ok = strings.HasSuffix("."+f[1], "."+stem(m.From))
	}
	if taken == "" || !ok {
		return nil, false
	}
	if kept != "" {
		lines = append(lines, "from "+f[1]+" import "+kept)
	}
	return append(lines, line), true
}

func (m Moved) usedRust(file, text string) (lines []string, ok bool) {
	u := rustUse.FindStringSubmatch(text)
	_, from, known := rustModule(m.From)
	to, understood := m.importLine(file, m.To, m.Name)
	if u == nil || !known || !understood || from == "" {
		return nil, false
	}
	head, prefix := u[1], "crate::"+from
	list, isList := strings.CutPrefix(u[2], prefix+"{")
	if list, closed := strings.CutSuffix(list, "}"); isList && closed && !strings.Contains(list, "::") {
		kept, taken := m.without(list, " as ")
		if strings.Contains(kept, ",") {
			kept = "{" + kept + "}"
		}
		return []string{head + "use " + prefix + kept + ";", head + strings.Replace(to, m.Name+";", taken+";", 1)},
			taken != "" && kept != ""
	}
	rest, ok := strings.CutPrefix(u[2], prefix+m.Name)
	if !ok || rest != "" && !strings.HasPrefix(rest, " as ") {
		return nil, false
	}
	return []string{head + strings.Replace(to, m.Name+";", m.Name+rest+";", 1)}, true
}

func (m Moved) importedScript(file, text string) (lines []string, ok bool) {
	i := scriptImport.FindStringSubmatch(text)
	if i == nil {
		return nil, false
	}
	types, list, module, quote, end := i[1], i[2], i[3], i[4], i[5]
	kept, taken := m.without(list, " as ")
	s := style{quote, end, moduleExtension.FindString(module)}
	to, ok := s.importLine(file, m.To, taken)
	from := path.Join(path.Dir(file), module)
	if strings.TrimSuffix(from, s.ext) != strings.TrimSuffix(m.From, path.Ext(m.From)) || taken == "" || !ok {
		return nil, false
	}
	to = strings.Replace(to, "import {", "import "+types+"{", 1)
	if kept != "" {
		lines = append(lines, strings.Replace(text, list, " "+kept+" ", 1))
	}
	return append(lines, to), true
}

var (
	rustUse      = lazyregexp.New(`^((?:pub(?:\([^)]*\))? )?)use (.*);$`)
	scriptImport = lazyregexp.New(`^import (type )?\{([^{}]*)\} from ["'](\.[^"']*)(["'])(;?)$`)
)

// samePrefix returns the name of To's module with what stands before From's name in the name of its module.
func samePrefix(module, from, to string) string {
	if path.Dir(from) == path.Dir(to) {
		to = strings.TrimSuffix(strings.TrimSuffix(module, stem(from))+stem(to), "__init__")
		return cmp.Or(strings.TrimSuffix(to, "."), ".")
	}
	return pythonModule(to)
}

// without returns a list of names without the one that moves, and that with its alias, "" if the list lacks it.
func (m Moved) without(list, alias string) (kept, taken string) {
	var rest []string
	for _, part := range strings.Split(list, ",") {
		part = strings.TrimSpace(part)
		name, _, _ := strings.Cut(part, alias)
		switch {
		case part == "":
		case strings.TrimSpace(name) == m.Name:
			taken = part
		default:
			rest = append(rest, part)
		}
	}
	return strings.Join(rest, ", "), taken
}

// Requalified returns a line of another file that names what moves by its module, so that it names it in To. It reports
// false for a line that is not understood.
func (m Moved) Requalified(file, line string) (now string, ok bool) {
	root, module, known := rustModule(m.From)
	toRoot, to, alsoKnown := rustModule(m.To)
	ownRoot, _, inCrate := rustModule(file)
	if filepath.Ext(file) != ".rs" || !known || !alsoKnown || !inCrate || root != toRoot || root != ownRoot ||
		module == "" {
		return "", false
	}
	of := path.Base(strings.ReplaceAll(strings.TrimSuffix(module, "::"), "::", "/"))
	named := regexp.MustCompile(`((?:^|[^\w:]))(?:\w+::)*` + of + `::` + regexp.QuoteMeta(m.Name) + `\b`)
	now = named.ReplaceAllString(line, "${1}crate::"+to+m.Name)
	return now, now != line
}
