package results

import (
	"fmt"

	"ploke-lsp/session/llm/embedded/lexicon"
)

// Committed lists commits of a path or of the project, with the files that they touched. words are what subjects of
// commits have, and in is the time, if these were asked for.
func (f Folders) Committed(found ProjectFacts, words []string, in lexicon.Period, of string) string {
	within := ""
	if in != (lexicon.Period{}) {
		if in.Since == "release" && len(found.Tags) > 0 {
			found.Since = "the tag " + found.Tags[0].Name
		}
		within = in.Said(found.Since, found.Until)
	}
	switch {
	case within != "" && found.Counted == 0:
		return fmt.Sprintf("There are no commits%s %s. The newest one is of %s.\n", of, within, found.Newest)
	case within != "" && len(found.Commits) == 0:
		return fmt.Sprintf("None of the %s%s %s has %s in its subject.\n", Count(found.Counted, "commit"), of, within,
			Codes(words))
	case len(found.Commits) == 0:
		return fmt.Sprintf("None of the last %s has %s in its subject.\n", Count(found.Counted, "commit"),
			Codes(words))
	}
	text := "The last commits" + of + ", the newest first:\n\n"
	switch atLeast := map[bool]string{true: "At least "}[found.CutOff]; {
	case within != "" && len(words) > 0:
		text = fmt.Sprintf("Of the %s%s %s, these have most of the words %s:\n\n", Count(found.Counted, "commit"),
			of, within,
			Codes(words))
	case within != "":
		text = fmt.Sprintf("%s%s%s %s, the newest first:\n\n", atLeast, Count(found.Counted, "commit"), of, within)
	case len(words) > 0:
		text = fmt.Sprintf("Of the last %s, these have most of the words %s:\n\n", Count(found.Counted, "commit"),
			Codes(words))
	}
	for _, c := range found.Commits {
		text += fmt.Sprintf("- %s %s, %s (%s)%s\n", c.Day, lexicon.PlainText(c.Subject), lexicon.PlainText(c.Author),
			Code(c.ID[:min(8, len(c.ID))]), f.Touched(c.Files, c.More))
	}
	if found.Omitted > 0 {
		text += fmt.Sprintf("- and %d more\n", found.Omitted)
	}
	return text + "\nThis is what git says, without merges.\n"
}

// Wrote lists who wrote the commits of a path or of the project.
func (found ProjectFacts) Wrote(of string) string {
	text := fmt.Sprintf("Who wrote the last %s%s, without merges:\n\n", Count(found.Counted, "commit"), of)
	for _, a := range found.Authors {
		text += fmt.Sprintf("- %s — %s%s\n", lexicon.PlainText(a.Name), Count(a.Commits, "commit"),
			lexicon.Span(a.First, a.Last))
	}
	if found.Omitted > 0 {
		text += fmt.Sprintf("- and %d more\n", found.Omitted)
	}
	return text + "\nCommits say who wrote most of it, not who knows it best today.\n"
}
