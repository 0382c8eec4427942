package postings_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/index/postings"
	"ploke-lsp/internal/testbed"
)

func TestMerge(t *testing.T) {
	var b postings.Builder
	add(&b, 1, "a", "pear plum")
	add(&b, 2, "b", "pear", "plum")
	one, err := postings.OpenBytes(segment(t, &b))
	if err != nil {
		t.Fatal(err)
	}
	add(&b, 3, "c", "fig", "pear pear")
	two, err := postings.OpenBytes(segment(t, &b))
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
		if got := postingsOf(merged, term); got != want {
			t.Errorf("%q is at %q, want %q", term, got, want)
		}
	}
	for doc, want := range []uint8{0, 1} {
		if got := merged.Traits(doc); got != want || merged.Doc(doc).Traits != want {
			t.Errorf("the traits of document %d are %d, want %d", doc, got, want)
		}
	}
	for doc, rel := range []string{"b", "c"} {
		if record, references := string(merged.Record(doc)), string(merged.References(doc)); record != "record of "+rel ||
			references != "references of "+rel {
			t.Errorf("document %d has %q and %q", doc, record, references)
		}
	}
	if merged.Docs() != 2 || merged.Rel(0) != "b" || merged.Rel(1) != "c" || merged.Units() != 4 {
		t.Errorf("merged %d documents, %d units", merged.Docs(), merged.Units())
	}
}

// TestMergeFile merges a mapped segment that is large enough for the merge to evict what
// it has read. The segment stays readable.
func TestMergeFile(t *testing.T) {
	testbed.Long(t)
	var b postings.Builder
	for doc := range 450 {
		var text strings.Builder
		for word := range 4000 {
			fmt.Fprintf(&text, "w%c%c%c ", 'a'+word%26, 'a'+word/26%26, 'a'+word/26/26)
		}
		add(&b, int64(doc), fmt.Sprint(doc), text.String())
	}
	data := segment(t, &b)
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
		t.Errorf("%d bytes in a file merge to %d bytes, the same bytes in memory to %d", len(data), merged[0].Len(), merged[1].Len())
	}
	for _, term := range []string{"waaa", "wzzb", "wxkf"} {
		if got, want := postingsOf(file, term), postingsOf(memory, term); got != want || got == "" {
			t.Errorf("%q is at %.60q in the file, at %.60q in memory", term, got, want)
		}
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
}

// TestMergeRanges merges segments with far more lists than one range of terms holds. The result is the segment that a
// builder writes that gets all of their documents.
func TestMergeRanges(t *testing.T) {
	testbed.Long(t)
	var all, some postings.Builder
	var segments []*postings.Segment
	for doc := range 600 {
		var text strings.Builder
		for word := range 4000 {
			if (word+doc)%7 > 0 || word%97 == doc%97 {
				fmt.Fprintf(&text, "w%c%c%c ", 'a'+word%26, 'a'+word/26%26, 'a'+word/26/26)
			}
		}
		fmt.Fprintf(&text, "only%d zz%d", doc, doc%3)
		for _, b := range []*postings.Builder{&all, &some} {
			add(b, int64(doc), fmt.Sprint(doc), text.String())
		}
		if doc%89 == 0 || doc == 599 {
			s, err := postings.OpenBytes(segment(t, &some))
			if err != nil {
				t.Fatal(err)
			}
			segments = append(segments, s)
		}
	}
	var merged bytes.Buffer
	if err := postings.Merge(&merged, segments, func(int, int) bool { return true }); err != nil {
		t.Fatal(err)
	}
	if want := segment(t, &all); len(want) < 8<<20 || !bytes.Equal(merged.Bytes(), want) {
		t.Errorf("%d segments merge to %d bytes that are not the %d bytes of all documents", len(segments), merged.Len(), len(want))
	}
}
