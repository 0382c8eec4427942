package inquiries

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/modules"
	"ploke-lsp/session/llm/embedded/results"
)

const listedNames = 60 // maximum number of names that are listed of each origin

// EntryOf returns the file that says what a package exports, nearest to the top, or else the folder of its
// declarations.
func EntryOf(f results.Folders, files []results.Counted) (entry, folder string) {
	var entries []string
	for _, file := range files {
		switch ext := filepath.Ext(file.File); {
		case results.IsTest(f.Rel(file.File)) || conventions.Aside.MatchString(f.Rel(file.File)):
		case ext == ".go" || ext == ".java" || ext == ".kt":
			if dir := filepath.Dir(file.File); folder == "" || len(dir) < len(folder) {
				folder = dir
			}
		default:
			entries = append(entries, file.File)
		}
	}
	slices.SortStableFunc(entries, func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), cmp.Compare(len(a), len(b)))
	})
	if len(entries) > 0 {
		entry = entries[0]
	}
	return entry, folder
}

// ListExports lists the names that a file exports.
func ListExports(f results.Folders, pkg, entry string, found []modules.Export) string {
	n, list := 0, ""
	if len(found) > listedNames/6 {
		found = modules.OwnTogether(found)
	}
	for _, e := range found {
		n += len(e.Names)
		from := "declared there"
		switch e.From {
		case "":
		case modules.Own:
			from = "from its own modules"
		default:
			from = "from " + results.Code(e.From)
		}
		if e.All {
			list += fmt.Sprintf("- all that %s exports — %s:%d\n", results.Code(e.From), f.Rel(entry), e.Line)
			continue
		}
		shown := e.Names[:min(len(e.Names), listedNames)]
		list += fmt.Sprintf("- %s: %s", from, results.Codes(shown))
		if more := len(e.Names) - len(shown); more > 0 {
			list += fmt.Sprintf(" and %d more", more)
		}
		list += fmt.Sprintf(" — %s:%d\n", f.Rel(entry), e.Line)
	}
	return fmt.Sprintf("%s exports %s, by %s:\n\n%s\n", results.Code(pkg), results.Count(n, "name"), f.Rel(entry), list) +
		"What it marks as private, and what its submodules export, is left out.\n"
}
