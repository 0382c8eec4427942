package facts

import (
	"fmt"

	"ploke-lsp/tools/wording"
)

// Result has the list that was asked for.
type Result struct {
	OK        bool            `json:"ok"`
	About     string          `json:"about"`
	NoHistory bool            `json:"no_history,omitempty"` // no folder is in a repository with commits that git reads
	Changed   []changedFile   `json:"changed,omitempty"`
	Lines     []languageLines `json:"lines,omitempty"`
	Unused    []unusedSymbol  `json:"unused,omitempty"`
	Uses      []usedSymbol    `json:"uses,omitempty"`
	Longest   []sizedSymbol   `json:"longest,omitempty"`
	Proposals []Proposal      `json:"proposals,omitempty"`
	Counted   int             `json:"counted,omitempty"` // commits, files or symbols that were looked at
	Omitted   int             `json:"omitted,omitempty"`
	Partial   bool            `json:"partial,omitempty"` // the index is still being built
	historyFacts
}

// historyFacts are what the commits say.
type historyFacts struct {
	Commits []pastCommit `json:"commits,omitempty"`
	Tags    []tag        `json:"tags,omitempty"`
	Authors []author     `json:"authors,omitempty"`
	Since   string       `json:"since,omitempty"`   // first day of the period that was asked for
	Until   string       `json:"until,omitempty"`   // last day
	Newest  string       `json:"newest,omitempty"`  // day of the last commit at any time, if a period was asked for
	CutOff  bool         `json:"cut_off,omitempty"` // the period has more commits than were looked at
}

// Proposal is a proposal that waits for a decision, or was accepted and can be taken back.
type Proposal struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	State string `json:"state"` // waiting or accepted
	Back  string `json:"back"`  // how a person rejects it or takes it back where they are
}

// Cut leaves at most limit items in each list.
func (r *Result) Cut(limit int) {
	cutTo(&r.Commits, limit, &r.Omitted)
	cutTo(&r.Authors, limit, &r.Omitted)
	cutTo(&r.Changed, limit, &r.Omitted)
	cutTo(&r.Lines, limit, &r.Omitted)
	cutTo(&r.Unused, limit, &r.Omitted)
	cutTo(&r.Longest, limit, &r.Omitted)
	cutTo(&r.Proposals, limit, &r.Omitted)
}

func cutTo[T any](list *[]T, limit int, omitted *int) {
	if more := len(*list) - limit; more > 0 {
		*list, *omitted = (*list)[:limit], more
	}
}

// Text writes one line for each item.
func (r Result) Text(w *wording.Writer) {
	if r.Newest != "" {
		w.Linef("%s in that time; the last one at any time is of %s", wording.Plural(r.Counted, "commit"), r.Newest)
	}
	if r.NoHistory {
		w.Line("there is no history that git reads")
	}
	for _, c := range r.Commits {
		w.Linef("%.10s %s %s: %s", c.ID, c.Day, c.Author, c.Subject)
		for _, file := range c.Files {
			w.Line("  " + w.Path(file))
		}
	}
	for _, p := range r.Proposals {
		w.Linef("%s %s: %s", p.State, p.ID, p.Title)
	}
	for _, t := range r.Tags {
		w.Linef("tag %s of %s", t.Name, t.Day)
	}
	for _, a := range r.Authors {
		w.Linef("%s: %s", a.Name, wording.Plural(a.Commits, "commit"))
	}
	for _, c := range r.Changed {
		w.Linef("%s: %s", c.How, w.Path(c.File))
	}
	for _, l := range r.Lines {
		w.Linef("%s: %s in %s", l.Language, wording.Plural(l.Lines, "line"), wording.Plural(l.Files, "file"))
	}
	for _, u := range r.Unused {
		w.Linef("%s %s: %s", u.Kind, u.Canon, fmt.Sprintf("%s:%d", w.Path(u.File), u.Line))
	}
	for _, u := range r.Uses {
		w.Linef("%s: %s", w.Path(u.ID), wording.Plural(u.Uses, "use"))
	}
	for _, s := range r.Longest {
		w.Linef("%s %s, %s: %s", s.Kind, s.Canon, wording.Plural(s.Lines, "line"),
			fmt.Sprintf("%s:%d", w.Path(s.File), s.Line))
	}
	if r.Omitted > 0 {
		w.Linef("%d more", r.Omitted)
	}
}
