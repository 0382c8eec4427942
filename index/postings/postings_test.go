package postings_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/index/postings"
)

func TestTerms(t *testing.T) {
	for word, want := range map[string]string{
		"Shutdown":         "shutdown",
		"parseDuration":    "pars duration parseduration",
		"HTTPServer2":      "http server httpserver2",
		"snake_case_id":    "snak case id snake_case_id",
		"__init__":         "init",
		"decoded":          "decod",
		"decoding":         "decod",
		"decodes":          "decod",
		"stopped":          "stop",
		"numbers":          "number",
		"class":            "class",
		"the":              "",
		"x":                "",
		"1234567":          "",
		"404":              "404",
		"größe":            "größ",
		"Übergrößenträger": "übergrößenträger",
		"用户登录":             "用户 户登 登录",
		"锁":                "锁",
		"使用Redis缓存":        "使用 redis 缓存",
		"カーソルを2回消す":        "カー ーソ ソル ルを 回消 消す",
	} {
		if got := strings.Join(postings.Terms(word), " "); got != want {
			t.Errorf("Terms(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	var got []string
	postings.Words([]byte("a.b_c(\"naïve\xff\",日本) \x00x9"), func(at int, word []byte) {
		got = append(got, fmt.Sprintf("%d:%s", at, word))
	})
	if diff := cmp.Diff([]string{"0:a", "2:b_c", "7:naïve", "16:日本", "25:x9"}, got); diff != "" {
		t.Errorf("words differ (-want +got):\n%s", diff)
	}
}

// document has a unit for each text, the first of them the file's own.
func document(a *postings.Analyzer, id int64, rel string, texts ...string) *postings.Document {
	for i, text := range texts {
		unit := a.Unit(int32(i) - 1)
		a.Text(unit, postings.Body, text)
		if i > 0 {
			a.Exact(unit, postings.Name, fmt.Sprintf("Name%d", i))
		}
	}
	d := a.Finish(rel, uint8(id%2))
	d.ID = id
	return d
}

// listing shows where a segment has a term, as "document/unit weight fields".
func listing(s *postings.Segment, term string) string {
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

func segment(t *testing.T, docs ...*postings.Document) []byte {
	t.Helper()
	var b postings.Builder
	for _, d := range docs {
		b.Add(d)
	}
	var out bytes.Buffer
	if err := b.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestSegment(t *testing.T) {
	var a postings.Analyzer
	data := segment(t, document(&a, 10, "a.go", "apple", "apple pear apple", "plum"), document(&a, 11, "b.go", "", "pear"))
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
		if got := listing(s, term); got != want {
			t.Errorf("%q is at %q, want %q", term, got, want)
		}
	}
	if got := names(s); !slices.Equal(got, []string{"name1", "name2"}) {
		t.Errorf("names are %q", got)
	}
	if d := s.Doc(1); s.Rel(1) != "b.go" || d.FirstUnit != 3 || d.EndUnit != 5 || d.Length != 1 || s.Length() != 6 {
		t.Errorf("document 1 is %q %+v of %d terms", s.Rel(1), d, s.Length())
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
		list = append(list, name)
	}
	return list
}

// TestSummaries asks for what a term counts in whole documents, and for the units of
// some of them.
func TestSummaries(t *testing.T) {
	var a postings.Analyzer
	var docs []*postings.Document
	for i := range 300 {
		one := a.Unit(-1)
		a.Text(one, postings.Body, strings.Repeat("pear ", i%3))
		a.Text(one, postings.Body, strings.Repeat("fig", i%3/2))
		two := a.Unit(0)
		a.Text(two, postings.Signature, "plum")
		a.Text(two, postings.Doc, "pear")
		if i%2 == 1 {
			a.Text(one, postings.Path, "pear")
		}
		a.Exact(two, postings.Name, "Pear")
		a.Exact(two, postings.Name, "Tree::Pear")
		docs = append(docs, a.Finish("f", 0))
	}
	s, err := postings.OpenBytes(segment(t, docs...))
	if err != nil {
		t.Fatal(err)
	}
	list := s.Find("pear")
	all := list.Summaries(nil)
	for i, got := range all {
		doc := uint32(i)
		if got.Doc != doc || got.Weight() != 2+doc%3 || got.InPath() != doc%2 {
			t.Errorf("document %d weighs %d, path %d; expected document %d", got.Doc, got.Weight(), got.InPath(), doc)
		}
	}
	if len(all) != 300 || list.Docs != 300 {
		t.Errorf("%d summaries of %d documents, want 300", len(all), list.Docs)
	}
	list = s.Find("fig")
	for _, doc := range []int{0, 1, 2, 2, 4, 5, 290, 299, 300} {
		group, ok := list.To(doc)
		if ok != (doc%3 == 2) {
			t.Errorf("document %d has the term: %v", doc, ok)
		} else if p, _ := group.Next(); ok && (p.Unit != 0 || p.Weight != 1 || !p.In(postings.Body)) {
			t.Errorf("document %d has it as %+v", doc, p)
		}
	}
	if got := names(s); !slices.Equal(got, []string{"pear"}) {
		t.Errorf("names are %q", got)
	}
}

func TestMerge(t *testing.T) {
	var a postings.Analyzer
	one, err := postings.OpenBytes(segment(t, document(&a, 1, "a", "pear plum"), document(&a, 2, "b", "pear", "plum")))
	if err != nil {
		t.Fatal(err)
	}
	two, err := postings.OpenBytes(segment(t, document(&a, 3, "c", "fig", "pear pear")))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	alive := func(segment, doc int) bool { return segment != 0 || doc != 0 }
	if err := postings.Merge(&out, []*postings.Segment{one, two}, alive); err != nil {
		t.Fatal(err)
	}
	merged, err := postings.OpenBytes(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for term, want := range map[string]string{"pear": "2/0 1b, 3/1 2b,", "plum": "2/1 1b,", "fig": "3/0 1b,"} {
		if got := listing(merged, term); got != want {
			t.Errorf("%q is at %q, want %q", term, got, want)
		}
	}
	for doc, want := range []uint8{0, 1} {
		if got := merged.Traits(doc); got != want || merged.Doc(doc).Traits != want {
			t.Errorf("the traits of document %d are %d, want %d", doc, got, want)
		}
	}
	if merged.Docs() != 2 || merged.Rel(0) != "b" || merged.Rel(1) != "c" || merged.Units() != 4 {
		t.Errorf("merged %d documents, %d units", merged.Docs(), merged.Units())
	}
}

// TestMergeFile merges a segment that is large enough for the merge to let go of what it
// has read of the file, which others still read.
func TestMergeFile(t *testing.T) {
	var a postings.Analyzer
	var docs []*postings.Document
	for doc := range 450 {
		var text strings.Builder
		for word := range 4000 {
			fmt.Fprintf(&text, "w%c%c%c ", 'a'+word%26, 'a'+word/26%26, 'a'+word/26/26)
		}
		docs = append(docs, document(&a, int64(doc), fmt.Sprint(doc), text.String()))
	}
	data := segment(t, docs...)
	path := filepath.Join(t.TempDir(), "segment")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := postings.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	memory, err := postings.OpenBytes(data)
	if err != nil {
		t.Fatal(err)
	}
	var merged [2]bytes.Buffer
	for i, s := range []*postings.Segment{file, memory} {
		if err := postings.Merge(&merged[i], []*postings.Segment{s}, func(_, doc int) bool { return doc%3 > 0 }); err != nil {
			t.Fatal(err)
		}
	}
	if len(data) < 8<<20 || !bytes.Equal(merged[0].Bytes(), merged[1].Bytes()) {
		t.Errorf("%d bytes in a file become %d, the same in memory %d", len(data), merged[0].Len(), merged[1].Len())
	}
	for _, term := range []string{"waaa", "wzzb", "wxkf"} {
		if got, want := listing(file, term), listing(memory, term); got != want || got == "" {
			t.Errorf("%q is at %.60q in the file, at %.60q in memory", term, got, want)
		}
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
}

// TestDamaged opens every truncation of a segment, and some with changed bytes: a
// damaged one is refused or yields something, but nothing breaks.
func TestDamaged(t *testing.T) {
	var a postings.Analyzer
	data := segment(t, document(&a, 1, "a", "pear plum fig", "pear"), document(&a, 2, "b", "plum"))
	for n := range data {
		if _, err := postings.OpenBytes(data[:n]); !errors.Is(err, postings.ErrDamaged) {
			t.Fatalf("%d of %d bytes: %v", n, len(data), err)
		}
	}
	for n := range data {
		changed := bytes.Clone(data)
		changed[n] ^= 0xff
		s, err := postings.OpenBytes(changed)
		if err != nil {
			continue
		}
		for _, term := range []string{"pear", "plum", "fig", "=name1"} {
			listing(s, term)
		}
		names(s)
	}
}
