package embedded

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// secretFile matches paths of files that hold secrets by convention. No instruction edits them.
var secretFile = lazyregexp.New(`(?i)(?:^|/)(?:\.env(?:\..*)?|[^/]*\.(?:pem|key|p12|pfx|jks|keystore)|id_(?:rsa|` +
	`dsa|ecdsa|ed25519)|` +
	`\.?(?:credentials|secrets?)(?:\.(?:ya?ml|json|toml|ini|txt|properties))?|\.npmrc|\.pypirc|\.netrc)$`)

func refuseSecret(file string) step {
	return answerWith("I did not change " + results.Code(file) + ": by its name, it holds secrets.\n")
}

// replace replaces a text wherever it stands in a file, in a folder, or in comments of the workspace.
type replace struct {
	old, text string
	in        scope
	part      extent
}

// scope is where a text is replaced: in a file, in a folder, or in comments if both are "".
type scope struct{ file, dir string }

func (in scope) String() string {
	switch {
	case in.file != "":
		return in.file
	case in.dir != "":
		return in.dir
	}
	return "comments"
}

// extent says whether a text that is a word is replaced within longer words, too.
type extent string

const (
	unsaid     extent = ""
	wholeWords extent = "the word "
	everywhere extent = "all of "
)

const (
	replacedLines = 500 // maximum number of lines that are replaced at once
	replacedFiles = 50
)

func (x replace) next(p progress) step {
	searches, applied := p.of("search_text"), p.of("apply_code_edit")
	switch {
	case secretFile.MatchString(x.in.file):
		return refuseSecret(x.in.file)
	case strings.Contains(x.old, "\n"):
		return x.once(p, applied)
	case len(searches) == 0:
		return step{calls: []llm.Call{callTool("search_text", x.search())}}
	}
	found := results.Decode[countedText](&searches[0])
	if !searches[0].OK {
		return p.failed("I changed nothing", searches[0])
	}
	if exact := p.Exactly(x.in.file, found.Matches); len(exact) > 0 {
		found.Matches = exact
	}
	o := x.occurrences(found)
	switch {
	case o.times == 0 && x.in.file != "":
		return x.notInFile(p)
	case x.in.file != "" && len(o.files) > 1:
		return answerWith(fmt.Sprintf("I changed nothing: %s may mean one of %d files. Say which one:\n\n%s",
			results.Code(x.in.file), len(o.files), p.ListFiles(o.files)))
	case o.times == 0:
		return answerWith(fmt.Sprintf("I changed nothing: %s does not stand in %s that I may edit.\n", results.Code(x.old),
			x.in))
	case found.Omitted > 0 || len(o.files) > replacedFiles:
		return answerWith(fmt.Sprintf("I changed nothing: %s stands in %d lines of %s, more than I change at once. Name "+
			"a smaller folder or a file.\n", results.Code(x.old), len(found.Matches)+found.Omitted, x.in))
	case x.part == unsaid && o.words > 0 && o.words < o.times:
		return x.askWhichPart(o)
	case len(applied) == 0:
		edit := args{"edits": x.edits(o), "reason": "replace text in " + x.in.String()}
		return step{calls: []llm.Call{callTool("apply_code_edit", edit)}}
	}
	return x.staged(p, o, applied[0])
}

// notInFile says that a file lacks the text, or that there is no such file.
func (x replace) notInFile(p progress) step {
	looks := p.of("get_file_metadata")
	if len(looks) == 0 {
		return step{calls: []llm.Call{callTool("get_file_metadata", args{"file": x.in.file})}}
	}
	found := results.Decode[results.FileOutline](&looks[0])
	switch {
	case !looks[0].OK:
		return p.failed("I changed nothing", looks[0])
	case !found.Exists:
		return answerWith("I changed nothing: there is no file " + results.Code(x.in.file) + ".\n" +
			p.Near(looks[0].Candidates))
	}
	return answerWith("I changed nothing: " + results.Code(x.old) + " does not stand in " + p.Rel(found.File) + ".\n")
}

