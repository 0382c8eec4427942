package query

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strings"

	"ploke-lsp/index/shards"
)

// folderCost is what it costs a path to fit only with the names of its folders.
const folderCost = 2.0

// Files returns the absolute paths of the indexed files whose paths fit what a person has typed, the best first: some
// of their characters, in their order. The name of a file counts more than the names of its folders.
func (x *Searcher) Files(ctx context.Context, typed string, limit int) (paths []string, err error) {
	wanted := strings.ToLower(typed)
	if wanted == "" || len(wanted) > maxPattern || limit <= 0 {
		return nil, nil
	}
	err = x.reader.OnViews(ctx, func(views []*shards.View) error {
		paths = nil
		for _, f := range fittingPaths(views, wanted, limit) {
			paths = append(paths, f.path)
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("finding files like %q: %w", typed, err)
	}
	return paths, nil
}

type fittingPath struct {
	path string
	cost float64
}

func fittingPaths(views []*shards.View, wanted string, limit int) (best []fittingPath) {
	for _, v := range views {
		for doc := range v.Docs() {
			if !v.Serves(doc) {
				continue
			}
			rel := v.Rel(doc)
			if cost, ok := pathCost(rel, wanted); ok {
				best = insertTop(best, fittingPath{v.Shard.Path(rel), cost}, limit, func(a, b fittingPath) int {
					return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.path, b.path))
				})
			}
		}
	}
	return best
}

// pathCost returns how badly a path fits the wanted characters, which are in lower case.
func pathCost(rel, wanted string) (cost float64, ok bool) {
	if cost, ok = fitCost(path.Base(rel), wanted); ok {
		return cost, true
	}
	cost, ok = fitCost(rel, wanted)
	return cost + folderCost, ok
}
