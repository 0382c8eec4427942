package embedded

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/inquiries"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/modules"
	"ploke-lsp/session/llm/embedded/results"
)

const (
	maxReads  = 16
	readLines = 1000 // that are asked for at once
)

// ofEntry lists what the file says that a package exports by: its names, by their origins. Where no file says it, as in
// Go and Java, what is declared in the package's folder is exported.
func (x exported) ofEntry(p progress) step {
	name := strings.Trim(x.pkg[strings.LastIndexByte(strings.TrimSuffix(x.pkg, "/"), '/')+1:], "/")
	if lexicon.Pronouns[strings.ToLower(name)] {
		name, x.pkg = "", ""
	}
	if last := name[strings.LastIndexAny(name, ".:")+1:]; last != "" && unicode.IsUpper([]rune(last)[0]) {
		return x.lines().next(p)
	}
	searches, reads := p.of("search_text"), p.of("read_file")
	if len(searches) == 0 {
		include := slices.Concat(modules.Entry(cmp.Or(name, p.Name())), modules.TopEntry)
		switch {
		case lexicon.FileName.MatchString(name):
			include = []string{"**/" + x.pkg}
		case name != "" && !strings.HasPrefix(p.Name(), name) && !strings.HasPrefix(name, cmp.Or(p.Name(), "\x00")):
			include = modules.Entry(name)
			for _, ending := range []string{"/*.go", "/*.java", "/*.kt"} {
				include = append(include, "**/"+strings.ReplaceAll(name, ".", "/")+ending)
			}
		}
		return step{calls: []llm.Call{callTool("search_text", args{"include": include, "files_only": true,
			"limit": grepFiles})}}
	}
	entry, folder := inquiries.EntryOf(p.Folders, results.Decode[countedText](&searches[0]).Files)
	rest := p
	rest.results = p.results[1:]
	switch {
	case !searches[0].OK || entry == "" && folder == "" || entry == "" && lexicon.FileName.MatchString(name):
		return x.lines().next(rest)
	case entry == "":
		return declaredIn(x, folder, p).next(rest)
	}
	text, read := wholeText(entry, reads)
	if read != nil {
		return step{calls: []llm.Call{*read}}
	}
	found, ok := modules.Exports(entry, text)
	if !ok || len(found) == 0 {
		return x.lines().next(rest)
	}
	return answerWith(inquiries.ListExports(p.Folders, cmp.Or(x.pkg, p.Name()), entry, found))
}

// wholeText returns the text of a file from the results of reading it, or the call that reads on.
func wholeText(file string, reads []results.ToolResult) (text string, next *llm.Call) {
	line := 1
	for _, r := range reads {
		read := results.Decode[results.ReadResult](&r)
		switch {
		case !r.OK:
			return text, nil
		case read.File != file || read.StartLine != line:
			continue
		}
		text += strings.Join(read.Text(), "\n") + "\n"
		if line = read.EndLine + 1; line > read.LineCount {
			return text, nil
		}
	}
	if len(reads) >= maxReads {
		return text, nil
	}
	call := callTool("read_file", args{"file": file, "start_line": line, "end_line": line + readLines - 1})
	return text, &call
}

// declaredIn asks for the lines of a folder alone that declare what other packages can use.
func declaredIn(x exported, folder string, p progress) grep {
	g := x.lines()
	rel := p.Rel(folder)
	g.include, g.within = []string{"!*test*", "!*Test*", "/" + rel + "/*"}, rel
	if len(p.Folders) > 1 {
		g.include[2] = "**/" + filepath.Base(folder) + "/*"
	}
	if !x.functions {
		g.pattern = lexicon.DeclaredForOthers
	}
	return g
}
