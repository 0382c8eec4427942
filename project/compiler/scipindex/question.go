package scipindex

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/internal/disk"
	"ploke-lsp/internal/scip"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project/compiler"
)

// question is one question with its answer.
type question struct {
	compiler.Question
	files  *Files
	table  *table
	in     *os.File
	path   string          // of the question's document
	named  map[string]bool // the symbols at its place
	answer compiler.Answer
	seen   map[compiler.Place]bool
}

const (
	maxPlaces  = 100_000 // of an answer
	maxSymbols = 1_000   // that an answer is about
)

// errTooMany says that an answer would be too long.
var errTooMany = errors.New("the symbol has too many places")

// run answers a question about a place of a document whose text is unchanged.
func (q *question) run(ctx context.Context, find func(*question, context.Context) error) error {
	rel, err := filepath.Rel(q.table.dir, q.Path)
	if err != nil || !filepath.IsLocal(rel) {
		return compiler.ErrNone
	}
	q.path, q.seen = filepath.ToSlash(rel), map[compiler.Place]bool{}
	if len(q.table.byPath[q.path]) == 0 {
		return compiler.ErrNone
	}
	in, info, err := disk.OpenRegular(q.table.path)
	if err != nil {
		return err
	}
	defer in.Close()
	if !q.table.identity.same(identity{info, q.table.identity.roots}) {
		return compiler.ErrChanged
	}
	q.in = in
	file := q.unchanged(ctx, q.path)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case file == nil:
		return compiler.ErrNone
	case file.Hash != q.Hash:
		return compiler.ErrChanged // the offset is one of another text
	}
	if err := q.name(file); err != nil {
		return err
	}
	if len(q.named) == 0 {
		return compiler.ErrNone
	}
	if err := find(q, ctx); err != nil {
		return q.orChanged(err)
	}
	slices.SortFunc(q.answer.Places, func(a, b compiler.Place) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return a.Start - b.Start
	})
	q.answer.Knows = q.knows(context.WithoutCancel(ctx)) // it is asked later
	return ctx.Err()
}

// orChanged returns why a file that was read before can't be read now.
func (q *question) orChanged(err error) error {
	if errors.Is(err, errTooMany) {
		return fmt.Errorf("%w for %s", err, filepath.Base(q.table.path))
	}
	if now, statErr := disk.Stat(q.table.path); statErr != nil ||
		!q.table.identity.same(identity{now, q.table.identity.roots}) {
		return compiler.ErrChanged
	}
	return err
}

func (q *question) unchanged(ctx context.Context, path string) *workspace.File {
	return q.table.unchanged(ctx, q.files.options.Workspace, q.in, path)
}

// knows returns whether it is known what a place means: a symbol is named there, in a text that was indexed. An indexer
// tells nothing of a place whose meaning it has not found.
func (q *question) knows(ctx context.Context) func(compiler.Place) bool {
	known := map[string]*knownText{}
	return func(p compiler.Place) bool {
		if known[p.Path] == nil {
			known[p.Path] = q.known(ctx, p.Path)
		}
		return known[p.Path].hash == p.Hash && known[p.Path].named[p.Start]
	}
}

// knownText is a text with the offsets at which symbols are named.
type knownText struct {
	hash  string // "" if nothing is known of the file
	named map[int]bool
}

func (q *question) known(ctx context.Context, path string) *knownText {
	k := &knownText{named: map[int]bool{}}
	rel, err := filepath.Rel(q.table.dir, path)
	if err != nil || !filepath.IsLocal(rel) {
		return k
	}
	rel = filepath.ToSlash(rel)
	in, info, err := disk.OpenRegular(q.table.path)
	if err != nil {
		return k
	}
	defer in.Close()
	if !q.table.identity.same(identity{info, q.table.identity.roots}) {
		return k
	}
	file := q.table.unchanged(ctx, q.files.options.Workspace, in, rel)
	if file == nil {
		return k
	}
	lines := scip.NewLines(file.Text)
	for _, i := range q.table.byPath[rel] {
		d, err := q.table.documents[i].readFrom(in)
		if err == nil {
			err = d.Occurrences(func(o scip.Occurrence) error {
				if start, end, ok := lines.Bytes(o.Range, d.Encoding); ok && start < end {
					k.named[start] = true
				}
				return nil
			})
		}
		if err != nil {
			return &knownText{}
		}
	}
	k.hash = file.Hash
	return k
}

