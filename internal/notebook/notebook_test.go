package notebook

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
)

// sourceOf returns the source of a cell as a JSON library reads it.
func sourceOf(t *testing.T, text []byte, number int) string {
	t.Helper()
	var nb struct{ Cells []struct{ Source any } }
	if err := json.Unmarshal(text, &nb); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	switch source := nb.Cells[number-1].Source.(type) {
	case string:
		return source
	case []any:
		joined := ""
		for _, line := range source {
			joined += line.(string)
		}
		return joined
	}
	t.Fatalf("cell %d has no source", number)
	return ""
}

func apply(text []byte, e Edit) []byte {
	return []byte(string(text[:e.Start]) + e.New + string(text[e.End:]))
}

// pieces are what random sources consist of.
var pieces = []string{"a", "x = 1", "\n", "\n", "\n\n", "\t", "\"", "\\", "\\n", "é", "日本", "😀", "\u2028", "<b>&", "\r\n", "# %% cell 1 [code]\n", "\x01", "`", "\\u00e9"}

func randomText(r *rand.Rand, n int) (text string) {
	for range r.IntN(n + 1) {
		text += pieces[r.IntN(len(pieces))]
	}
	return text
}

// style is how a random notebook is written.
type style struct{ indent, comma, colon, newline string }

var styles = []style{{" ", ",", ": ", "\n"}, {"  ", ",", ": ", "\n"}, {"\t", ",", ":", "\r\n"}, {"", ", ", ": ", ""}, {"", ",", ":", ""}}

// randomNotebook returns a notebook whose cells have one of the two forms, with the sources.
func randomNotebook(r *rand.Rand) (text string, sources []string) {
	s := styles[r.IntN(len(styles))]
	in := func(depth int) string { return s.newline + strings.Repeat(s.indent, depth) }
	ascii := r.IntN(3) == 0
	quote := func(text string) string {
		if r.IntN(4) == 0 { // another way to write it
			text = strings.ReplaceAll(encodeFor(ascii, text), "a", `\u0061`)
			return `"` + text + `"`
		}
		return `"` + encodeFor(ascii, text) + `"`
	}
	var cells []string
	for range 1 + r.IntN(4) {
		source := randomText(r, 8)
		sources = append(sources, source)
		value := quote(source)
		if r.IntN(3) > 0 {
			var lines []string
			for line := range strings.Lines(source) {
				lines = append(lines, quote(line))
			}
			if r.IntN(6) == 0 {
				lines = append(lines, `""`)
			}
			value = "[" + in(4) + strings.Join(lines, s.comma+in(4)) + in(3) + "]"
			if len(lines) == 0 {
				value = "[]"
			}
		}
		fields := []string{`"cell_type"` + s.colon + `"code"`, `"metadata"` + s.colon + `{"source"` + s.colon + `["no"]}`,
			`"source"` + s.colon + value,
			`"outputs"` + s.colon + `[{"text"` + s.colon + `"out ]}\"","source":1}]`}
		r.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
		cells = append(cells, "{"+in(3)+strings.Join(fields, s.comma+in(3))+in(2)+"}")
	}
	return "{" + in(1) + `"cells"` + s.colon + "[" + in(2) + strings.Join(cells, s.comma+in(2)) + in(1) + "]" + s.comma + in(1) +
		`"nbformat"` + s.colon + "4" + s.newline + "}" + s.newline, sources
}

func encodeFor(ascii bool, text string) string { return (&Notebook{ascii: ascii}).encode(text) }

