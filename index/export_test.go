package index

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"ploke-lsp/index/postings"
)

// WhileIndexing runs f while an unsaved text is being indexed.
func (x *Index) WhileIndexing(f func()) {
	x.incremental.mu.Lock()
	defer x.incremental.mu.Unlock()
	f()
}

// Contents returns everything that the index holds of each file, by its path: the stored
// values, and how often each unit has each term. Indexes of the same files have the same
// contents, however they were built.
func (x *Index) Contents(ctx context.Context, terms []string) (map[string]string, error) {
	all := map[string]*strings.Builder{}
	overlay := x.unsavedBuffers()
	for path, b := range overlay {
		f := b.source.parsed
		all[path] = &strings.Builder{}
		fmt.Fprintln(all[path], "unsaved", f.Language, b.source.hash, f.Symbols, f.Refs)
	}
	for _, s := range x.all() {
		_, err := queryRows(ctx, s.db.read, func(rows *sql.Rows) (struct{}, error) {
			return struct{}{}, describe(rows, s, overlay, all)
		}, `SELECT rel, size, hash, lines, language, skip, f.symbols, f.refs, problems, c.symbols, c.refs
			FROM files f LEFT JOIN contents c ON c.file = f.id`)
		if err != nil {
			return nil, err
		}
	}
	views, release := x.views(x.all())
	defer release()
	for _, v := range views {
		for _, term := range terms {
			v.describe(term, all)
		}
	}
	contents := map[string]string{}
	for path, text := range all {
		contents[path] = text.String()
	}
	return contents, nil
}

func describe(rows *sql.Rows, s *shard, overlay map[string]*buffer, all map[string]*strings.Builder) error {
	var rel, hash, language, skip string
	var size, lines, symbolCount, refCount, problems int
	var symbolData, refs []byte
	err := rows.Scan(&rel, &size, &hash, &lines, &language, &skip, &symbolCount, &refCount, &problems, &symbolData, &refs)
	if err != nil || overlay[s.path(rel)] != nil {
		return err
	}
	symbols, ok := decodeSymbols(symbolData)
	if !ok {
		return ErrDamaged
	}
	text := &strings.Builder{}
	fmt.Fprintln(text, size, hash, lines, language, skip, symbolCount, refCount, problems, symbols)
	fmt.Fprintf(text, "%x\n", refs)
	if all[s.path(rel)] != nil {
		return fmt.Errorf("%s is there twice", rel)
	}
	all[s.path(rel)] = text
	return nil
}

// describe adds where a term is.
func (v *view) describe(term string, all map[string]*strings.Builder) {
	list := v.Find(term)
	for doc, group, ok := list.Next(); ok; doc, group, ok = list.Next() {
		if !v.serves(doc) {
			continue
		}
		text := all[v.shard.path(v.Rel(doc))]
		if text == nil {
			text = &strings.Builder{}
			all[v.shard.path(v.Rel(doc))+" (a ghost)"] = text
		}
		for p, ok := group.Next(); ok; p, ok = group.Next() {
			info := v.Unit(v.Doc(doc).FirstUnit + p.Unit)
			fmt.Fprintln(text, term, info.Ordinal, info.Length, p)
		}
	}
}

// Terms returns the terms that words are found by.
func Terms(words []string) (terms []string) {
	for _, word := range words {
		terms = append(terms, postings.Exact(word))
		terms = append(terms, postings.Terms(word)...)
	}
	return terms
}
