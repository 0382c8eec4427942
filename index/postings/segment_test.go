package postings_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/index/postings"
)

// add adds a document with a unit for each text. The first unit is the file's.
func add(b *postings.Builder, id int64, rel string, texts ...string) {
	for i, text := range texts {
		unit := b.Unit(int32(i) - 1)
		b.Text(unit, postings.Body, text)
		if i > 0 {
			b.Exact(unit, postings.Name, fmt.Sprintf("Name%d", i))
		}
	}
	b.Finish(id, rel, uint8(id%2))
	b.Store([]byte("record of "+rel), []byte("references of "+rel))
}

// postingsOf returns the postings of a term, each as "document/unit weight fields".
func postingsOf(s *postings.Segment, term string) string {
	var b strings.Builder
	list := s.Find(term)
	for {
		doc, group, ok := list.Next()
		if !ok {
			return strings.TrimSpace(b.String())
		}
		for {
			p, ok := group.Next()
			if !ok {
				break
			}
			fields := ""
			for i, field := range []postings.Field{postings.Name, postings.Signature, postings.Doc, postings.Body, postings.Path} {
				if p.In(field) {
					fields += "nsdbp"[i : i+1]
				}
			}
			fmt.Fprintf(&b, "%d/%d %d%s, ", s.Doc(doc).ID, p.Unit, p.Weight, fields)
		}
	}
}

// segment returns the segment of the documents in b.
func segment(t testing.TB, b *postings.Builder) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := b.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestSegment(t *testing.T) {
	var b postings.Builder
	add(&b, 10, "a.go", "apple", "apple pear apple", "plum")
	add(&b, 11, "b.go", "", "pear")
	data := segment(t, &b)
	path := filepath.Join(t.TempDir(), "1.seg")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := postings.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for term, want := range map[string]string{
		stem("apple"): "10/0 1b, 10/1 2b,", "pear": "10/1 1b, 11/1 1b,", "plum": "10/2 1b,", "cherry": "", "=name2": "10/2 5n,",
	} {
		if got := postingsOf(s, term); got != want {
			t.Errorf("%q is at %q, want %q", term, got, want)
		}
	}
	if got := names(s); !slices.Equal(got, []string{"name1", "name2"}) {
		t.Errorf("names are %q", got)
	}
	if d := s.Doc(1); s.Rel(1) != "b.go" || d.FirstUnit != 3 || d.EndUnit != 5 || d.Length != 1 || s.Length() != 6 {
		t.Errorf("document 1 is %q %+v of %d terms", s.Rel(1), d, s.Length())
	}
	for doc, rel := range []string{"a.go", "b.go"} {
		if record, references := string(s.Record(doc)), string(s.References(doc)); record != "record of "+rel ||
			references != "references of "+rel {
			t.Errorf("document %d has %q and %q", doc, record, references)
		}
	}
}

// TestDocAt finds documents by their paths, in another order than that of the paths, and two with the same path.
func TestDocAt(t *testing.T) {
	rels := []string{"m", "b/c", "z", "b", "m", "b/a"}
	var b postings.Builder
	for i, rel := range rels {
		add(&b, int64(i), rel, "text")
	}
	s, err := postings.OpenBytes(segment(t, &b))
	if err != nil {
		t.Fatal(err)
	}
	for doc, rel := range rels {
		if got, ok := s.DocAt(rel, func(n int) bool { return n >= doc }); !ok || got != doc {
			t.Errorf("%q is document %d, %v; want %d", rel, got, ok, doc)
		}
	}
	for _, rel := range []string{"", "a", "b/b", "n", "zz"} {
		if got, ok := s.DocAt(rel, func(int) bool { return true }); ok {
			t.Errorf("%q is document %d", rel, got)
		}
	}
	if got, ok := s.DocAt("z", func(int) bool { return false }); ok {
		t.Errorf("document %d was not accepted", got)
	}
}

func stem(word string) string { return postings.Terms(word)[0] }

func names(s *postings.Segment) (list []string) {
	names := s.Names()
	for i := range names.Len() {
		name := string(names.Name(i))
		if names.Sketch(i) != postings.NewSketch(name) || names.Sketch(i).Len() != len(name) {
			name += " with another sketch"
		}
		if names.Pairs(i) != postings.NewPairs(name) {
			name += " with other pairs"
		}
		list = append(list, name)
	}
	return list
}

// TestSummaries reads the summaries of whole documents, and the units of some of them.
func TestSummaries(t *testing.T) {
	var b postings.Builder
	for i := range 300 {
		one := b.Unit(-1)
		b.Text(one, postings.Body, strings.Repeat("pear ", i%3))
		b.Text(one, postings.Body, strings.Repeat("fig", i%3/2))
		two := b.Unit(0)
		b.Text(two, postings.Signature, "plum")
		b.Text(two, postings.Doc, "pear")
		if i%2 == 1 {
			b.Text(one, postings.Path, "pear")
		}
		b.Exact(two, postings.Name, "Pear")
		b.Exact(two, postings.Name, "Tree::Pear")
		b.Finish(int64(i), "f", 0)
	}
	s, err := postings.OpenBytes(segment(t, &b))
	if err != nil {
		t.Fatal(err)
	}
	list := s.Find("pear")
	all := list.Summaries(nil)
	for i, got := range all {
		doc := uint32(i)
		if got.Doc != doc || got.Weight() != 2+doc%3 || got.InPath() != doc%2 {
			t.Errorf("document %d has weight %d and path %d; want document %d", got.Doc, got.Weight(), got.InPath(), doc)
		}
	}
	if len(all) != 300 || list.Docs != 300 {
		t.Errorf("%d summaries of %d documents, want 300", len(all), list.Docs)
	}
	list = s.Find("fig")
	for _, doc := range []int{0, 1, 2, 2, 4, 5, 290, 299, 300} {
		group, ok := list.To(doc)
		if ok != (doc%3 == 2) {
			t.Errorf("To(%d) = %v", doc, ok)
		} else if p, _ := group.Next(); ok && (p.Unit != 0 || p.Weight != 1 || !p.In(postings.Body)) {
			t.Errorf("document %d has the posting %+v", doc, p)
		}
	}
	if got := names(s); !slices.Equal(got, []string{"pear"}) {
		t.Errorf("names are %q", got)
	}
}

// TestBuilderIsReused writes several segments with one builder: each has its own documents, and is what a
// new builder writes.
func TestBuilderIsReused(t *testing.T) {
	var reused postings.Builder
	for round := range 3 {
		var fresh postings.Builder
		for _, b := range []*postings.Builder{&reused, &fresh} {
			for doc := range 20 {
				var text strings.Builder
				for word := range 2000 {
					fmt.Fprintf(&text, "w%xz ", (doc*1000+word)*(round+1))
				}
				add(b, int64(doc), fmt.Sprint(doc), text.String(), fmt.Sprint("pear", round))
			}
		}
		if docs := reused.Docs(); docs != 20 || reused.Size() != fresh.Size() {
			t.Errorf("round %d: %d documents of %d bytes, want 20 of %d", round, docs, reused.Size(), fresh.Size())
		}
		if !bytes.Equal(segment(t, &reused), segment(t, &fresh)) {
			t.Errorf("round %d: the segments differ", round)
		}
		if reused.Docs() != 0 || reused.Size() != 0 {
			t.Errorf("round %d: %d documents of %d bytes are left", round, reused.Docs(), reused.Size())
		}
	}
}
