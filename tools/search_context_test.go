package tools_test

import (
	"strings"
	"testing"
)

// TestLinesAroundMatchesSayWhatTheyAreIn: their own first line says it, else a line above them does, once.
func TestLinesAroundMatchesSayWhatTheyAreIn(t *testing.T) {
	far := strings.Repeat("\tx++\n", 5)
	w := newWorld(t, map[string]string{
		"a.go": "package a\n\n// feed\n\nfunc (p *pen) open() {\n\tfeed()\n" + far + "\tfeed()\n" + far + "\tfeed()\n}\n\nfunc shut() {\n" +
			far + "\tfeed()\n}\n",
		"b.txt":   "one\nfeed\n",
		"c.ipynb": `{"cells":[{"cell_type":"code","metadata":{},"outputs":[],"execution_count":null,"source":["def a():\n","  x\n","  x\n","  feed\n"]}],"metadata":{},"nbformat":4,"nbformat_minor":5}`,
	})
	for args, want := range map[string]string{
		`{"pattern":"feed","include":["a.go"],"context":1}`:    "a.go\n2- \n3: // feed\n4- \n5- func (p *pen) open() {\n6: \tfeed()\n7- \tx++\nin pen::open\n11- \tx++\n12: \tfeed()\n13- \tx++\n--\n17- \tx++\n18: \tfeed()\n19- }\nin shut\n26- \tx++\n27: \tfeed()\n28- }",
		`{"pattern":"feed","include":["a.go"]}`:                "a.go\n3: // feed\n6: \tfeed()\n12: \tfeed()\n18: \tfeed()\n27: \tfeed()",
		`{"pattern":"feed","include":["b.txt"],"after":1}`:     "b.txt\n2: feed",
		`{"pattern":"feed","include":["*.ipynb"],"context":1}`: "c.ipynb\n4-   x\n5:   feed (cell 1)\n6- ",
	} {
		if text := w.set.Text("search_text", w.call("search_text", args).Content); text != want {
			t.Errorf("%s: got\n%q, want\n%q", args, text, want)
		}
	}
}
