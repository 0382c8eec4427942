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

// WriteAfter calls end in a transaction of the first folder, and then writes until that fails.
func (x *Index) WriteAfter(ctx context.Context, end func()) error {
	return x.all()[0].db.transact(ctx, func(tx *sql.Tx) error {
		end()
		for {
			if err := setMeta(tx, "written", 1); err != nil {
				return err
			}
		}
	})
}

// SegmentError is what the error of opening a segment's file means.
var SegmentError = segmentError

// InBackground does work in the background.
func (x *Index) InBackground(what string, work func(context.Context) error) {
	x.inBackground(what, "", work)
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
		}, `SELECT rel, size, hash, lines, language, skip, symbols, refs, problems FROM files`)
		if err != nil {
			return nil, err
		}
	}
	views, release := x.views(x.all())
	defer release()
	for _, v := range views {
		if err := v.describeFiles(all); err != nil {
			return nil, err
		}
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
	err := rows.Scan(&rel, &size, &hash, &lines, &language, &skip, &symbolCount, &refCount, &problems)
	if err != nil || overlay[s.path(rel)] != nil {
		return err
	}
	text := &strings.Builder{}
	fmt.Fprintln(text, size, hash, lines, language, skip, symbolCount, refCount, problems)
	if all[s.path(rel)] != nil {
		return fmt.Errorf("%s is there twice", rel)
	}
	all[s.path(rel)] = text
	return nil
}

// describeFiles adds what is stored of the files.
func (v *view) describeFiles(all map[string]*strings.Builder) error {
	for doc := range v.Docs() {
		if v.buffer != nil || !v.serves(doc) {
			continue
		}
		c, err := v.content(doc)
		if err != nil {
			return err
		}
		if found, at, ok := documentAt([]*view{v}, v.shard, c.row.rel); !ok || found != v || at != doc {
			return fmt.Errorf("%s is at %d, not at %d", c.row.rel, at, doc)
		}
		fmt.Fprintln(v.textIn(all, doc), c.row.size, c.row.hash, c.row.lines, c.row.language, c.symbols)
		fmt.Fprintf(v.textIn(all, doc), "%x\n", v.References(doc))
	}
	return nil
}

// textIn returns the text about a document.
func (v *view) textIn(all map[string]*strings.Builder, doc int) *strings.Builder {
	path := v.shard.path(v.Rel(doc))
	if all[path] == nil {
		path += " (a ghost)"
		if all[path] == nil {
			all[path] = &strings.Builder{}
		}
	}
	return all[path]
}

// describe adds where a term is.
func (v *view) describe(term string, all map[string]*strings.Builder) {
	list := v.Find(term)
	for doc, group, ok := list.Next(); ok; doc, group, ok = list.Next() {
		if !v.serves(doc) {
			continue
		}
		text := v.textIn(all, doc)
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
