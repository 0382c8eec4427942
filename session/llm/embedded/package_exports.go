package embedded

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
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
	entry, folder := entryOf(p.Folders, results.Decode[countedText](&searches[0]).Files)
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
	return answerWith(listExports(p.Folders, cmp.Or(x.pkg, p.Name()), entry, found))
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

// entryOf returns the file that says what a package exports, nearest to the top, or else the folder of its
// declarations.
func entryOf(f results.Folders, files []results.Counted) (entry, folder string) {
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

// listExports lists the names that a file exports.
func listExports(f results.Folders, pkg, entry string, found []modules.Export) string {
	n, list := 0, ""
	if len(found) > outlined/6 {
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
		shown := e.Names[:min(len(e.Names), outlined)]
		list += fmt.Sprintf("- %s: %s", from, results.Codes(shown))
		if more := len(e.Names) - len(shown); more > 0 {
			list += fmt.Sprintf(" and %d more", more)
		}
		list += fmt.Sprintf(" — %s:%d\n", f.Rel(entry), e.Line)
	}
	return fmt.Sprintf("%s exports %s, by %s:\n\n%s\n", results.Code(pkg), results.Count(n, "name"), f.Rel(entry), list) +
		"What it marks as private, and what its submodules export, is left out.\n"
}
