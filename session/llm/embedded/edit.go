package embedded

import (
	"fmt"
	"ploke-lsp/session/llm"
	"strings"
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
	return p.staged("create "+code(x.file), created[0], "")
}

type stagedResult struct {
	Files         []stagedFile
	FilesOmitted  int `json:"files_omitted"`
	PlacesOmitted int `json:"places_omitted"`
	Edits         []struct {
		Left        []edge // places that a rename left
		LeftOmitted int    `json:"left_omitted"`
	}
}

type stagedFile struct {
	File         string
	Hunks        []struct{}
	Omitted      int        `json:"hunks_omitted"`
	SyntaxErrors []struct{} `json:"syntax_errors"`
}

// staged reports the edits that a tool has staged, or its error.
func (p progress) staged(what string, r toolResult, note string) step {
	result := decode[stagedResult](&r)
	if !r.OK {
		return p.failed("I could not "+what, r)
	}
	var list strings.Builder
	places := 0
	for _, file := range result.Files {
		n := len(file.Hunks) + file.Omitted
		places += n
		fmt.Fprintf(&list, "- %s — %s", p.rel(file.File), count(n, "place"))
		if n := len(file.SyntaxErrors); n > 0 {
			fmt.Fprintf(&list, "; **it would have %s**", count(n, "new syntax error"))
		}
		list.WriteString("\n")
	}
	if result.FilesOmitted > 0 {
		fmt.Fprintf(&list, "- %s more — %s\n", count(result.FilesOmitted, "file"), count(result.PlacesOmitted, "place"))
	}
	text := fmt.Sprintf("I propose to %s: %s in %s.\n\n%s\n", what, count(places+result.PlacesOmitted, "place"),
		count(len(result.Files)+result.FilesOmitted, "file"), list.String())
	if note != "" {
		text += strings.TrimRight(note, "\n") + "\n\n"
	}
	return answerWith(text + "Nothing is written yet: the proposal waits for your review.\n")
}
