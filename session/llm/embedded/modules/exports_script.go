package modules

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

var (
	scriptBegins = lazyregexp.New(`^(?:export\b|module\.exports\b|exports\.)`)
	scriptList   = lazyregexp.New(`(?s)^export (?:type )?(\{.*?\})(?:\s*from\s*["']([^"']+)["'])?`)
	scriptStar   = lazyregexp.New(`^export (?:type )?\*(?:\s+as\s+(\w+))?\s+from\s*["']([^"']+)["']`)
	scriptItem   = lazyregexp.New(`^export (?:declare )?(?:default )?(?:abstract )?(?:async )?(?:const enum|const` +
		`|let|var|function\*?|class|interface|type|` +
		`enum|namespace) ([\w$]+)`)
	scriptNamed  = lazyregexp.New(`^(?:module\.)?exports\.([\w$]+)\s*=`)
	scriptObject = lazyregexp.New(`(?s)^module\.exports\s*=\s*(\{.*\})`)
	moduleIs     = lazyregexp.New(`^module\.exports\s*=\s*(?:new )?([\w$]+)`)
	objectKey    = lazyregexp.New(`^\s*(?:async )?(?:\.\.\.)?([\w$]+)`)
)

func scriptExports(text string) (all []Export) {
	for _, s := range statements(withoutComments(text), scriptBegins) {
		switch {
		case scriptStar.MatchString(s.text):
			m := scriptStar.FindStringSubmatch(s.text)
			all = append(all, Export{From: m[2], Names: nonEmpty(m[1]), All: m[1] == "", Line: s.line})
		case scriptList.MatchString(s.text):
			m := scriptList.FindStringSubmatch(s.text)
			all = append(all, Export{From: m[2], Names: listNames(m[1], " as "), Line: s.line})
		case scriptItem.MatchString(s.text):
			all = append(all, Export{Names: scriptItem.FindStringSubmatch(s.text)[1:], Line: s.line})
		case strings.HasPrefix(s.text, "export default"):
			all = append(all, Export{Names: []string{"default"}, Line: s.line})
		case scriptNamed.MatchString(s.text):
			all = append(all, Export{Names: scriptNamed.FindStringSubmatch(s.text)[1:], Line: s.line})
		case scriptObject.MatchString(s.text):
			object := scriptObject.FindStringSubmatch(s.text)[1]
			var names []string
			for _, part := range splitTop(object[1 : len(object)-1]) {
				if m := objectKey.FindStringSubmatch(part); m != nil {
					names = append(names, m[1])
				}
			}
			all = append(all, Export{Names: names, Line: s.line})
		case moduleIs.MatchString(s.text):
			all = append(all, Export{Names: moduleIs.FindStringSubmatch(s.text)[1:], Line: s.line})
		}
	}
	return all
}

func nonEmpty(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}
