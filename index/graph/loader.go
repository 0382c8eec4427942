package graph

import (
	"context"
	"math"

	"ploke-lsp/index/shards"
)

// loader has the modules of files during one call of the API, each loaded when it is first needed. It keeps
// the call's context and first error, so that what uses it reads as rules.
//
// A file has one module, however it is found. Its content is that of the index until its text is asked for:
// if the text has changed since it was indexed, the module is read again from the text, and what was derived
// from the earlier content is no longer true. The loader says so by calling changed.
type loader struct {
	*shards.CurrentTexts
	ctx      context.Context
	err      error
	views    []*shards.View
	overlaid []*Module // see Overlay
	changed  func()    // is called when the content of a module has changed

	wordBudget     int  // the number of words of files that may still be loaded
	budgetExceeded bool // from then on, results are incomplete

	texts     map[file]*Module                // those of texts that are not the indexed ones
	documents map[*shards.View][]*Module      // by the number of the document; nil: not yet needed
	dirs      map[*shards.View][]*shardFolder // by their numbers in the view; nil: not yet needed
	folders   map[file]*shardFolder
	packages  map[*shards.Shard]*packages
}

func newLoader(ctx context.Context, x shards.Reader, views []*shards.View) *loader {
	return &loader{
		CurrentTexts: x.Texts(), ctx: ctx, views: views, wordBudget: math.MaxInt,
		texts: map[file]*Module{}, documents: map[*shards.View][]*Module{}, dirs: map[*shards.View][]*shardFolder{},
		folders: map[file]*shardFolder{}, packages: map[*shards.Shard]*packages{},
	}
}