// name finds the symbols at the place of the question: those that are declared there, or else those that are used.
func (q *question) name(file *workspace.File) error {
	lines, declared, used := scip.NewLines(file.Text), map[string]bool{}, map[string]bool{}
	for _, i := range q.table.byPath[q.path] {
		d, err := q.table.documents[i].readFrom(q.in)
		if err != nil {
			return q.orChanged(err)
		}
		err = d.Occurrences(func(o scip.Occurrence) error {
			start, end, ok := lines.Bytes(o.Range, d.Encoding)
			switch {
			case !ok || q.Offset < start || q.Offset >= end:
			case o.Roles&(scip.Definition|scip.ForwardDefinition) != 0:
				declared[string(o.Symbol)] = true
			default:
				used[string(o.Symbol)] = true
			}
			return nil
		})
		if err != nil {
			return q.orChanged(err)
		}
	}
	if q.named = declared; len(declared) == 0 {
		q.named = used
	}
	return nil
}

// references finds the places that name the symbols, or one of those of which the file says that who looks for one
// looks for the other.
func (q *question) references(ctx context.Context) error {
	symbols := maps.Clone(q.named)
	err := q.relationships(ctx, q.named, func(symbol string, r scip.Relationship) {
		if r.Reference || r.Definition {
			symbols[symbol], symbols[string(r.Symbol)] = true, true
		}
	})
	if err != nil {
		return err
	}
	return q.places(ctx, symbols, false)
}

// definition finds where the symbols are declared.
func (q *question) definition(ctx context.Context) error { return q.places(ctx, q.named, true) }

// implementations finds where that is declared which implements the symbols, directly or not.
func (q *question) implementations(ctx context.Context) error {
	all, found := maps.Clone(q.named), map[string]bool{}
	for of := q.named; len(of) > 0; {
		next := map[string]bool{}
		err := q.relationships(ctx, of, func(symbol string, r scip.Relationship) {
			if r.Implementation && of[string(r.Symbol)] && !all[symbol] {
				all[symbol], found[symbol], next[symbol] = true, true, true
			}
		})
		if err != nil {
			return err
		}
		if len(found) > maxSymbols {
			return errTooMany
		}
		of = next
	}
	return q.places(ctx, found, true)
}

// relationships calls visit with what some symbols and others are to each other, in all documents.
func (q *question) relationships(ctx context.Context, of map[string]bool,
	visit func(symbol string, r scip.Relationship)) error {
	return q.documents(ctx, of, func(path string, d scip.Document) error {
		return d.Relationships(func(symbol []byte, r scip.Relationship) error {
			if of[string(symbol)] || of[string(r.Symbol)] {
				visit(string(symbol), r)
			}
			return nil
		})
	})
}

// places adds the places of symbols in unchanged documents: where they are declared, or where they are not.
func (q *question) places(ctx context.Context, symbols map[string]bool, declared bool) error {
	if len(symbols) > maxSymbols {
		return errTooMany
	}
	return q.documents(ctx, symbols, func(path string, d scip.Document) error {
		var file *workspace.File
		var lines *scip.Lines
		return d.Occurrences(func(o scip.Occurrence) error {
			isDeclared := o.Roles&(scip.Definition|scip.ForwardDefinition) != 0
			if isDeclared != declared || !symbols[string(o.Symbol)] || scip.IsLocal(o.Symbol) && path != q.path {
				return nil
			}
			if file == nil {
				if file = q.unchanged(ctx, path); file == nil {
					return errPassed
				}
				lines = scip.NewLines(file.Text)
			}
			start, end, ok := lines.Bytes(o.Range, d.Encoding)
			if !ok || start == end {
				return nil
			}
			return q.add(compiler.Place{Path: file.Path, Start: start, End: end, Hash: file.Hash}, declared)
		})
	})
}

// errPassed ends what is done with a document.
var errPassed = errors.New("passed over")

// add adds a place. Of references, that of the question is none.
func (q *question) add(p compiler.Place, declared bool) error {
	if q.seen[p] || !declared && p.Path == q.Path && p.Start <= q.Offset && q.Offset < p.End {
		return nil
	}
	if len(q.answer.Places) == maxPlaces {
		return errTooMany
	}
	q.seen[p] = true
	q.answer.Places = append(q.answer.Places, p)
	return nil
}

// documents calls visit with the documents that may have one of some symbols.
func (q *question) documents(ctx context.Context, symbols map[string]bool,
	visit func(path string, d scip.Document) error) error {
	var hashes []uint32
	local := false
	for symbol := range symbols {
		if scip.IsLocal([]byte(symbol)) {
			local = true
		} else {
			hashes = append(hashes, hashOf([]byte(symbol)))
		}
	}
	for i := range q.table.documents {
		d := &q.table.documents[i]
		if !d.has(hashes) && !(local && d.path == q.path) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		read, err := d.readFrom(q.in)
		if err != nil {
			return err
		}
		if err := visit(d.path, read); err != nil && err != errPassed {
			return err
		}
	}
	return nil
}
