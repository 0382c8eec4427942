package embedded

import (
	"fmt"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/results"
)

// create creates a file with a given text.
type create struct{ file, text string }

func (x create) next(p progress) step {
	created := p.of("create_file")
	if secretFile.MatchString(x.file) {
		return refuseSecret(x.file)
	}
	if len(created) == 0 {
		return step{calls: []llm.Call{callTool("create_file", args{"file": x.file, "content": x.text, "reason": "create " +
			x.file})}}
	}
	return p.staged("create "+results.Code(x.file), created[0], "")
}

type stagedResult struct {
	Files         []stagedFile
	FilesOmitted  int `json:"files_omitted"`
	PlacesOmitted int `json:"places_omitted"`
	Edits         []struct {
		Left        []results.Edge // places that a rename left
		LeftOmitted int            `json:"left_omitted"`
		By          string         // the compiler that has found the places
	}
}

type stagedFile struct {
	File         string
	Hunks        []struct{}
	Omitted      int        `json:"hunks_omitted"`
	SyntaxErrors []struct{} `json:"syntax_errors"`
}

// staged reports the edits that a tool has staged, or its error.
func (p progress) staged(what string, r results.ToolResult, note string) step {
	result := results.Decode[stagedResult](&r)
	if !r.OK {
		return p.failed("I could not "+what, r)
	}
	var list strings.Builder
	places := 0
	for _, file := range result.Files {
		n := len(file.Hunks) + file.Omitted
		places += n
		fmt.Fprintf(&list, "- %s — %s", p.Rel(file.File), results.Count(n, "place"))
		if n := len(file.SyntaxErrors); n > 0 {
			fmt.Fprintf(&list, "; **it would have %s**", results.Count(n, "new syntax error"))
		}
		list.WriteString("\n")
	}
	if result.FilesOmitted > 0 {
		fmt.Fprintf(&list, "- %s more — %s\n", results.Count(result.FilesOmitted, "file"),
			results.Count(result.PlacesOmitted, "place"))
	}
	text := fmt.Sprintf("I propose to %s: %s in %s.\n\n%s\n", what, results.Count(places+result.PlacesOmitted, "place"),
		results.Count(len(result.Files)+result.FilesOmitted, "file"), list.String())
	if note != "" {
		text += strings.TrimRight(note, "\n") + "\n\n"
	}
	return answerWith(text + "Nothing is written yet: the proposal waits for your review.\n")
}
