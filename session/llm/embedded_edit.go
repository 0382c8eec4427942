package llm

import (
	"fmt"
	"strings"
)

// replace replaces a text that occurs once in a file.
type replace struct{ old, text, file string }

func (x replace) next(p progress) step {
	applied := p.of("apply_code_edit")
	if len(applied) == 0 {
		edit := args{"mode": "replace", "file": x.file, "old": x.old, "new": x.text}
		return step{calls: []Call{callTool("apply_code_edit", args{"edits": []args{edit}, "reason": "replace text in " + x.file})}}
	}
	return p.staged("replace text in "+code(x.file), applied[0], "")
}

// create creates a file with a given text.
type create struct{ file, text string }

func (x create) next(p progress) step {
	created := p.of("create_file")
	if len(created) == 0 {
		return step{calls: []Call{callTool("create_file", args{"file": x.file, "content": x.text, "reason": "create " + x.file})}}
	}
	return p.staged("create "+code(x.file), created[0], "")
}

type stagedResult struct {
	Files []struct {
		File         string
		Hunks        []struct{}
		Omitted      int        `json:"hunks_omitted"`
		SyntaxErrors []struct{} `json:"syntax_errors"`
	}
}

// staged reports the edits that a tool has staged, or its error.
func (f folders) staged(what string, r toolResult, note string) step {
	result := decode[stagedResult](&r)
	if !r.OK {
		return f.failed("I could not "+what, r)
	}
	var list strings.Builder
	places := 0
	for _, file := range result.Files {
		n := len(file.Hunks) + file.Omitted
		places += n
		fmt.Fprintf(&list, "- %s — %s", f.rel(file.File), count(n, "place"))
		if n := len(file.SyntaxErrors); n > 0 {
			fmt.Fprintf(&list, "; **it would have %s**", count(n, "new syntax error"))
		}
		list.WriteString("\n")
	}
	text := fmt.Sprintf("I propose to %s: %s in %s.\n\n%s\n", what, count(places, "place"), count(len(result.Files), "file"), list.String())
	if note != "" {
		text += strings.TrimRight(note, "\n") + "\n\n"
	}
	return answerWith(text + "Nothing is written yet: the proposal waits for your review.\n")
}

// refusal refuses a message and describes what the embedded model can do.
type refusal struct{ verb string }

func (x refusal) next(progress) step {
	what := "I can't do that"
	switch x.verb {
	case "document":
		what = "Documenting code needs a configured language model"
	case "rename", "replace", "create":
		what = "I did not understand exactly what to " + x.verb + ", so I changed nothing"
	}
	return answerWith(what + `: I am the embedded model, which works by rules and is not a language model. What I can do:

- answer a question about the code by finding and quoting code
- ` + "explain `NAME` in FILE" + `: show a symbol, its documentation and who calls it
- ` + "rename `OLD` to `NEW`" + `: where OLD has one definition and NEW is free
- ` + "replace \"OLD TEXT\" with \"NEW TEXT\" in FILE" + `
- ` + "create FILE with \"TEXT\"" + `, or with a fenced block

To have code written, changed or documented, configure a language model: set PLOKE_BASE_URL (any OpenAI-compatible endpoint, ending in /v1), PLOKE_API_KEY and PLOKE_MODEL, and restart.
`)
}
