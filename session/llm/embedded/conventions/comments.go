package conventions

import (
	"fmt"
	"strings"
)

// CommentOf writes a doc comment of one sentence in a language, by the endings of its files.
var CommentOf = func() map[string]func(indent, text string) string {
	marked := func(before, after string) func(indent, text string) string {
		return func(indent, text string) string { return indent + before + text + after }
	}
	byLanguage := map[string]func(indent, text string) string{
		".go": marked("// ", ""), ".rs .swift .cs .dart .zig": marked("/// ", ""), ".py": marked(`"""`, `"""`),
		".c .h .cc .cpp .cxx .hpp .java .kt .kts .js .jsx .mjs .cjs .ts .tsx .mts .cts .php .scala .groovy": marked("/** ",
			" */"),
		".rb .sh .bash .r .jl": marked("# ", ""), ".lua": marked("--- ", ""), ".hs .elm": marked("-- | ", ""),
		".ex .exs": func(indent, text string) string { return indent + "@doc " + fmt.Sprintf("%q", text) },
	}
	all := map[string]func(indent, text string) string{}
	for endings, write := range byLanguage {
		for _, ending := range strings.Fields(endings) {
			all[ending] = write
		}
	}
	return all
}()
