package tools

import (
	"cmp"
	"slices"
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

// echoed returns the files that the result lists, and leaves the others out of it with their counts. All files with other
// edits are listed, then those with new syntax errors, and that with the declaration.
func (c echoedCall) echoed(result *stagedResult) []*fileEdits {
	broken := map[string]bool{}
	for _, f := range result.Files {
		broken[f.current()] = len(f.SyntaxErrors) > 0
	}
	rank := func(f *fileEdits) int {
		switch {
		case !c.onlyRenames(f):
			return 0
		case broken[f.src.Path]:
			return 1
		case slices.ContainsFunc(c.placements, func(p placement) bool { return p.renames == f.src }):
			return 2
		}
		return 3
	}
	files := slices.SortedStableFunc(slices.Values(c.files), func(a, b *fileEdits) int { return cmp.Compare(rank(a), rank(b)) })
	renames, paths := 0, 0
	told, keep := map[int]bool{}, map[string]bool{}
	for _, f := range files {
		first := !told[f.edits[0].index]
		if c.onlyRenames(f) && !first && (renames >= renameFiles || paths+len(f.src.rel) > renamePaths) {
			result.FilesOmitted++
			result.PlacesOmitted += len(f.edits)
			continue
		}
		if keep[f.src.Path] = true; c.onlyRenames(f) {
			renames++
			paths += len(f.src.rel)
		}
		for _, e := range f.edits {
			told[e.index] = true
		}
	}
	result.Files = slices.DeleteFunc(result.Files, func(f stagedFile) bool { return !keep[f.current()] })
	return slices.DeleteFunc(slices.Clone(c.files), func(f *fileEdits) bool { return !keep[f.src.Path] })
}

// onlyRenames reports whether the call changes nothing but names in a file.
func (c echoedCall) onlyRenames(f *fileEdits) bool {
	return !slices.ContainsFunc(f.edits, func(e placed) bool { return c.placements[e.index].renames == nil })
}

// shorten shortens what is said of a file in which only names change. The proposal has the hunks.
func (f *stagedFile) shorten() {
	f.Omitted += len(f.Hunks)
	errors := min(len(f.SyntaxErrors), renameErrors)
	f.MoreErrors += len(f.SyntaxErrors) - errors
	f.Hunks, f.SyntaxErrors = []stagedHunk{}, f.SyntaxErrors[:errors]
}

// leftShown is the room for places that the renames of a call leave.
type leftShown struct{ places, bytes int }

// of returns the first places of an edit for which there is room, and how many others there are.
func (l *leftShown) of(where placement) (shown []lineOfCode, omitted int) {
	for _, place := range where.left {
		l.places++
		if l.bytes += len(place.Text) + len(place.In) + len(place.File); l.places > leftPlaces || l.bytes > leftBytes {
			break
		}
		shown = append(shown, place)
	}
	return shown, where.leftOmitted + len(where.left) - len(shown)
}
