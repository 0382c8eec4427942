package embedded

import (
	"cmp"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// howTo says how the project is built, run, tested or linted: by the commands in its prose, then by its manifests.
// tasks are one or two keys of [conventions.Tasks], the key perhaps before a colon and the word for a part of the task,
// such as the tests of one kind.
type howTo struct{ tasks string }

const readManifests = 14 // maximum number of files that are read

func (x howTo) next(p progress) step {
	listings, reads := p.of("list_dir"), p.of("read_file")
	if len(listings) == 0 {
		return step{calls: x.look()}
	}
	top := results.Decode[results.DirListing](&listings[0])
	if !listings[0].OK {
		return p.failed("The workspace could not be listed", listings[0])
	}
	named := p.named()
	for _, file := range named {
		if _, _, isExample := conventions.ExampleOf(p.Rel(file)); !isExample {
			top.Entries = append(top.Entries, results.Entry{Path: file, Type: "file"})
		}
	}
	if calls := x.read(p.Folders, top); len(reads) == 0 && len(calls) > 0 {
		return step{calls: calls}
	}
	text, found := "", false
	for _, task := range strings.Fields(x.tasks) {
		words := conventions.TaskWords[strings.Split(task, ":")[0]]
		said := x.answer(p, task, top, reads)
		if task == "example" {
			said += p.examples(named)
		}
		found = found || said != ""
		text += cmp.Or(said, "I found no command to "+words+" in the files at the top of the workspace.\n\n")
	}
	if !found {
		return answerWith("I found no command for that in the files at the top of the workspace. Ask `what is this " +
			"project?` for its folders.\n")
	}
	return answered(text + "The commands are quoted from these files; I have not run them.\n")
}

// look returns the calls that find the files.
func (x howTo) look() []llm.Call {
	include := slices.Concat([]string{"/.github/CONTRIBUTING*", "/docs/CONTRIBUTING*", "/docs/contributing*"},
		conventions.ScriptFolders)
	if strings.Contains(x.tasks, "example") {
		include = slices.Concat(include, conventions.ExampleFolders)
	}
	return []llm.Call{callTool("list_dir", args{"limit": listedEntries}),
		callTool("search_text", args{"include": include, "limit": grepFiles})}
}

// named returns the files that the search by names has found.
func (p progress) named() (files []string) {
	for _, r := range p.of("search_text") {
		for _, file := range results.Decode[countedText](&r).Files {
			files = append(files, file.File)
		}
	}
	return files
}

// examples says how one of the examples runs.
func (p progress) examples(files []string) string {
	var paths []string
	for _, file := range files {
		paths = append(paths, p.Rel(file))
	}
	return conventions.SayExamples(paths, listedExamples)
}

const listedExamples = 12

// answer lists the commands for one task, "" if there are none.
func (x howTo) answer(p progress, task string, top results.DirListing, reads []results.ToolResult) string {
	f := p.Folders
	task, part, _ := strings.Cut(task, ":")
	found := conventions.Commands{Task: task, Without: lexicon.WithoutTool(p.message),
		Part: strings.TrimSuffix(lexicon.Stem(part), "ion")}
	var sources []conventions.Source
	for _, r := range reads {
		if read := results.Decode[results.ReadResult](&r); r.OK {
			sources = append(sources, conventions.Source{Path: f.Rel(read.File), First: read.StartLine, Lines: read.Text(),
				Runner: top.Runner()})
		}
	}
	var names []string
	for _, e := range top.Entries {
		names = append(names, f.Rel(e.Path))
	}
	for _, s := range conventions.Own(sources, f.Name(), names...) {
		found.Read(s)
	}
	said := len(found.Found) > 0 && task == "lint"
	for _, e := range top.Entries {
		settings := e.Type == "file" || strings.HasPrefix(results.Base(e.Path), ".")
		if settings && f.Rel(e.Path) == results.Base(e.Path) && !said {
			found.ByPresence(results.Base(e.Path))
		}
	}
	if task == "build" && untested.MatchString(p.message) {
		found.WithoutTests()
	}
	if said := found.Say(); said != "" || part == "" {
		return said
	}
	if all := x.answer(p, task, top, reads); all != "" {
		text := "No command that I found is for the " + results.Code(part) + " " + task + "s alone."
		for _, e := range top.Entries {
			if name := results.Base(e.Path); e.Type == "folder" && found.OfPart(name) {
				text += " There is a folder " + results.Code(name+"/") + "."
			}
		}
		return text + "\n\n" + all
	}
	return ""
}

// untested matches the wish to build without the tests.
var untested = lazyregexp.New(`(?i)\b(?:without|skip(?:ping)?|not?|don'?t)\b(?: \w+){0,4} tests?\b`)

// read returns calls that read the files of a listing that may say how, in the order of [conventions.Instructing].
func (x howTo) read(f results.Folders, l results.DirListing) (calls []llm.Call) {
	doesOne := func(rel string) bool {
		return slices.ContainsFunc(strings.Fields(x.tasks),
			func(task string) bool { return conventions.NamesTask(rel, strings.Split(task, ":")[0]) })
	}
	for _, name := range conventions.Instructing {
		for _, e := range l.Entries {
			rel := f.Rel(e.Path)
			fits := strings.ToLower(results.Base(e.Path)) == name
			if isScript := conventions.IsScript(rel); isScript {
				fits = name == conventions.Scripted && doesOne(rel)
			}
			if e.Type == "file" && fits && len(calls) < readManifests {
				calls = append(calls, callTool("read_file", args{"file": e.Path}))
			}
		}
	}
	return calls
}
