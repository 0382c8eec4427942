package tools

import (
	"context"
	"path"
	"slices"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/internal/lazyregexp"
)

// Documents have few of the words of a change, so a message that names the readme means it, whatever its score is.

// readmeRank is the rank of the best place in a readme that a text names.
const readmeRank = 3

var readme = lazyregexp.New(`(?i)\breadme\b`)

// withReadme returns the hits of a text with the best place in a readme if the text names it and none of them is in
// one.
func (d Deps) withReadme(ctx context.Context, text string, hits []index.Hit) ([]index.Hit, error) {
	inReadme := func(h index.Hit) bool { return strings.HasPrefix(strings.ToLower(path.Base(h.Rel)), "readme") }
	if !readme.MatchString(text) || slices.ContainsFunc(hits, inReadme) {
		return hits, nil
	}
	found, err := d.Index.Search(ctx, index.Query{Text: text, Limit: contextHits})
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(found.Hits, inReadme)
	if at < 0 {
		return hits, nil
	}
	return slices.Insert(slices.Clone(hits), min(len(hits), readmeRank), found.Hits[at]), nil
}