// TestRandomEdits edits random notebooks in random places. All bytes outside of the cell's source must stay, and the
// source must be the edited one.
func TestRandomEdits(t *testing.T) {
	for seed := range uint64(testbed.Count(4000, 500)) {
		r := rand.New(rand.NewPCG(seed, 1))
		text, sources := randomNotebook(r)
		nb, err := Parse([]byte(text))
		if err != nil {
			t.Fatalf("seed %d: %v in\n%s", seed, err, text)
		}
		v := nb.View()
		i := r.IntN(len(sources))
		source, at := sources[i], v.cells[i]
		if nb.Cells[i].Source != source || string(v.Text[at.source:at.end]) != source {
			t.Fatalf("seed %d: cell %d is %q; want %q in\n%s", seed, i+1, nb.Cells[i].Source, source, text)
		}
		start := randomBoundary(r, source, 0)
		end := randomBoundary(r, source, start)
		replacement := randomText(r, 4)
		e := v.Replace(at.source+start, at.source+end, replacement)
		after := apply([]byte(text), e)
		value := nb.Cells[i].source
		if e.Start < value.start || e.End > value.end {
			t.Fatalf("seed %d: the edit leaves the source", seed)
		}
		want := source[:start] + replacement + source[end:]
		if got := sourceOf(t, after, i+1); got != want {
			t.Fatalf("seed %d: replacing %q of %q by %q gives %q; want %q\n%s\n%s", seed, source[start:end], source, replacement, got, want,
				text, after)
		}
		if form := after[value.start]; form != text[value.start] {
			t.Fatalf("seed %d: the source began with %c, and begins with %c", seed, text[value.start], form)
		}
		again, err := Parse(after)
		if err != nil || again.Cells[i].Source != want {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// randomBoundary returns an offset between two characters, not before least.
func randomBoundary(r *rand.Rand, text string, least int) int {
	at := []int{len(text)}
	for i := range text {
		if i >= least {
			at = append(at, i)
		}
	}
	return at[r.IntN(len(at))]
}

// TestRandomCells inserts and deletes cells.
func TestRandomCells(t *testing.T) {
	for seed := range uint64(testbed.Count(1000, 200)) {
		r := rand.New(rand.NewPCG(seed, 2))
		text, sources := randomNotebook(r)
		nb, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		after, added := r.IntN(len(sources)+1), randomText(r, 5)
		changed := apply(nb.Text, nb.Insert(after, "markdown", added))
		inserted, err := Parse(changed)
		if err != nil || len(inserted.Cells) != len(sources)+1 || inserted.Cells[after].Source != added ||
			inserted.Cells[after].Type != "markdown" {
			t.Fatalf("seed %d: %v in\n%s", seed, err, changed)
		}
		if back := apply(inserted.Text, inserted.Delete(after+1)); string(back) != text && len(sources) > 1 {
			t.Fatalf("seed %d: deleting the cell again gives\n%s\nnot\n%s", seed, back, text)
		}
		gone := 1 + r.IntN(len(sources))
		left, err := Parse(apply(nb.Text, nb.Delete(gone)))
		if err != nil || len(left.Cells) != len(sources)-1 {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// TestPlacesInTheView maps each place of the sources to the JSON and back.
func TestPlacesInTheView(t *testing.T) {
	for seed := range uint64(300) {
		text, _ := randomNotebook(rand.New(rand.NewPCG(seed, 3)))
		nb, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		v := nb.View()
		for i, c := range v.cells {
			if n := v.CellAt(c.start); n != i+1 {
				t.Fatalf("the heading of cell %d is in cell %d", i+1, n)
			}
			if at := v.Offset(v.Raw(c.start)); at != c.start {
				t.Fatalf("seed %d: the heading at %d maps to %d", seed, c.start, at)
			}
			for at := range string(v.Text[c.source:c.end]) {
				if back := v.Offset(v.Raw(c.source + at)); back != c.source+at {
					t.Fatalf("seed %d: %d maps to %d", seed, c.source+at, back)
				}
			}
		}
	}
}

const small = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "0a",
   "metadata": {},
   "source": [
    "# Title\n",
    "text"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "0b",
   "metadata": {},
   "outputs": [{"data": {"image/png": "iVBOR"}}],
   "source": [
    "import os\n",
    "print(\"caf\u00e9\")"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "0c",
   "metadata": {},
   "outputs": [],
   "source": []
  }
 ],
 "nbformat": 4,
 "nbformat_minor": 5
}
`

func TestView(t *testing.T) {
	nb, err := Parse([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	want := "# %% cell 1 [markdown]\n# Title\ntext\n# %% cell 2 [code], 34 bytes of outputs left out\nimport os\nprint(\"café\")\n# %% " +
		"cell 3 [code]\n\n"
	if got := string(nb.View().Text); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestEditsOfASmallNotebook compares the JSON around edits with what Jupyter would write.
func TestEditsOfASmallNotebook(t *testing.T) {
	nb, err := Parse([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	v := nb.View()
	replaced := func(old, text string) Edit {
		at := strings.Index(string(v.Text), old)
		return v.Replace(at, at+len(old), text)
	}
	for _, test := range []struct {
		name     string
		e        Edit
		old, new string // of the JSON
	}{
		{"a word", replaced("os", "re"), `import os\n`, `import re\n`},
		{"beside an escape, in the way of the file", replaced("print(\"café\")", "x = \"é😀\""), `print(\"caf\u00e9\")`, `x = \"\u00e9\ud83d\ude00\"`},
		{"a line more", replaced("import os\n", "import os\nimport re\n"), "\"import os\\n\",\n", "\"import os\\n\",\n    \"import re\\n\",\n"},
		{"a line more at the end", replaced("text", "text\nmore\n"), `"text"`, "\"text\\n\",\n    \"more\\n\""},
		{"a line less", replaced("import os\n", ""), "\"import os\\n\",\n    ", ""},
		{"the last line less", replaced("text", ""), ",\n    \"text\"", ""},
		{"all of a cell", nb.SetSource(1, "one"), "\"# Title\\n\",\n    \"text\"", `"one"`},
		{"nothing left", nb.SetSource(1, ""), "\"# Title\\n\",\n    \"text\"", `""`},
		{"an empty cell", nb.SetSource(3, "a\nb"), `"source": []`, "\"source\": [\n    \"a\\n\",\n    \"b\"\n   ]"},
		{"a new cell", nb.Insert(3, "code", "x\n"), "\"source\": []\n  }", "\"source\": []\n  },\n  {\n   \"cell_type\": \"code\",\n   \"execution_count\": null,\n   \"id\": \"ID\",\n" +
			"   \"metadata\": {},\n   \"outputs\": [],\n   \"source\": [\n    \"x\\n\"\n   ]\n  }"},
	} {
		id := nb.newID(3, "x\n")
		if got, want := string(apply(nb.Text, test.e)), strings.Replace(small, test.old, strings.Replace(test.new, "ID", id, 1), 1); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, want)
		}
	}
}

func TestWhatIsNoNotebook(t *testing.T) {
	cell := func(fields string) string { return `{"cells":[{` + fields + `}]}` }
	for _, test := range []struct{ text, err string }{
		{"", "not JSON"},
		{"{\n\"cells\": [\n", "line 3 is not JSON"},
		{"<<<<<<< HEAD\n", "not JSON"},
		{"[]", "no object"},
		{"{}", "no list of \"cells\""},
		{`{"worksheets":[{"cells":[]}]}`, "no list of \"cells\""},
		{`{"cells":{}}`, "no list of \"cells\""},
		{`{"cells":[1]}`, "cell 1: no object"},
		{`{"cells":[],"cells":[]}`, "twice"},
		{cell(`"cell_type":"code"`), "cell 1: it has no \"source\""},
		{cell(`"source":""`), "cell 1: it has no \"cell_type\""},
		{cell(`"cell_type":1,"source":""`), "no \"cell_type\""},
		{cell(`"cell_type":"code","source":1`), "neither"},
		{cell(`"cell_type":"code","source":["a",1]`), "other values"},
		{cell(`"cell_type":"code","source":"a","source":"b"`), "twice"},
		{"{\"cells\":[]\xff}", "UTF-8"},
		{`{"cells":[],"x":"` + strings.Repeat("x", MaxBytes) + `"}`, ErrTooLarge.Error()},
	} {
		if _, err := Parse([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.err) {
			t.Errorf("%.80s: %v; want %s", test.text, err, test.err)
		}
	}
	for _, text := range []string{`{"cells":[]}`, ` { "cells" : [ ] } `, cell(`"cell_type":"raw","source":[]`), cell(`"source":"\ud83d","cell_type":"raw"`)} {
		if nb, err := Parse([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		} else if _, err := Parse(apply(nb.Text, nb.Insert(0, "code", "x"))); err != nil {
			t.Errorf("%s: inserting a cell: %v", text, err)
		}
	}
}

func ExampleIs() {
	fmt.Println(Is("a/B.IPYNB"), Is("a.ipynb.txt"))
	// Output: true false
}
