package docs

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// figuresOfREADME are the sentences of the README that tell a measured figure, each with the row of
// performance.md that it is taken from.
var figuresOfREADME = []struct {
	sentence       *regexp.Regexp // its group is the figure
	part, tree, of string
	unit           string
}{
	{regexp.MustCompile(`answers 95 of 100 searches within ([\d.]+) ms`), "query", "go/src", "query, p95", "ms"},
	{regexp.MustCompile(`the context for a model together within ([\d.]+) ms`), "query", "go/src", "request_code_context, p95", "ms"},
	{regexp.MustCompile(`95 of 100 answers show their first words within ([\d.]+) ms`), "engine", "go/src", "model server to editor, first delta, p95", "ms"},
	{regexp.MustCompile(`about ([\d.]+) seconds for the Go library`), "cold", "go/src", "cold index, wall", "s"},
}

// TestFiguresOfREADME compares what the README says with the worst of the measured runs: it must not promise more
// than was measured, nor tell of a program that is much slower than this one.
func TestFiguresOfREADME(t *testing.T) {
	words := strings.Join(strings.Fields(page(t, "README.md")), " ")
	worst := worstFigures(t)
	for _, f := range figuresOfREADME {
		said := f.sentence.FindStringSubmatch(words)
		if said == nil {
			t.Errorf("the README does not say %q", f.sentence)
			continue
		}
		figure, err := strconv.ParseFloat(said[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		row := worst[f.part+"|"+f.tree+"|"+f.of]
		measured, err := strconv.ParseFloat(strings.TrimSuffix(row, " "+f.unit), 64)
		if err != nil {
			t.Errorf("performance.md has %q for %s of %s: %v", row, f.of, f.tree, err)
			continue
		}
		if figure < measured || figure > 1.5*measured {
			t.Errorf("the README says %q; the worst that was measured is %s", said[0], row)
		}
	}
}

// worstFigures returns the column of the worst runs in performance.md, by part, tree and figure.
func worstFigures(t *testing.T) map[string]string {
	t.Helper()
	worst := map[string]string{}
	part := ""
	for line := range strings.Lines(page(t, "docs/performance.md")) {
		if name, is := strings.CutPrefix(line, "### "); is {
			part = strings.TrimSpace(name)
		}
		if cells := strings.Split(line, "|"); len(cells) > 5 {
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			worst[part+"|"+cells[1]+"|"+cells[2]] = cells[4]
		}
	}
	return worst
}
