package embedded

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// grep finds the lines of a pattern: their count, the first places, and the counts by file.
type grep struct {
	pattern string
	said    string   // how the answer names it
	include []string // files, as search_text takes them; nil for all
	limit   int      // of listed lines, 0 for grepLines
	head    string   // before the answer
	within  string   // the file or the folder that the answer names, "" for the workspace
	code    bool     // tests, examples and prose are left out

	otherwise instruction // if no line has the pattern; nil to say so
}

const (
	grepLines = 12   // maximum number of listed lines
	grepFiles = 1000 // maximum number of counted files
)

// grepFor finds the text in m[0].
func grepFor(m []string) instruction {
	text := lexicon.Bare(m[0])
	return grep{pattern: regexp.QuoteMeta(text), said: text}
}

// importsOf finds the lines that import the module or file in m[0]. A name without a dot or a slash may be a symbol.
func importsOf(m []string) instruction {
	name := strings.Trim(lexicon.Bare(m[0]), "<>")
	switch {
	case name == "" || lexicon.Pronouns[name]:
		return nil
	case strings.Contains(name, "/") && lexicon.FileName.MatchString(name):
		if i := importingFile(name); i != nil {
			return i
		}
	case lexicon.Address.MatchString(name) && name == m[0]:
		return relation{target{name: name}, "importers", true}
	}
	return importing(name)
}

// importing finds the lines that import the module or file of that name.
func importing(name string) grep {
	return grep{pattern: conventions.ImportsOf(name, lexicon.ImportedPattern(name)), said: "imports of " + name,
		include: notProse, otherwise: said("I found no import of " + results.Code(name) + ", by the form of the lines.\n")}
}

// importingFile finds the lines that import a file: by its path in JavaScript and TypeScript, by its name in others.
func importingFile(file string) instruction {
	stem := regexp.QuoteMeta(strings.TrimSuffix(results.Base(file), filepath.Ext(file)))
	g := importing(results.Base(file))
	g.otherwise = said("I found no import of " + results.Code(file) + ", by the form of the lines.\n")
	switch filepath.Ext(file) {
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".css", ".json":
		g.pattern = conventions.ImportHead + `.*["'](?:[^"']*/)?` + stem + `(?:\.\w+)?["']`
	case ".py", ".rs":
		g.pattern = conventions.ImportHead + `.*\b` + stem + `\b`
	case ".h", ".hpp", ".hh", ".rb", ".php", ".proto":
	default:
		return nil
	}
	return g
}

// usesOf finds the lines that name a member of an object or a module that a language has, such as console.error. It
// reports false for another name.
func usesOf(name string) (grep, bool) {
	owner, member, ok := strings.Cut(name, "::")
	if !ok || !lexicon.OfLanguages[owner] {
		return grep{}, false
	}
	member = regexp.QuoteMeta(strings.ReplaceAll(member, "::", "."))
	return grep{pattern: `\b` + owner + `(?:\.|::)` + member + `\b`, said: owner + "." + member, include: notProse}, true
}

// said answers with a text.
type said string

func (s said) next(progress) step { return answerWith(string(s)) }

type countedText struct {
	Matches      []results.Edge
	Files        []results.Counted
	Omitted      int
	LeftOutFiles int `json:"left_out_files"`
}

func (x grep) next(p progress) step {
	searches := p.of("search_text")
	if len(searches) < 2 {
		files := args{"pattern": x.pattern, "files_only": true, "limit": grepFiles}
		lines := args{"pattern": x.pattern, "limit": cmp.Or(x.limit, grepLines)}
		if x.code && x.include == nil {
			x.include = []string{"!*test*", "!**/tests/**", "!**/examples/**", "!*.md", "!*.rst"}
		}
		if x.include != nil {
			files["include"], lines["include"] = x.include, x.include
		}
		return step{calls: []llm.Call{callTool("search_text", files), callTool("search_text", lines)}}
	}
	byFile, lines := results.Decode[countedText](&searches[0]), results.Decode[countedText](&searches[1])
	for _, r := range searches {
		if !r.OK {
			return p.failed("The search failed", r)
		}
	}
	if len(byFile.Files) == 0 && x.otherwise != nil {
		return x.otherwise.next(p)
	}
	if len(byFile.Files) == 0 && x.code {
		return answerWith("I found no lines that are " + results.Code(x.said) + ", by their form.\n")
	}
	if len(byFile.Files) == 0 {
		return answerWith("No line of " + cmp.Or(x.within, "the workspace") + " has " + results.Code(x.said) + ".\n")
	}
	total := 0
	for _, f := range byFile.Files {
		total += f.Lines
	}
	files := len(byFile.Files) + byFile.Omitted
	var b strings.Builder
	b.WriteString(x.head)
	in := " in " + results.Count(files, "file") + results.OfPath(x.within)
	if lexicon.FileName.MatchString(x.within) && files == 1 {
		in = " in " + p.Rel(byFile.Files[0].File)
	}
	fmt.Fprintf(&b, "%s: %s%s.\n\n", results.Code(x.said), results.Count(total, "line"), in)
	for _, m := range lines.Matches {
		fmt.Fprintf(&b, "- %s:%d: %s\n", p.Rel(m.File), m.Line, results.Code(results.Clip(strings.TrimSpace(m.Text))))
	}
	if more := total - len(lines.Matches); more > 0 {
		fmt.Fprintf(&b, "- and %d more\n", more)
		b.WriteString("\nBy file:\n\n" + p.CountsByFile(byFile.Files, files))
	}
	return answerWith(b.String())
}

// marks finds the comments of the code that have a mark such as TODO. Without one, it says so, and lists the other
// lines with the mark, such as those of a text that speaks of it.
type marks struct{ words, said string }

var (
	allMarks = marks{`(?:TODO|FIXME|HACK|XXX)S?`, "TODO, FIXME, HACK or XXX"}
	notProse = []string{"!*.md", "!*.mdx", "!*.rst", "!*.adoc", "!*.txt", "!*.[1-9]", "!*.lock", "!LICENSE*"}
)

// markOf finds one mark.
func markOf(m []string) instruction {
	mark := strings.ToUpper(m[0])
	return marks{mark + "S?", mark}
}

func (x marks) comments(message string) grep {
	g := grep{pattern: conventions.CommentWith(x.words), said: x.said, include: notProse}
	if lexicon.WithoutTests(message) {
		g.include, g.head = slices.Concat(notProse, notTests), "Outside of the tests, by the names of their files:\n\n"
	}
	return g
}

func (x marks) next(p progress) step {
	searches := p.of("search_text")
	if len(searches) < 2 || !searches[0].OK || len(results.Decode[countedText](&searches[0]).Files) > 0 {
		return x.comments(p.message).next(p)
	}
	p.results = p.results[2:] // what follows makes its own calls
	none := "No comment of the code has " + results.Code(x.said) + "."
	return grep{pattern: `\b` + x.words + `\b`, said: x.said, head: none + " Elsewhere:\n\n",
		otherwise: said(none + " No other line has it.\n")}.next(p)
}
