package conventions

import (
	"strings"
	"sync"

	"ploke-lsp/internal/lazyregexp"
)

// languageFiles match the names of the files of languages.
var languageFiles = sync.OnceValue(func() map[string]*lazyregexp.Regexp {
	byLanguage := map[string]*lazyregexp.Regexp{}
	for languages, endings := range map[string]string{"python": "pyi?", "go|golang": "go", "rust": "rs", "java": "java",
		"kotlin": "kts?", "javascript|js": "[cm]?jsx?", "typescript|ts": "[cm]?tsx?", "php": "php", "ruby": "rb",
		"c":       "[ch]",
		"c++|cpp": "cc|cpp|cxx|hh|hpp|h", "c#|csharp": "cs", "swift": "swift", "scala": "scala", "elixir": "exs?",
		"lua":        "lua",
		"shell|bash": "sh|bash", "css": "s?css", "html": "html?", "markdown": "md", "haskell": "hs", "zig": "zig",
		"dart": "dart"} {
		pattern := lazyregexp.New(`(?i)\.(?:` + endings + `)$`)
		for _, language := range strings.Split(languages, "|") {
			byLanguage[language] = pattern
		}
	}
	return byLanguage
})

// LanguageIn returns the pattern of the names of the files of a language that a message asks for, as in "the largest
// Python files"; nil if it names none.
func LanguageIn(message string) *lazyregexp.Regexp {
	if m := filesOf.FindStringSubmatch(message); m != nil {
		return languageFiles()[strings.ToLower(m[1])]
	}
	return nil
}

var filesOf = lazyregexp.New(`(?i)([\w+#]+) (?:source |code )*(?:files?|modules?|sources)\b`)
