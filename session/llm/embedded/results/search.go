package results

import (
	"encoding/json"
	"fmt"
	"strings"

	"ploke-lsp/session/llm/embedded/lexicon"
)

// FurtherPlaces is the maximum number of places that an answer lists.
const FurtherPlaces = 10

const (
	quotes      = 3  // maximum number of symbols shown with code
	quotedLines = 40 // of all of them, not counting the best: an answer should fit a panel
	ofOneFile   = 3  // maximum number of places of one file, not counting its best symbol
)

// SearchResult is what request_code_context returns.
type SearchResult struct {
	Query   string
	Results []Symbol
	Omitted int
	Partial bool
	Doubt   string // why the search doubts that anything fits
	// Respelled are the words that no file has, with what was searched for instead, the nearest first.
	Respelled []struct {
		Word string
		As   []string
	}
}

// UnmarshalJSON reads a result, with the code of each symbol without the lines around it.
func (found *SearchResult) UnmarshalJSON(b []byte) error {
	type plain SearchResult
	err := json.Unmarshal(b, (*plain)(found))
	for i := range found.Results {
		found.Results[i].Snippet = found.Results[i].ownLines()
	}
	return err
}

// ownLines returns the snippet without the lines before and after the symbol.
func (s Symbol) ownLines() string {
	head := SnippetHead.FindStringSubmatch(s.Snippet)
	first, last := s.FirstLine(), 0
	if _, end, ok := strings.Cut(s.ID[strings.LastIndexByte(s.ID, '#')+1:], ":"); ok {
		last = number(end)
	}
	if head == nil {
		return s.Snippet
	}
	start, end := number(head[2]), number(head[3])
	from, to := max(first, start), min(last, end)
	lines := strings.SplitAfter(s.Snippet[len(head[0]):], "\n")
	if from == start && to == end || from > to || to-start >= len(lines) {
		return s.Snippet
	}
	return fmt.Sprintf("<code=%s #%d:%d>\n%s</code>", head[1], from, to, strings.Join(lines[from-start:to-start+1], ""))
}

// Spelled returns a message with the words that were searched for, and what to say of them.
func (found SearchResult) Spelled(message string) (spelled, note string) {
	for _, r := range found.Respelled {
		if lexicon.IsOrdinary(r.Word) {
			continue
		}
		message = strings.ReplaceAll(message, r.Word, r.As[0])
		note += fmt.Sprintf("No file has %s; I searched for %s.\n\n", Code(r.Word), Codes(r.As))
	}
	return message, note
}

// Quote quotes the best results that fit a message, and lists the others.
func (f Folders) Quote(found SearchResult, message string) string {
	best := found.Results[0]
	var b strings.Builder
	fmt.Fprintf(&b, "The best match is the %s %s, at %s.\n\n", best.Kind, Code(lexicon.Shown(best.Canon)),
		f.Location(best.ID))
	b.WriteString(best.Described() + best.saysOf(message) + best.Quoted())
	shown := f.showMore(&b, found.Results, message)
	places, more := f.further(found.Results, shown)
	ListFurther(&b, places, more+found.Omitted)
	if found.Partial {
		b.WriteString("The index is still being built, so there may be better places: try again when it is ready.\n\n")
	}
	b.WriteString("This is what the search found, quoted and not interpreted: the embedded model is not a language " +
		"model.\n")
	return b.String()
}

// showMore quotes further results within the limit of lines, and returns the number of
// all quoted results.
func (f Folders) showMore(b *strings.Builder, results []Symbol, message string) (shown int) {
	lines := 0
	for shown = 1; shown < min(quotes, len(results)); shown++ {
		s := results[shown]
		lines += strings.Count(s.Snippet, "\n")
		if s.Snippet == "" || lines > quotedLines || !Fits(message, results[shown:]) {
			break
		}
		fmt.Fprintf(b, "Also the %s %s:\n\n%s", s.Kind, Code(lexicon.Shown(s.Canon)), s.Quoted())
	}
	return shown
}

// further lists the results that are not quoted, and the siblings of all results.
// more is the number of siblings that are not listed.
func (f Folders) further(results []Symbol, quoted int) (places []string, more int) {
	for i, s := range results {
		if i >= quoted {
			places = append(places, f.Listed(s))
		}
		listed := s.Siblings[:min(ofOneFile, len(s.Siblings))]
		for _, sibling := range listed {
			places = append(places, f.ListedSibling(s, sibling))
		}
		more += len(s.Siblings) - len(listed)
	}
	return places, more
}

// ListFurther writes the first places. more is the number of places that are missing
// from the list.
func ListFurther(b *strings.Builder, places []string, more int) {
	if len(places) == 0 {
		return
	}
	b.WriteString("Further places:\n\n")
	listed := places[:min(FurtherPlaces, len(places))]
	b.WriteString(strings.Join(listed, ""))
	if more += len(places) - len(listed); more > 0 {
		fmt.Fprintf(b, "- and %d more\n", more)
	}
	b.WriteString("\n")
}
