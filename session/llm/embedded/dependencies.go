package embedded

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// dependencies lists what the manifests of the project name as its dependencies.
type dependencies struct{}

const (
	readDependencies = 8  // maximum number of manifests that are read
	listedDependency = 25 // maximum number of listed ones of a manifest
)

func (x dependencies) next(p progress) step {
	searches, reads := p.of("search_text"), p.of("read_file")
	if len(searches) == 0 {
		return step{calls: []llm.Call{callTool("search_text", args{"pattern": conventions.DependencyLine,
			"include": conventions.Manifests, "files_only": true})}}
	}
	found := decode[countedText](&searches[0])
	if !searches[0].OK {
		return p.failed("The search failed", searches[0])
	}
	found.Files = p.manifestsMeant(found.Files)
	if len(reads) == 0 && len(found.Files) > 0 {
		var calls []llm.Call
		for _, file := range found.Files[:min(readDependencies, len(found.Files))] {
			calls = append(calls, callTool("read_file", args{"file": file.File}))
		}
		return step{calls: calls}
	}
	text := ""
	for _, r := range reads {
		read := decode[readResult](&r)
		if !r.OK {
			continue
		}
		names := conventions.Dependencies(strings.ToLower(base(read.File)), read.text())
		if len(names) == 0 {
			continue
		}
		listed := names[:min(listedDependency, len(names))]
		var spans []string
		for _, name := range listed {
			spans = append(spans, code(name))
		}
		text += fmt.Sprintf("%s names %d:\n\n- %s", p.rel(read.File), len(names), strings.Join(spans, "\n- "))
		if more := len(names) - len(listed); more > 0 {
			text += fmt.Sprintf("\n- and %d more", more)
		}
		text += "\n\n"
	}
	if text == "" {
		return answerWith("I found no manifest with dependencies near the top of the workspace.\n")
	}
	return answerWith(text + "Indirect dependencies are left out.\n")
}

// manifestsMeant returns the manifests of the package that the message names by its folder; else all, those of tests
// and examples last.
func (p progress) manifestsMeant(files []counted) []counted {
	words := lexicon.Asked(p.message)
	meant := slices.DeleteFunc(slices.Clone(files), func(c counted) bool {
		return !slices.Contains(words, strings.ToLower(filepath.Base(filepath.Dir(c.File)))) ||
			!strings.Contains(p.rel(c.File), "/")
	})
	if len(meant) > 0 {
		return meant
	}
	return slices.SortedStableFunc(slices.Values(files), func(a, b counted) int {
		return order(conventions.Aside.MatchString(p.rel(a.File))) - order(conventions.Aside.MatchString(p.rel(b.File)))
	})
}
