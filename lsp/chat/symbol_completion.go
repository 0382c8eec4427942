package chat

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/uri"

	"ploke-lsp/index"
	"ploke-lsp/internal/display"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
)

// symbols returns the symbols that fit the word: of this name, then those of near files, then others, and those of
// tests that are not near last. They are written in backquotes, as in any Markdown.
func (c *messageCompletion) symbols(ctx context.Context) (list []ploke.ChatCompletion, err error) {
	near := c.near(ctx)
	units, err := c.fittingSymbols(ctx, near)
	if err != nil {
		return nil, err
	}
	ranked := rankSymbols(units, strings.ReplaceAll(c.word, ".", "::"), near)
	for _, u := range ranked[:min(len(ranked), maxCompletions)] {
		lines := document.BetweenLines(u.StartLine, u.EndLine)
		list = append(list, ploke.ChatCompletion{
			Kind: ploke.CompletionSymbol, Label: u.Canon, Detail: display.Name(u.Rel), Insert: "`" + u.Canon + "`",
			Matched:    u.matched,
			Attachment: &ploke.Attachment{URI: uri.File(filepath.FromSlash(u.Path)), Range: &lines},
		})
	}
	return list, nil
}

// fittingSymbols returns the symbols of near files whose names have the letters of the word, and those that the index
// finds for it. Some may be there more than once.
func (c *messageCompletion) fittingSymbols(ctx context.Context, near *nearFiles) (units []index.Unit, err error) {
	x, word := c.project.Index, strings.ReplaceAll(c.word, ".", "::")
	for _, path := range near.paths {
		outline, err := x.Outline(ctx, path)
		if err != nil {
			return nil, err
		}
		for _, u := range outline {
			if matchedLetters(u.Canon, word) != nil {
				units = append(units, u)
			}
		}
	}
	if c.word == "" {
		return units, nil
	}
	exact, alike, err := x.Lookup(ctx, index.LookupQuery{Name: c.word})
	if err != nil {
		return nil, err
	}
	fitting, err := x.Symbols(ctx, index.SymbolQuery{Text: c.word, Limit: maxCompletions})
	if err != nil {
		return nil, err
	}
	found, err := x.Search(ctx, index.Query{Text: c.word, Limit: maxCompletions})
	if err != nil {
		return nil, err
	}
	units = slices.Concat(units, exact, fitting, alike)
	for _, hit := range found.Hits {
		units = append(units, hit.Unit)
	}
	return units, nil
}

// rankedSymbol is a symbol with what it is sorted by.
type rankedSymbol struct {
	*index.Unit
	matched []int // the letters of its canon that the word has
	fit     int   // how its name fits the word, 0 the best
	farTest bool
	rank    int // of its file
}

// The ways in which a name fits a word.
const (
	fitsWhole = iota
	fitsBeginning
	fitsLetters
	fitsNot // it was found by what it does
)

// rankSymbols sorts symbols, each once. Those that are alike keep their order.
func rankSymbols(units []index.Unit, word string, near *nearFiles) (list []rankedSymbol) {
	type place struct{ path, canon string }
	seen := map[place]bool{}
	for i := range units {
		u := &units[i]
		if at := (place{u.Path, u.Canon}); u.Name == "" || seen[at] {
			continue
		} else {
			seen[at] = true
		}
		s := rankedSymbol{Unit: u, matched: matchedLetters(u.Canon, word), rank: near.rank(u.Path),
			farTest: near.isFarTest(u)}
		s.fit = fitOf(u, word, s.matched)
		list = append(list, s)
	}
	slices.SortStableFunc(list, compareRanked)
	return list
}

// compareRanked says which symbol is offered first.
func compareRanked(a, b rankedSymbol) int {
	return cmp.Or(
		compareBool(a.fit != fitsWhole, b.fit != fitsWhole),
		compareBool(a.fit == fitsNot, b.fit == fitsNot),
		compareBool(a.farTest, b.farTest),
		cmp.Compare(a.fit, b.fit),
		cmp.Compare(a.rank, b.rank))
}

func fitOf(u *index.Unit, word string, matched []int) int {
	lower, name := strings.ToLower(word), strings.ToLower(u.Name)
	switch {
	case name == lower, strings.EqualFold(u.Canon, word):
		return fitsWhole
	case strings.HasPrefix(name, lower), strings.HasPrefix(strings.ToLower(u.Canon), lower):
		return fitsBeginning
	case matched != nil:
		return fitsLetters
	}
	return fitsNot
}

// compareBool puts false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
