package index

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"

	"ploke-lsp/index/pagesum"
	"ploke-lsp/index/postings"
	"ploke-lsp/index/shards"
)

// Contents returns everything that the index holds of each file, by its path: the stored
// values, and how often each unit has each term. Indexes of the same files have the same
// contents, however they were built. state is the folder of the index.
func (x *Index) Contents(ctx context.Context, state string, terms []string) (map[string]string, error) {
	all := map[string]*strings.Builder{}
	overlay := x.Reader().UnsavedBuffers()
	for path, b := range overlay {
		f := b.Source.Parsed
		all[path] = &strings.Builder{}
		fmt.Fprintln(all[path], "unsaved", f.Language, b.Source.Hash, f.Symbols, f.Refs)
	}
	err := x.Reader().OnViews(ctx, func(views []*shards.View) error {
		if err := describeRows(state, views[0].Shard, overlay, all); err != nil {
			return err
		}
		for _, v := range views {
			if err := describeFiles(v, all); err != nil {
				return err
			}
			for _, term := range terms {
				describeTerm(v, term, all)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	contents := map[string]string{}
	for path, text := range all {
		contents[path] = text.String()
	}
	return contents, nil
}

// describeRows adds what the database in the folder of an index holds of each file.
func describeRows(state string, s *shards.Shard, overlay map[string]*shards.Buffer, all map[string]*strings.Builder) error {
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(state, "index.db")+"?vfs="+pagesum.VFS)
	if err != nil {
		return err
	}
	defer db.Close()
	rows, err := db.Query(`SELECT rel, size, hash, lines, language, skip, symbols, refs, problems FROM files`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := describe(rows, s, overlay, all); err != nil {
			return err
		}
	}
	return rows.Err()
}

func describe(rows *sql.Rows, s *shards.Shard, overlay map[string]*shards.Buffer, all map[string]*strings.Builder) error {
	var rel, hash, language, skip string
	var size, lines, symbolCount, refCount, problems int
	err := rows.Scan(&rel, &size, &hash, &lines, &language, &skip, &symbolCount, &refCount, &problems)
	if err != nil || overlay[s.Path(rel)] != nil {
		return err
	}
	text := &strings.Builder{}
	fmt.Fprintln(text, size, hash, lines, language, skip, symbolCount, refCount, problems)
	if all[s.Path(rel)] != nil {
		return fmt.Errorf("%s is there twice", rel)
	}
	all[s.Path(rel)] = text
	return nil
}

// describeFiles adds what is stored of the files.
func describeFiles(v *shards.View, all map[string]*strings.Builder) error {
	for doc := range v.Docs() {
		if v.Buffer != nil || !v.Serves(doc) {
			continue
		}
		c, err := v.Content(doc)
		if err != nil {
			return err
		}
		if found, at, ok := shards.DocumentAt([]*shards.View{v}, v.Shard, c.Row.Rel); !ok || found != v || at != doc {
			return fmt.Errorf("%s is at %d, not at %d", c.Row.Rel, at, doc)
		}
		fmt.Fprintln(textIn(v, all, doc), c.Row.Size, c.Row.Hash, c.Row.Lines, c.Row.Language, c.Symbols)
		fmt.Fprintf(textIn(v, all, doc), "%x\n", v.References(doc))
	}
	return nil
}

// textIn returns the text about a document.
func textIn(v *shards.View, all map[string]*strings.Builder, doc int) *strings.Builder {
	path := v.Shard.Path(v.Rel(doc))
	if all[path] == nil {
		path += " (a ghost)"
		if all[path] == nil {
			all[path] = &strings.Builder{}
		}
	}
	return all[path]
}

// describeTerm adds where a term is.
func describeTerm(v *shards.View, term string, all map[string]*strings.Builder) {
	list := v.Find(term)
	for doc, group, ok := list.Next(); ok; doc, group, ok = list.Next() {
		if !v.Serves(doc) {
			continue
		}
		text := textIn(v, all, doc)
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
