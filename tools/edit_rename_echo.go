package tools

import (
	"cmp"
	"slices"

	"ploke-lsp/edits"
	"ploke-lsp/tools/placing"
)

// Bounds of what a result lists of the renames of a call: a name may have thousands of uses, and the model knows how
// each of them reads now.
const (
	renameFiles  = 6    // with nothing but new names, besides the first of each rename
	renamePaths  = 1000 // bytes of their paths
	renameLines  = 8    // line numbers of one of them
	renameErrors = 1    // syntax errors of one of them
	leftPlaces   = 8    // that renames leave
	leftBytes    = 1200 // of these
)

// echoed returns the files that the result lists, and leaves the others out of it with their
// counts. All files with other edits are listed, then those with new syntax errors, and that with
// the declaration.
func (c echoedCall) echoed(result *stagedResult) []*placing.FileEdits {
	broken := map[string]bool{}
	for _, f := range result.Files {
		broken[f.current()] = len(f.SyntaxErrors) > 0
	}
	rank := func(f *placing.FileEdits) int {
		switch {
		case !c.onlyRenames(f):
			return 0
		case broken[f.Src.Path]:
			return 1
		case slices.ContainsFunc(c.Placements, func(p placing.Placement) bool { return p.Renames == f.Src }):
			return 2
		}
		return 3
	}
	files := slices.SortedStableFunc(slices.Values(c.Files),
		func(a, b *placing.FileEdits) int { return cmp.Compare(rank(a), rank(b)) })
	renames, paths := 0, 0
	told, keep := map[int]bool{}, c.created()
	for _, f := range files {
		first := !told[f.Edits[0].Index]
		if c.onlyRenames(f) && !first && (renames >= renameFiles || paths+len(f.Src.Rel) > renamePaths) {
			result.FilesOmitted++
			result.PlacesOmitted += len(f.Edits)
			continue
		}
		if keep[f.Src.Path] = true; c.onlyRenames(f) {
			renames++
			paths += len(f.Src.Rel)
		}
		for _, e := range f.Edits {
			told[e.Index] = true
		}
	}
	result.Files = slices.DeleteFunc(result.Files, func(f stagedFile) bool { return !keep[f.current()] })
	return slices.DeleteFunc(slices.Clone(c.Files), func(f *placing.FileEdits) bool { return !keep[f.Src.Path] })
}

// created returns the paths of the files that the call creates.
func (c echoedCall) created() map[string]bool {
	paths := map[string]bool{}
	for _, o := range c.Operations {
		if o.Op == edits.OpCreate {
			paths[o.Path] = true
		}
	}
	return paths
}

// onlyRenames reports whether the call changes nothing but names in a file.
func (c echoedCall) onlyRenames(f *placing.FileEdits) bool {
	return !slices.ContainsFunc(f.Edits, func(e placing.Placed) bool { return c.Placements[e.Index].Renames == nil })
}

// shorten shortens what is said of a file in which only names change. The proposal has the hunks.
func (f *stagedFile) shorten() {
	f.Omitted += len(f.Hunks)
	errors := min(len(f.SyntaxErrors), renameErrors)
	f.MoreErrors += len(f.SyntaxErrors) - errors
	f.Hunks, f.SyntaxErrors = []stagedHunk{}, f.SyntaxErrors[:errors]
}

// leftShown is what is shown of the places that the renames of a call leave.
type leftShown struct{ places, bytes int }

// of returns the first places of an edit that may be shown, and how many others there are.
func (l *leftShown) of(where placing.Placement) (shown []placing.CodeLine, omitted int) {
	for _, place := range where.Left {
		l.places++
		if l.bytes += len(place.Text) + len(place.In) + len(place.File); l.places > leftPlaces || l.bytes > leftBytes {
			break
		}
		shown = append(shown, place)
	}
	return shown, where.LeftOmitted + len(where.Left) - len(shown)
}
