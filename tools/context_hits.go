package tools

import (
	"context"
	"path"
	"slices"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/packing"
)

// resolveHits finds the hits in the text that the turn sees. It drops hits that no longer
// exist.
func resolveHits(ctx context.Context, srcs *current.Files, found []index.Hit) ([]*packing.Hit, error) {
	staged, err := srcs.Staged(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]*packing.Hit, 0, len(found))
	for _, f := range found {
		if _, ok := staged[f.Path]; ok { // all other files are unchanged since the index found the hits
			it, err := srcs.Resolve(ctx, f.Unit)
			if err != nil {
				return nil, err
			}
			if it == nil {
				continue
			}
			f.Unit = it.Unit()
		}
		all = append(all, &packing.Hit{Hit: f, Proposed: srcs.Proposed(f.Path)})
	}
	for i, h := range all {
		h.InParts = h.CoversLater(all[i+1:])
	}
	return all, nil
}

// turnTexts are the texts of hits as a turn sees them.
type turnTexts struct{ srcs *current.Files }

func (t turnTexts) Code(ctx context.Context, u index.Unit) (string, error) {
	code, err := t.srcs.Code(ctx, u)
	if err != nil && current.Unavailable(err) {
		return "", nil
	}
	return code, err
}

func (t turnTexts) Around(ctx context.Context, u index.Unit, wanted packing.Around) (packing.Part, error) {
	found, err := t.srcs.Around(ctx, u, wanted.Before, wanted.After, wanted.Whole)
	if err != nil && current.Unavailable(err) {
		return packing.Part{}, nil
	}
	return packing.Part(found), err
}

func (t turnTexts) SecretsOf(ctx context.Context, path string) (secrets []string, ok bool, err error) {
	secrets, err = t.srcs.SecretsOf(ctx, path)
	if err != nil && current.Unavailable(err) {
		return nil, false, nil
	}
	return secrets, err == nil, err
}

func (t turnTexts) Proposed(path string) string { return t.srcs.Proposed(path) }

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
