package conventions

import (
	"encoding/xml"
	"path"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// entry is a text of a manifest with the index of its line, and what it is under, such as the tables of a file of TOML.
type entry struct {
	under, text string
	line        int
}

// manifestName returns the name of a manifest in lower case.
func (s Source) manifestName() string { return strings.ToLower(path.Base(s.Path)) }

// tomlEntries returns the entries of a file of TOML under their tables, without comments. A list of several lines is
// one entry for each element, under its table and key.
func tomlEntries(lines []string) (all []entry) {
	table, list := "", ""
	for i, line := range lines {
		text := strings.TrimSpace(line)
		switch head := tomlTable.FindStringSubmatch(text); {
		case text == "", strings.HasPrefix(text, "#"):
		case list != "":
			if before, _, closes := strings.Cut(text, "]"); closes && !tomlText.MatchString(text) ||
				strings.HasPrefix(text, "]") {
				list, text = "", before
			}
			for _, m := range tomlText.FindAllStringSubmatch(text, -1) {
				all = append(all, entry{strings.TrimPrefix(table+"."+list, "."), m[1] + m[2], i})
			}
			if listCloses.MatchString(text) {
				list = ""
			}
		case head != nil:
			table = strings.ReplaceAll(strings.Trim(head[1], "[] "), `"`, "")
			all = append(all, entry{table, "", i})
		case listOpens.MatchString(text):
			key, rest, _ := strings.Cut(text, "=")
			list = strings.Trim(key, ` "`)
			for _, m := range tomlText.FindAllStringSubmatch(rest, -1) {
				all = append(all, entry{strings.TrimPrefix(table+"."+list, "."), m[1] + m[2], i})
			}
			if listCloses.MatchString(text) {
				list = ""
			}
		default:
			all = append(all, entry{table, text, i})
		}
	}
	return all
}

var (
	tomlTable  = lazyregexp.New(`^(\[\[?[^\],"']*(?:(?:"[^"]*"|'[^']*')[^\],"']*)*\]\]?)\s*(?:#.*)?$`)
	tomlText   = lazyregexp.New(`"([^"]+)"|'([^']+)'`)
	listOpens  = lazyregexp.New(`^[\w."'-]+\s*=\s*\[(?:\s*$|\s*["'#\]])`)
	listCloses = lazyregexp.New(`\]\s*,?\s*(?:#.*)?$`)
)

// jsonEntries returns the members of a JSON file that is laid out in lines, under the keys that lead to them.
func jsonEntries(lines []string) (all []entry) {
	var keys []string
	for i, line := range lines {
		text := strings.TrimSpace(line)
		m := jsonKey.FindStringSubmatch(text)
		opens := strings.HasSuffix(text, "{") || strings.HasSuffix(text, "[")
		switch {
		case strings.HasPrefix(text, "}"), strings.HasPrefix(text, "]"):
			keys = keys[:max(0, len(keys)-1)]
		case m != nil && opens:
			keys = append(keys, m[1])
		case opens:
			keys = append(keys, "")
		case text != "":
			all = append(all, entry{strings.Trim(strings.Join(keys, "."), "."), strings.TrimSuffix(text, ","), i})
		}
	}
	return all
}

var jsonKey = lazyregexp.New(`^"((?:[^"\\]|\\.)*)"\s*:`)

// xmlEntries returns the texts of an XML file under the elements that lead to them, such as project/modules/module. It
// stops where the file is no XML.
func xmlEntries(lines []string) (all []entry) {
	decoder := xml.NewDecoder(strings.NewReader(strings.Join(lines, "\n")))
	var elements []string
	for {
		line, _ := decoder.InputPos()
		token, err := decoder.Token()
		if err != nil {
			return all
		}
		switch t := token.(type) {
		case xml.StartElement:
			elements = append(elements, t.Name.Local)
			all = append(all, entry{strings.Join(elements, "/"), "", line - 1})
			for _, a := range t.Attr {
				all = append(all, entry{strings.Join(elements, "/") + "/@" + a.Name.Local, a.Value, line - 1})
			}
		case xml.EndElement:
			elements = elements[:max(0, len(elements)-1)]
		case xml.CharData:
			if text := strings.TrimSpace(string(t)); text != "" {
				all = append(all, entry{strings.Join(elements, "/"), text, line - 1})
			}
		}
	}
}

// NameOf returns the name that a manifest gives its package, "" if it gives none.
func NameOf(s Source) string {
	switch name := s.manifestName(); {
	case name == "pom.xml":
		for _, e := range xmlEntries(s.Lines) {
			if e.under == "project/artifactId" && e.text != "" {
				return e.text
			}
		}
	case strings.HasSuffix(name, ".gemspec") || strings.HasSuffix(name, ".csproj"):
		return strings.TrimSuffix(path.Base(s.Path), path.Ext(s.Path))
	case name == "go.mod":
		for _, line := range s.Lines {
			if module, ok := strings.CutPrefix(line, "module "); ok {
				return strings.TrimSpace(module)
			}
		}
	case strings.HasSuffix(name, ".toml"):
		for _, e := range tomlEntries(s.Lines) {
			key, value, _ := strings.Cut(e.text, "=")
			if slices.Contains([]string{"package", "project", "tool.poetry"}, e.under) && strings.TrimSpace(key) == "name" {
				return strings.Trim(value, ` "'`)
			}
		}
	case strings.HasSuffix(name, ".json"):
		for _, e := range jsonEntries(s.Lines) {
			if m := Member.FindStringSubmatch(e.text); e.under == "" && m != nil && m[1] == "name" {
				return m[2]
			}
		}
	}
	for _, line := range s.Lines {
		if m := anyName.FindStringSubmatch(line); m != nil && !strings.HasPrefix(s.manifestName(), "build.") {
			return m[1] + m[2]
		}
	}
	return ""
}

// anyName matches the line with which a manifest of other forms gives a name.
var anyName = lazyregexp.New(`^\s*(?:\w+\.)?name\s*=\s*["']?([\w./@-]+)["']?,?\s*$|^\s*app: :(\w+)`)
