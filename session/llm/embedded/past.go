package embedded

import (
	"fmt"
	"slices"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// past answers from the history of the project: its last commits, their authors, its releases, or what is not
// committed.
type past struct {
	about string   // commits, authors, releases or uncommitted
	of    target   // a symbol or a path; empty for the project
	words []string // that subjects of commits have
	in    lexicon.Period
}

const (
	shownCommits  = 10
	shownInPeriod = 30
	shownAuthors  = 12
	shownChanges  = 40
)

func (x past) next(p progress) step {
	path := x.of.file
	if x.of.name != "" {
		found, calls := x.of.resolve(p)
		if calls != nil {
			return step{calls: calls}
		}
		if len(found.items) == 0 {
			return question{}.next(p)
		}
		path = found.items[0].Path()
	}
	facts := p.facts(x.asked())
	if len(facts) == 0 {
		return step{calls: []llm.Call{x.call(path)}}
	}
	found := results.Decode[results.ProjectFacts](&facts[0])
	switch {
	case !facts[0].OK:
		return p.failed("I could not ask git", facts[0])
	case found.NoHistory:
		return answerWith("There is no history that I can read: no folder of the workspace is in a git repository with " +
			"commits" + results.OfPath(p.Rel(path)) + ".\n")
	}
	if x.about == "commits" && x.in != (lexicon.Period{}) && found.Counted == 0 && len(facts) == 1 {
		newest := x
		newest.in = lexicon.Period{}
		return step{calls: []llm.Call{newest.call(path)}}
	}
	switch x.about {
	case "authors":
		return answerWith(found.Wrote(results.OfPath(p.Rel(path))))
	case "uncommitted":
		return answerWith(p.Uncommitted(found, results.OfPath(p.Rel(path))))
	case "releases":
		return answerWith(found.Releases())
	}
	text := p.Committed(found, x.words, x.in, results.OfPath(p.Rel(path)))
	if all := p.facts("commits"); found.Counted == 0 && len(all) > 1 && all[1].OK {
		text += "\n" + p.Committed(results.Decode[results.ProjectFacts](&all[1]), x.words, lexicon.Period{},
			results.OfPath(p.Rel(path)))
	}
	return answerWith(text)
}

// authorsAbout finds who wrote the file that fits some words best.
type authorsAbout struct{ words string }

func (x authorsAbout) next(p progress) step {
	searches, facts := p.of("request_code_context"), p.facts("authors")
	if len(searches) == 0 {
		return step{calls: []llm.Call{callTool("request_code_context", args{"token_budget": contextTokens, "hint": x.words})}}
	}
	found := bestFirst(x.words, results.Decode[results.SearchResult](&searches[0]).Results)
	if !searches[0].OK || len(found) == 0 || !results.Fits(x.words, found) {
		return question{}.next(p)
	}
	path := found[0].Path()
	if len(facts) == 0 {
		return step{calls: []llm.Call{past{about: "authors"}.call(path)}}
	}
	authors := results.Decode[results.ProjectFacts](&facts[0])
	if !facts[0].OK || authors.NoHistory {
		return p.failed("I could not ask git", facts[0])
	}
	return answerWith(fmt.Sprintf("The nearest to %s is %s, at %s.\n\n", results.Code(x.words),
		results.Code(found[0].Canon),
		p.Location(found[0].ID)) + authors.Wrote(results.OfPath(p.Rel(path))))
}

// asked returns what project_facts is asked about.
func (x past) asked() string {
	if x.about == "releases" {
		return "commits"
	}
	return x.about
}

// facts returns the results of project_facts about something.
func (p progress) facts(about string) []results.ToolResult {
	return slices.DeleteFunc(p.of("project_facts"), func(r results.ToolResult) bool {
		return r.OK && !slices.Contains([]string{"", about}, results.Decode[results.ProjectFacts](&r).About)
	})
}

func (x past) call(path string) llm.Call {
	about, limit := x.asked(), shownCommits
	switch x.about {
	case "releases":
		limit = 1
	case "authors":
		limit = shownAuthors
	case "uncommitted":
		limit = shownChanges
	}
	ask := args{"about": about, "limit": limit}
	if path != "" {
		ask["path"] = path
	}
	if len(x.words) > 0 {
		ask["words"] = x.words
	}
	if x.in != (lexicon.Period{}) {
		ask["since"], ask["until"], ask["limit"] = x.in.Since, x.in.Until, shownInPeriod
	}
	return callTool("project_facts", ask)
}

// counts answers with numbers about all files: the lines of each language, or the symbols that nothing uses.
type counts struct{ about, path string }

const shownUnused = 30

func (x counts) next(p progress) step {
	facts := p.facts(x.about)
	if len(facts) == 0 {
		ask := args{"about": x.about, "limit": shownUnused}
		if x.path != "" {
			ask["path"] = x.path
		}
		return step{calls: []llm.Call{callTool("project_facts", ask)}}
	}
	found := results.Decode[results.ProjectFacts](&facts[0])
	switch {
	case !facts[0].OK:
		return p.failed("I could not count", facts[0])
	case x.about == "lines":
		return answerWith(found.LinesOf(x.path))
	}
	return answerWith(p.Unused(found, x.path))
}
