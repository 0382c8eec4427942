package scipindex

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"ploke-lsp/internal/disk"
)

// A State says what a file has.
type State struct {
	Path      string
	Problem   string // why it is not used; "" if it is
	Source    string // such as "scip-go v0.1.26 at 1a2b3c4d5e"
	Documents int    // of different paths
	Unchanged int    // of them, that have the texts that were indexed
	Passed    int    // that are too long to be read
	Bytes     int    // of memory that it takes
}

// String is a line for people.
func (s State) String() string {
	if s.Problem != "" {
		return fmt.Sprintf("%s is not used: %s", s.Path, s.Problem)
	}
	line := fmt.Sprintf("%s, by %s: %d of its %d documents are unchanged, and answered from it", s.Path, s.Source,
		s.Unchanged, s.Documents)
	if s.Passed > 0 {
		line += fmt.Sprintf("; %d are too long", s.Passed)
	}
	return line
}

// States reads the files of the settings, and compares all of their documents with the present texts.
func (f *Files) States(ctx context.Context) (states []State) {
	for _, path := range f.paths() {
		states = append(states, f.state(ctx, path))
	}
	return states
}

func (f *Files) state(ctx context.Context, path string) State {
	s := State{Path: path}
	t, err := f.table(ctx, path)
	if err != nil {
		s.Problem = err.Error()
		return s
	}
	s.Source, s.Documents, s.Bytes, s.Passed = t.source(), len(t.byPath), t.bytes, t.passed
	in, info, err := disk.OpenRegular(path)
	if err != nil {
		s.Problem = err.Error()
		return s
	}
	defer in.Close()
	switch {
	case !t.identity.same(identity{info, t.identity.roots}):
		s.Problem = "it has just changed"
	case t.dir == "":
		s.Problem = "no folder that is open has its documents"
	case !t.tellsTexts():
		s.Problem = "it does not say for which texts it was made: put the commit into its name, as in " +
			"index-1a2b3c4d.scip, or make it in this folder"
	}
	if s.Problem != "" {
		return s
	}
	for _, path := range slices.Sorted(maps.Keys(t.byPath)) {
		if t.unchanged(ctx, f.options.Workspace, in, path) != nil {
			s.Unchanged++
		}
	}
	if ctx.Err() != nil {
		s.Problem = ctx.Err().Error()
	}
	return s
}

// tellsTexts reports whether there is a way to know for which texts an index was made.
func (t *table) tellsTexts() bool {
	return t.here || t.commit != "" ||
		slices.ContainsFunc(t.documents, func(d document) bool { return d.text != "" })
}