// once replaces a text of several lines, which has to stand once in a file.
func (x replace) once(p progress, applied []results.ToolResult) step {
	if x.in.file == "" {
		return answerWith("I changed nothing: a text of several lines is replaced in one file. Name it.\n")
	}
	if len(applied) == 0 {
		edit := args{"mode": "replace", "file": x.in.file, "old": x.old, "new": x.text}
		return step{calls: []llm.Call{callTool("apply_code_edit", args{"edits": []args{edit}, "reason": "replace text in " +
			x.in.file})}}
	}
	return p.staged("replace text in "+results.Code(x.in.file), applied[0], "")
}

// comment matches the beginning of a line that is a comment as a whole.
const comment = `^\s*(?://|#|/\*|\*|--|<!--).*`

// search returns the search for the text. It never finds ignored and binary files.
func (x replace) search() args {
	look := args{"pattern": regexp.QuoteMeta(x.old), "limit": replacedLines}
	switch {
	case filepath.IsAbs(x.in.file):
		look["path"] = []string{x.in.file}
	case x.in.file != "":
		look["include"] = []string{"**/" + strings.TrimPrefix(filepath.ToSlash(x.in.file), "./")}
	case x.in.dir != "":
		look["path"] = []string{x.in.dir}
	default:
		look["pattern"] = comment + regexp.QuoteMeta(x.old)
	}
	return look
}

// occurrences are where the text stands.
type occurrences struct {
	lines  []results.Edge
	files  []string
	times  int    // in all
	words  int    // as a word of its own
	within string // a longer word that has it
	left   int    // lines that are not changed
}

func (x replace) occurrences(found countedText) (o occurrences) {
	seen := map[string]bool{}
	for _, m := range found.Matches {
		if secretFile.MatchString(m.File) || x.in.String() == "comments" && !m.InComment(x.old) {
			o.left++
			continue
		}
		times := strings.Count(m.Text, x.old)
		words := lexicon.WordsIn(m.Text, x.old)
		o.times, o.words = o.times+times, o.words+words
		if words < times && o.within == "" {
			o.within = lexicon.WordAround(m.Text, x.old)
		}
		o.lines = append(o.lines, m)
		if !seen[m.File] {
			seen[m.File] = true
			o.files = append(o.files, m.File)
		}
	}
	return o
}

// askWhichPart asks whether longer words are meant, too.
func (x replace) askWhichPart(o occurrences) step {
	form := func(p extent) string {
		return results.Code(fmt.Sprintf("replace %s%q with %q in %s", p, x.old, x.text, x.in))
	}
	return answerWith(fmt.Sprintf("I changed nothing yet: %s stands %s in %s as a word, and %s within longer ones such "+
		"as %s. Say %s, or %s.\n",
		results.Code(x.old), results.Count(o.words, "time"), x.in, results.Count(o.times-o.words, "time"),
		results.Code(o.within), form(wholeWords),
		form(everywhere)))
}

// edits returns one edit for each file, or for each comment.
func (x replace) edits(o occurrences) (edits []args) {
	if x.in.String() == "comments" {
		for _, m := range o.lines {
			edits = append(edits, args{"mode": "replace", "file": m.File, "old": x.old, "new": x.text, "line": m.Line})
		}
		return edits
	}
	for _, file := range o.files {
		edit := args{"mode": "replace", "file": file, "old": x.old, "new": x.text, "replace_all": true}
		if x.part == wholeWords {
			edit["old"], edit["new"], edit["is_regexp"] = lexicon.WordPattern(x.old), strings.ReplaceAll(x.text, "$", "$$"), true
		}
		edits = append(edits, edit)
	}
	return edits
}

func (x replace) staged(p progress, o occurrences, applied results.ToolResult) step {
	times := o.times
	if x.part == wholeWords {
		times = o.words
	}
	said := fmt.Sprintf("%s stands %s in %s", results.Code(x.old), results.Count(times, "time"),
		results.Count(len(o.files), "file"))
	if o.words == 0 && o.within != "" {
		said += ", always within longer words such as " + results.Code(o.within)
	}
	note := ""
	if o.left > 0 {
		note = fmt.Sprintf("%s with it stay as they are.\n", results.Count(o.left, "further line"))
	}
	if x.in.String() == "comments" {
		note += "Comments that share a line with code stay as they are.\n"
	}
	s := p.staged("replace "+results.Code(x.old)+" in "+x.in.String(), applied, note)
	if applied.OK {
		s.text = said + ". " + s.text
	}
	return s
}
