package tools_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// found is what a test reads of a request_code_context result.
type found struct {
	OK      bool
	Query   string
	TopK    int `json:"top_k"`
	Results []struct {
		ID, Canon, Kind, Signature, Hash, Snippet, Cut string
		Score                                          float64
		Signals                                        map[string]float64
	}
	Omitted int
}

func (w *world) ask(args string) (found, int) {
	w.t.Helper()
	result := w.call("request_code_context", args)
	var f found
	if err := json.Unmarshal(result.Content, &f); err != nil {
		w.t.Fatal(err)
	}
	return f, len(result.Content)
}

var lineID = regexp.MustCompile(`^(/.*)#(\d+):(\d+)$`)

func TestContextKeepsItsBudget(t *testing.T) {
	w := &world{t: t, root: filepath.Join(runtime.GOROOT(), "src", "net", "http")}
	w.open()
	for _, test := range []struct{ asked, budget, topK int }{
		{0, 8192, 20}, {-1, 8192, 20}, {1, 200, 5}, {500, 500, 5}, {700, 700, 5}, {2000, 2000, 10}, {5000, 5000, 20}, {8192, 8192, 20}, {1 << 40, 8192, 20},
	} {
		for _, hint := range []string{"how does the transport reuse idle connections", "Server", "redirect policy of a client", "cookie"} {
			f, size := w.ask(fmt.Sprintf(`{"token_budget":%d,"hint":%q}`, test.asked, hint))
			if size > test.budget*4 {
				t.Errorf("budget %d, %q: %d bytes are more than %d tokens", test.asked, hint, size, test.budget)
			}
			if test.budget >= 2000 && size < test.budget*2 && f.Omitted > 0 {
				t.Errorf("budget %d, %q: %d results are left out though only %d bytes are used", test.asked, hint, f.Omitted, size)
			}
			if f.TopK != test.topK || f.Query != hint || len(f.Results) == 0 && test.budget >= 500 {
				t.Errorf("budget %d, %q: top_k %d, query %q, %d results", test.asked, hint, f.TopK, f.Query, len(f.Results))
			}
			checkFound(t, f)
			if test.budget >= 500 && f.Results[0].Snippet == "" {
				t.Errorf("budget %d, %q: the best result comes without its code", test.budget, hint)
			}
		}
	}
}

func checkFound(t *testing.T, f found) {
	t.Helper()
	type lines struct {
		path       string
		start, end int
	}
	var before []lines
	shown := 0
	for i, r := range f.Results {
		m := lineID.FindStringSubmatch(r.ID)
		if m == nil {
			t.Fatalf("the id %q is not /path#START:END", r.ID)
		}
		start, _ := strconv.Atoi(m[2])
		end, _ := strconv.Atoi(m[3])
		for _, b := range before {
			if b.path == m[1] && start <= b.end && b.start <= end {
				t.Errorf("%s overlaps lines %d to %d, which are a result too", r.ID, b.start, b.end)
			}
		}
		before = append(before, lines{m[1], start, end})
		if i > 0 && r.Score > f.Results[i-1].Score {
			t.Errorf("%s scores more than the result before it", r.ID)
		}
		if r.Canon == "" || r.Kind == "" || len(r.Hash) != 64 || len(r.Signals) == 0 {
			t.Errorf("%s is not complete: %+v", r.ID, r)
		}
		if r.Snippet == "" {
			continue
		}
		shown++
		code := scan(r.Snippet)[0].Code
		if code == nil || code.Path != m[1] || code.StartLine != start || code.EndLine > end || (code.EndLine < end) != (r.Cut != "") {
			t.Errorf("%s has the snippet %+v, cut %q", r.ID, code, r.Cut)
		}
	}
	if shown > f.TopK {
		t.Errorf("%d results of %d have a snippet, want at most %d", shown, len(f.Results), f.TopK)
	}
}

// The query is the hint, or else what the user said last.
func TestContextQuery(t *testing.T) {
	w := newWorld(t, map[string]string{"a.go": "package a\n\n// Apple is red.\nfunc Apple() {}\n\n// Pear is green.\nfunc Pear() {}\n"})
	w.said = "where is the apple?"
	if f, _ := w.ask(`{"token_budget":1000}`); f.Query != w.said || len(f.Results) == 0 || f.Results[0].Canon != "Apple" {
		t.Errorf("asked by the user: %+v", f)
	}
	if f, _ := w.ask(`{"token_budget":1000,"hint":"pear"}`); f.Query != "pear" || len(f.Results) == 0 || f.Results[0].Canon != "Pear" {
		t.Errorf("asked by hint: %+v", f)
	}
}

// What the turn has staged, and what the editor has not saved, is what is shown,
// though the index does not know it yet.
func TestContextSeesTheTurnsText(t *testing.T) {
	w := newWorld(t, map[string]string{
		"a.go": "package a\n\nfunc Apple() int { return 1 }\n\nfunc AppleTree() {}\n",
		"b.go": "package a\n\nfunc ApplePie() {}\n",
	})
	if r := w.call("apply_code_edit", `{"reason":"r","edits":[
		{"mode":"canonical","file":"a.go","canon":"Apple","code":"func Apple() int {\n\treturn 2\n}"},
		{"mode":"canonical","file":"a.go","canon":"AppleTree","at":"delete"}]}`); !r.OK {
		t.Fatalf("%s", r.Content)
	}
	w.deps.Workspace.SetBuffer(w.path("b.go"), 1, []byte("package a\n\n// New.\n\nfunc ApplePie() { bake() }\n"))
	f, _ := w.ask(`{"hint":"apple"}`)
	got := make(map[string]string)
	for _, r := range f.Results {
		got[r.Canon] = r.Snippet
	}
	if len(got) != 2 || !strings.Contains(got["Apple"], "return 2") || !strings.Contains(got["ApplePie"], "bake()") || !strings.Contains(got["ApplePie"], "#5:5") {
		t.Errorf("the results are %q", got)
	}
	checkFound(t, f)
}

// Of a class too long to be shown, the methods that were found are.
func TestContextPrefersMembers(t *testing.T) {
	var b strings.Builder
	b.WriteString("class Orchard:\n")
	for i := range 100 {
		fmt.Fprintf(&b, "    def tree%d(self):\n        return \"a tree of the orchard, number %d\"\n\n", i, i)
	}
	b.WriteString("    def harvest(self):\n        return self.tree1()\n")
	w := newWorld(t, map[string]string{"a.py": b.String()})
	f, _ := w.ask(`{"hint":"orchard harvest"}`)
	checkFound(t, f)
	if len(f.Results) == 0 || f.Results[0].Canon != "Orchard::harvest" {
		t.Errorf("the results are %+v, want Orchard::harvest first", f.Results)
	}
}
