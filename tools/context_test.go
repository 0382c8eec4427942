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

	"ploke-lsp/internal/o200k"
	"ploke-lsp/internal/testbed"
)

// found is the part of a request_code_context result that the tests read.
type found struct {
	OK      bool
	Query   string
	TopK    int `json:"top_k"`
	Results []struct {
		ID, Canon, Kind, Signature, Relation, Snippet, Cut string
		Further                                            []string
		Score                                              float64
		Signals                                            map[string]float64
		Siblings                                           []string
	}
	Omitted int
	Hint    string
}

// ask calls the tool. It returns the answer and its number of tokens, counted by the library.
func (w *world) ask(args string) (found, int) {
	w.t.Helper()
	result := w.call("request_code_context", args)
	var f found
	if err := json.Unmarshal(result.Content, &f); err != nil {
		w.t.Fatal(err)
	}
	if again := w.call("request_code_context", args); string(again.Content) != string(result.Content) {
		w.t.Errorf("%s: the same question is answered differently", args)
	}
	return f, o200k.Count(w.set.Text("request_code_context", result.Content))
}

func TestContextKeepsItsBudget(t *testing.T) {
	testbed.Long(t)
	w := &world{t: t, root: filepath.Join(runtime.GOROOT(), "src", "net", "http")}
	w.open()
	for _, test := range []struct{ asked, budget, topK int }{
		{0, 8192, 30}, {1, 200, 5}, {500, 500, 5}, {700, 700, 5}, {2000, 2000, 10}, {5000, 5000, 25}, {8192, 8192, 30}, {1 << 40, 8192, 30},
	} {
		for _, hint := range []string{"how does the transport reuse idle connections", "Server", "redirect policy of a client", "cookie", "日本語 ünïcödé connection"} {
			f, tokens := w.ask(fmt.Sprintf(`{"token_budget":%d,"hint":%q}`, test.asked, hint))
			if tokens > test.budget {
				t.Errorf("budget %d, %q: the answer has %d tokens", test.budget, hint, tokens)
			}
			if f.Omitted > 0 && (tokens < test.budget*8/10 && test.budget >= 500 || f.Hint == "") {
				t.Errorf("budget %d, %q: %d results are left out with %d tokens, hint %q", test.budget, hint, f.Omitted, tokens, f.Hint)
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

var (
	lineID      = regexp.MustCompile(`^(/.*)#(\d+):(\d+)$`)
	siblingLine = regexp.MustCompile(`^(\d+):(\d+) \S+`)
)

// ranges are the lines that an answer shows, by path.
type ranges map[string][][2]int

func (r ranges) add(t *testing.T, path string, first, last int) {
	t.Helper()
	for _, other := range r[path] {
		if first <= other[1] && other[0] <= last {
			t.Errorf("lines %d to %d of %s overlap %v, which are shown, too", first, last, path, other)
		}
	}
	r[path] = append(r[path], [2]int{first, last})
}

func checkFound(t *testing.T, f found) {
	t.Helper()
	lines := ranges{} // that are shown
	shown := 0
	for _, r := range f.Results {
		m := lineID.FindStringSubmatch(r.ID)
		if m == nil {
			t.Fatalf("the id %q is not /path#START:END", r.ID)
		}
		start, _ := strconv.Atoi(m[2])
		end, _ := strconv.Atoi(m[3])
		for _, s := range r.Siblings {
			if siblingLine.FindString(s) == "" {
				t.Fatalf("the sibling %q is not START:END canon signature", s)
			}
		}
		if r.Canon == "" || r.Kind == "" || (r.Snippet == "") != (len(r.Signals) == 0) {
			t.Errorf("%s is not complete: %+v", r.ID, r)
		}
		if r.Snippet == "" {
			continue
		}
		shown++
		for i, snippet := range append([]string{r.Snippet}, r.Further...) {
			code := scan(snippet)[0].Code
			imports := code != nil && i > 0 && code.EndLine < start // they stand above the symbol
			if code == nil || code.Path != m[1] || code.StartLine > end || code.EndLine < start && !imports {
				t.Fatalf("%s has the snippet %+v", r.ID, code)
			}
			lines.add(t, code.Path, code.StartLine, code.EndLine)
		}
	}
	if shown > f.TopK {
		t.Errorf("%d results of %d have a snippet, want at most %d", shown, len(f.Results), f.TopK)
	}
}

// The query is the hint, or else the user's last message.
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

// TestContextSaysWhatItSearchedFor asks with a name that is mistyped.
func TestContextSaysWhatItSearchedFor(t *testing.T) {
	w := newWorld(t, map[string]string{"a.go": "package a\n\n// Orchard has trees.\nfunc Orchard() {}\n"})
	result := w.call("request_code_context", `{"token_budget":1000,"hint":"Orchrad"}`)
	text := w.set.Text("request_code_context", result.Content)
	if !strings.Contains(text, "func Orchard") || !strings.Contains(text, `no file has "Orchrad"; this searched for orchard`) {
		t.Errorf("a model reads %s", text)
	}
}

// Staged and unsaved text is shown even if the index does not have it yet.
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
		if r.Kind != "file" {
			got[r.Canon] = r.Snippet
		}
	}
	if len(got) != 2 || !strings.Contains(got["Apple"], "return 2") || !strings.Contains(got["ApplePie"], "bake()") ||
		!strings.Contains(got["ApplePie"], "#1:5") {
		t.Errorf("the results are %q", got)
	}
	checkFound(t, f)
}

// If a class is too long to show, its methods that were found are shown.
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
	for _, r := range f.Results {
		if r.Canon == "Orchard" && (len(r.Snippet) > 4000 || r.Cut == "") {
			t.Errorf("the long class takes %d bytes, cut %q", len(r.Snippet), r.Cut)
		}
	}
}

// Results with code come best first, whatever their files are.
func TestContextShowsTheBestFirst(t *testing.T) {
	w := newWorld(t, map[string]string{
		"a.py": "# Ripens the plum.\ndef plum_ripen():\n    return 1\n\n\ndef late(plum):\n    return 3\n",
		"b.py": "# The plum can ripen.\ndef ripen_plum():\n    return 2\n",
	})
	f, _ := w.ask(`{"hint":"ripen plum"}`)
	checkFound(t, f)
	for i, r := range f.Results[1:] {
		if r.Snippet != "" && r.Score > f.Results[i].Score {
			t.Errorf("%s comes after %s, which is worse", r.Canon, f.Results[i].Canon)
		}
	}
}

// Callers, tests and parts of the best results follow them as cards.
func TestContextExpands(t *testing.T) {
	w := newWorld(t, map[string]string{
		"go.mod":    "module m\n",
		"a.go":      "package a\n\n// Glaze covers a cake with icing.\nfunc Glaze() { warm() }\n",
		"c.go":      "package a\n\nfunc warm() {}\n",
		"b.go":      "package a\n\nfunc Serve() { Glaze() }\n",
		"a_test.go": "package a\n\nfunc TestShine() { Glaze() }\n",
	})
	f, _ := w.ask(`{"hint":"cover with icing"}`)
	checkFound(t, f)
	got := map[string]bool{}
	for _, r := range f.Results {
		got[r.Canon+" "+r.Relation] = true
		for _, s := range r.Siblings {
			got[s] = true
		}
	}
	for _, want := range []string{"Glaze ", "warm called by Glaze", "Serve calls Glaze", "TestShine tests Glaze"} {
		if !got[want] {
			t.Errorf("there is no %q in %v", want, got)
		}
	}
}
