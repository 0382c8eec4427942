package main

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"

	"ploke-lsp/index"
)

// querySet has the queries for an index.
type querySet struct {
	Queries  []string
	Misspelt []misspelling
	Common   []string // the names that most symbols of a sample have
}

// misspelling is a name with one or two typing errors. No symbol has the typed name.
type misspelling struct{ Typed, Meant string }

type querySetRequest struct {
	Dir, State string
	List       string
	Count      int
}

// querySet returns the tree's queries, which are the same for its copies.
func (b *bench) querySet(ctx context.Context, t *tree) (*querySet, error) {
	if t.queries != nil {
		return t.queries, nil
	}
	q, _, err := runWorker[querySet](ctx, "queries", querySetRequest{t.dir, t.state, t.list, b.sampling.queries})
	if err == nil && (len(q.Queries) == 0 || len(q.Misspelt) == 0) {
		err = errors.New("no queries could be made from " + t.dir)
	}
	t.queries = &q
	return &q, err
}

// queryGenerator makes queries from random symbols. The seed is fixed.
type queryGenerator struct {
	random *rand.Rand
	index  *index.Index
	files  []listedFile
}

// makeQuerySet makes up to r.Count queries and as many misspelt names.
func makeQuerySet(ctx context.Context, r querySetRequest) (q querySet, err error) {
	x, err := open(ctx, r.Dir, r.State)
	if err != nil {
		return q, err
	}
	defer x.Close()
	files, err := readList(r.List)
	if err != nil {
		return q, err
	}
	files = slices.DeleteFunc(files, func(f listedFile) bool { return f.language == "" })
	a := &queryGenerator{random: rand.New(rand.NewPCG(7, 3)), index: x, files: files}
	for tries := 0; tries < 20*r.Count && len(files) > 0; tries++ {
		u, ok, err := a.symbol(ctx)
		if err != nil {
			return q, err
		}
		if !ok {
			continue
		}
		if query := a.query(u, tries%3 == 0); query != "" && len(q.Queries) < r.Count {
			q.Queries = append(q.Queries, query)
		}
		if len(q.Misspelt) == r.Count {
			if len(q.Queries) == r.Count {
				break
			}
			continue
		}
		m, ok, err := a.misspell(ctx, u.Name)
		if err != nil {
			return q, err
		}
		if ok {
			q.Misspelt = append(q.Misspelt, m)
		}
	}
	q.Common, err = a.common(ctx)
	return q, err
}

// common returns the names that most symbols have, in a sample of the files.
func (a *queryGenerator) common(ctx context.Context) ([]string, error) {
	const sample, names = 500, 5
	count := map[string]int{}
	for i := 0; i < len(a.files); i += max(1, len(a.files)/sample) {
		units, err := a.index.Outline(ctx, a.files[i].path)
		if err != nil {
			return nil, err
		}
		for _, u := range units {
			count[u.Name]++
		}
	}
	all := slices.SortedFunc(maps.Keys(count), func(m, n string) int {
		return cmp.Or(cmp.Compare(count[n], count[m]), strings.Compare(m, n))
	})
	return all[:min(names, len(all))], nil
}

// symbol returns a random symbol of a random file.
func (a *queryGenerator) symbol(ctx context.Context) (u index.Unit, ok bool, err error) {
	units, err := a.index.Outline(ctx, a.files[a.random.IntN(len(a.files))].path)
	if err != nil || len(units) == 0 {
		return u, false, err
	}
	return units[a.random.IntN(len(units))], true, nil
}

// query returns three to eight consecutive words from the symbol's doc comment, after its name if
// named is set. It returns "" if the comment is too short.
func (a *queryGenerator) query(u index.Unit, named bool) string {
	words := strings.FieldsFunc(u.Doc, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
	})
	n := 3 + a.random.IntN(6)
	var query []string
	if named {
		query, n = []string{u.Name}, n-1
	}
	if len(words) < n {
		return ""
	}
	from := a.random.IntN(len(words) - n + 1)
	return strings.Join(append(query, words[from:from+n]...), " ")
}

// misspell makes one or two typing errors in a name, so that no symbol has the new name.
func (a *queryGenerator) misspell(ctx context.Context, name string) (m misspelling, ok bool, err error) {
	const shortest = 6
	if len(name) < shortest || strings.ContainsFunc(name,
		func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && r != '_' }) {
		return m, false, nil
	}
	typed := []byte(name)
	for range 1 + a.random.IntN(2) {
		typed = a.mistype(typed)
	}
	found, _, err := a.index.Lookup(ctx, index.LookupQuery{Name: string(typed)})
	return misspelling{string(typed), name}, err == nil && len(found) == 0, err
}

// mistype replaces, drops, doubles or swaps a letter.
func (a *queryGenerator) mistype(word []byte) []byte {
	i := 1 + a.random.IntN(len(word)-2)
	switch a.random.IntN(4) {
	case 0:
		word[i] = 'a' + byte(a.random.IntN(26))
	case 1:
		word = slices.Delete(word, i, i+1)
	case 2:
		word = slices.Insert(word, i, word[i])
	default:
		word[i], word[i+1] = word[i+1], word[i]
	}
	return word
}
