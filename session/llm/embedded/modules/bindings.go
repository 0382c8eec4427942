package modules

import (
	"cmp"
	"path/filepath"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// bindings returns the names that imports of a text give to something, with a line that does so for each.
func bindings(file, text string) map[string]string {
	found := map[string]string{}
	switch filepath.Ext(file) {
	case ".py":
		bindPython(text, found)
	case ".rs":
		bindRust(text, found)
	case ".go":
		bindGo(text, found)
	case ".java", ".kt":
		for _, m := range javaImport.FindAllStringSubmatch(text, -1) {
			found[m[2]] = strings.TrimSpace(m[0])
		}
	case ".php":
		for _, m := range phpUse.FindAllStringSubmatch(text, -1) {
			found[cmp.Or(m[2], m[1])] = m[0]
		}
	default:
		bindScript(text, found)
	}
	return found
}

func bindPython(text string, found map[string]string) {
	for _, s := range statements(hashComment.ReplaceAllString(blankDocstrings(text), ""), pythonBegins) {
		if m := pythonFrom.FindStringSubmatch(s.text); m != nil {
			for _, part := range strings.Split(strings.Trim(strings.TrimSpace(m[2]), "()"), ",") {
				if name := listNames(part, " as "); len(name) == 1 {
					found[name[0]] = "from " + m[1] + " import " + strings.TrimSpace(part)
				}
			}
		} else if rest, imports := strings.CutPrefix(s.text, "import "); imports {
			for _, part := range strings.Split(rest, ",") {
				part = strings.TrimSpace(part)
				name := listNames(part, " as ")
				if len(name) == 0 {
					name = strings.Split(part, ".")[:1]
				}
				found[name[0]] = "import " + part
			}
		}
	}
}

func bindRust(text string, found map[string]string) {
	for _, s := range statements(withoutComments(text), rustUses) {
		tree, _, _ := strings.Cut(rustUses.ReplaceAllString(s.text, ""), ";")
		for _, e := range useTree("", tree, 0) {
			for _, name := range e.Names {
				found[name] = "use " + e.From + "::" + name + ";"
			}
		}
	}
}

func bindGo(text string, found map[string]string) {
	for _, i := range goImportsOf(text).lines {
		if i.name != "_" && i.name != "." {
			found[i.name] = i.spelled
		}
	}
}

func bindScript(text string, found map[string]string) {
	for _, m := range scriptBinding.FindAllStringSubmatch(text, -1) {
		for _, part := range strings.Split(m[2], ",") {
			if name := listNames(part, " as "); len(name) == 1 {
				found[name[0]] = "import " + m[1] + "{ " + strings.TrimSpace(part) + " } from " + m[3]
			}
		}
	}
	for _, m := range scriptWhole.FindAllStringSubmatch(text, -1) {
		found[m[1]] = strings.TrimSpace(m[0])
	}
}

var (
	rustUses      = lazyregexp.New(`^(?:pub(?:\([^)]*\))? )?use `)
	goImport      = lazyregexp.New(`(?m)^(?:import\s+|\t)([\w.]*)\s*"([\w./-]+)"`)
	goVersion     = lazyregexp.New(`/v\d+$|^go-|\.v\d+$`)
	phpUse        = lazyregexp.New(`(?m)^use (?:function |const )?(?:[\w\\]+\\)?(\w+)(?: as (\w+))?;`)
	javaImport    = lazyregexp.New(`(?m)^import (static )?(?:[\w.]+)\.(\w+);?[ \t]*$`)
	scriptBinding = lazyregexp.New(`(?m)^import (type )?(?:[\w$]+, )?\{([^{}]*)\} from (["'][^"']+["'];?)`)
	scriptWhole   = lazyregexp.New(`(?m)^import (?:\* as )?([\w$]+)(?:, \{[^{}]*\})? from ["'][^"']+["'];?`)
)
