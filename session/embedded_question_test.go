package session

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/session/bus"
	"ploke-lsp/tools/wording"
)

// shop is a small project in several languages.
var shop = map[string]string{
	"README.md": "# Shop\n\n[![build](badge)](link)\n\nShop keeps orders. It has an API in Python\nand a core in Rust.\n\n## Use\n\nRun it.\n",
	"api/app.py": "from store import Store\n\nclass Base:\n    \"\"\"Base of all handlers.\"\"\"\n    def handle(self, request):\n" +
		"        raise NotImplementedError\n\n" +
		"class OrderHandler(Base):\n    def handle(self, request):\n        store = Store()\n        return store.save_order(request)\n\n" +
		"def main():\n    OrderHandler().handle({})\n",
	"api/store.py": "class Store:\n    \"\"\"Store keeps orders.\"\"\"\n    def save_order(self, order):\n" +
		"        \"\"\"Saves one order.\"\"\"\n        return validate(order)\n\ndef validate(order):\n    return bool(order)\n",
	"api/test_store.py": "from store import Store\n\ndef test_save_order():\n    assert not Store().save_order({})\n",
	"web/shapes.ts": "export interface Shape { area(): number }\n\nexport class Circle implements Shape {\n" +
		"  constructor(private r: number) {}\n  area(): number { return Math.PI * this.r ** 2 }\n}\n\n" +
		"export function totalArea(shapes: Shape[]): number {\n  return shapes.reduce((sum, s) => sum + s.area(), 0)\n}\n",
	"web/main.ts": "import { Circle, totalArea } from \"./shapes\"\n\nexport function render() {\n" +
		"  return totalArea([new Circle(1), new Circle(2)])\n}\n",
	"core/src/lib.rs": "pub trait Price {\n    fn cents(&self) -> u64;\n}\n\npub struct Item { pub cost: u64 }\n\nimpl Price for Item {\n" +
		"    fn cents(&self) -> u64 { self.cost }\n}\n\n" +
		"pub fn total(items: &[Item]) -> u64 {\n    items.iter().map(|i| i.cents()).sum()\n}\n\n#[cfg(test)]\nmod tests {\n" +
		"    use super::*;\n    #[test]\n    fn sums() { assert_eq!(total(&[]), 0); }\n}\n",
	"srv/server.go": "// Package srv serves the shop.\npackage srv\n\n// Server answers requests.\ntype Server struct{ open bool }\n\n" +
		"// Close ends the server.\nfunc (s *Server) Close() { s.flush() }\n\nfunc (s *Server) flush() { s.open = false }\n",
	"srv/pool_test.go": "package srv\n\nfunc TestDrainEmptyPool() { newPool().close() }\n",
	"srv/pool.go":      "package srv\n\n// Pool holds servers.\ntype Pool struct{ all []*Server }\n\nfunc (p *Pool) Drain() {\n\tfor _, s := range p.all {\n\t\ts.Close()\n\t}\n}\n\n// A Closer can be closed.\ntype Closer interface{ Close() }\n",
}

// TestEmbeddedModelAnswersFirstQuestions asks what people ask first, with the real
// tools on a small project.
func TestEmbeddedModelAnswersFirstQuestions(t *testing.T) {
	const search, lookup, edges, list, read = "request_code_context", "code_item_lookup", "code_item_edges", "list_dir", "read_file"
	const headings = "search_text " // of prose, for one that is the question
	const overview = list + " project_facts search_text search_text search_text search_text search_text " + read
	tests := []struct {
		message string
		calls   string // the tools in the order of the calls
		begins  string
		says    []string
		cites   string // the first citation: path and lines
	}{
		{"who calls save_order?", lookup + " " + edges, "`OrderHandler::handle` calls `Store::save_order`, at api/app.py:11.", []string{"2 places", "- `test_save_order` — api/test_store.py:4: `assert not Store().save_order({})`"}, "api/app.py 11-11"},
		{"Please tell me who calls Store.save_order(order)", lookup + " " + edges, "`OrderHandler::handle` calls `Store::save_order`, at api/app.py:11.", nil, "api/app.py 11-11"},
		{"who calls Store::save_order", lookup + " " + edges, "`OrderHandler::handle` calls", nil, "api/app.py 11-11"},
		{"who calls store.Store.save_order", lookup + " " + edges, "`OrderHandler::handle` calls `Store::save_order`", nil, "api/app.py 11-11"},
		{"where is SAVE_ORDER called from?", lookup + " " + lookup + " " + edges, "`OrderHandler::handle` calls `Store::save_order`", []string{"There is no `SAVE_ORDER`, so this is about `save_order`."}, "api/app.py 11-11"},
		{"who calls (*Server).flush()", lookup + " " + edges, "`Server::Close` calls `Server::flush`, at srv/server.go:8.", nil, "srv/server.go 8-8"},
		{"who calls srv/server.go:10", search + " " + edges, "`Server::Close` calls `Server::flush`", nil, "srv/server.go 8-8"},
		{"who calls main", lookup + " " + edges + " search_text", "No calls of `main` were found in the workspace. It is the function at api/app.py:13.", nil, ""},
		{"who calls sav_order", lookup, "I could not look up `sav_order`", []string{"These come close:", "- `Store::save_order` (method) — api/store.py:3"}, ""},
		{"who uses totlaArea?", lookup + " search_text search_text", "I could not look up `totlaArea`", []string{"- `totalArea` (function) — web/shapes.ts:8"}, ""},
		{"who calls Zyzzyva", lookup + " " + search, "I could not look up `Zyzzyva`: no symbol Zyzzyva.", nil, ""},

		{"who uses validate", lookup + " " + edges, "`Store::save_order` uses `validate`, at api/store.py:5.", nil, "api/store.py 5-5"},
		{"where is Circle used?", lookup + " " + edges, "`render` uses `Circle`, at web/main.ts:4.", []string{"- `render` — web/main.ts:4: `return totalArea([new Circle(1), new Circle(2)])` (2 times)"}, "web/main.ts 4-4"},
		{"is `flush` used anywhere?", lookup + " " + edges, "`Server::Close` uses `Server::flush`", nil, "srv/server.go 8-8"},
		{"usages of the Pool struct", lookup + " " + edges, "`Pool::Drain` uses `Pool`, at srv/pool.go:6.", nil, "srv/pool.go 6-6"},

		{"what implements Shape?", lookup + " " + edges, "`Circle` implements `Shape`, at web/shapes.ts:3.", nil, "web/shapes.ts 3-3"},
		{"which types implement the Price trait", lookup + " " + edges, "`Item` implements `Price`, at core/src/lib.rs:7.", nil, "core/src/lib.rs 7-7"},
		{"implementations of Closer", lookup + " " + edges, "`Server` implements `Closer`, at srv/server.go:5.", nil, "srv/server.go 5-5"},
		{"which classes extend Base", lookup + " " + edges, "`OrderHandler` implements `Base`, at api/app.py:8.", nil, "api/app.py 8-8"},
		{"where is Closer implemented?", lookup + " " + edges, "`Server` implements `Closer`", nil, "srv/server.go 5-5"},
		{"where is totalArea implemented?", lookup, "`totalArea` is a function in web/shapes.ts:8.", nil, "web/shapes.ts 8-10"},
		{"what does Circle implement", lookup + " " + edges, "`Circle` extends `Shape`, at web/shapes.ts:1.", nil, "web/shapes.ts 3-3"},

		{"what does OrderHandler#handle call?", lookup + " " + edges, "`OrderHandler::handle` calls `Store`, at api/store.py:1.", []string{"- `Store::save_order` — api/store.py:3"}, "api/app.py 10-10"},
		{"what functions does Server.Close call", lookup + " " + edges, "`Server::Close` calls `Server::flush`, at srv/server.go:10.", nil, "srv/server.go 8-8"},
		{"what does Pool use?", lookup + " " + edges, "`Pool` uses `Server`, at srv/server.go:5.", nil, "srv/pool.go 4-4"},

		{"what tests save_order", lookup + " " + edges, "`test_save_order` uses `Store::save_order`, at api/test_store.py:4.", nil, "api/test_store.py 4-4"},
		{"is total tested?", lookup + " " + edges, "`tests::sums` uses `total`, at core/src/lib.rs:19.", nil, "core/src/lib.rs 19-19"},
		{"are there any tests for render", lookup + " " + edges + " " + search, "No test that names `render` was found in the workspace. It is the function at web/main.ts:3.", nil, ""},
		{"which tests cover drain", lookup + " " + lookup + " " + edges + " " + search, "No test that uses `drain` directly was found. These have it in their own names:\n\n- `TestDrainEmptyPool` (function) — srv/pool_test.go:3", nil, ""},

		{"where is Server.Close defined?", lookup, "`Server::Close` is a method in srv/server.go:8.", []string{"Close ends the server."}, "srv/server.go 7-8"},
		{"WHERE IS save_order DEFINED", lookup, "`Store::save_order` is a method in api/store.py:3.", nil, "api/store.py 3-5"},
		{"show me the definition of `Item`", lookup, "`Item` is a struct in core/src/lib.rs:5.", nil, "core/src/lib.rs 5-5"},
		{"where does Closer live", lookup, "`Closer` is an interface in srv/pool.go:13.", nil, "srv/pool.go 12-13"},
		{"what is OrderHandler?", lookup + " " + edges, "`OrderHandler` is a class in api/app.py:8.", []string{"- `main` — api/app.py:14"}, "api/app.py 8-11"},
		{"how does totalArea() work", lookup + " " + edges, "`totalArea` is a function in web/shapes.ts:8.", []string{"- `render` — web/main.ts:4"}, "web/shapes.ts 8-10"},
		{"api/store.py:5", search, "Line 5 is in the method `Store::save_order`, at api/store.py:3.", nil, "api/store.py 3-5"},
		{"explain line 8 of srv/server.go", search, "Line 8 is in the method `Server::Close`, at srv/server.go:8.", nil, "srv/server.go 8-8"},
		{"what is in pool.go", search + " " + read, "srv/pool.go:1, of 13 lines:", nil, "srv/pool.go 1-13"},

		{"What is this project?", overview, "README.md:5 says:", []string{"`api`, `core`, `srv`, `web`", "python (26 lines in 3 files)", "- `def main():` — api/app.py:13"}, "README.md 5-6"},
		{"give me an overview, please", overview, "README.md:5 says:", nil, "README.md 5-6"},

		{"help", "", "I am the embedded model", []string{"who calls NAME?", "rename OLD to NEW", "not a language model"}, ""},
		{"what can you do?", "", "I am the embedded model", []string{"PLOKE_BASE_URL", "PLOKE_API_KEY", "PLOKE_MODEL", "config.toml", "ploke-lsp doctor", "docs/settings.md"}, ""},
		{"Hello!", "", "Hello.", []string{"what is this project?", "help"}, ""},
		{"thanks a lot", "", "You're welcome.", nil, ""},
		{"which model are you?", "", "I am ploke's embedded model.", []string{"PLOKE_BASE_URL"}, ""},
		{"how are you?", "", "I can't chat", []string{"not a language model", "PLOKE_BASE_URL"}, ""},
		{"write a test for total", search, "I can't do that", []string{"not a language model", "`ploke-lsp setup`", "- `total` (function) — core/src/lib.rs:11"}, ""},
		{"refactor everything", "", "I can't do that", []string{"not a language model"}, ""},

		{"where is an order saved?", headings + search, "The best match is the method `Store::save_order`, at api/store.py:3.", nil, "api/store.py 3-5"},
		{"how does the kubernetes operator reconcile orders", headings + search + " " + lookup + " " + lookup + " " + lookup, "I am not sure: no file has most of the words of the question. The nearest are:\n\n- `", nil, ""},
		{"how do we valdate something", search, "The best match is the function `validate`, at api/store.py:7", nil, "api/store.py 7-8"},
	}
	h, _ := onFiles(t, shop)
	for _, tt := range tests {
		t.Run(tt.message, func(t *testing.T) {
			before := len(seen[bus.ToolCallRequested](h))
			_, outcome := h.ask(t, Prompt{Text: tt.message})
			var calls []string
			for _, c := range seen[bus.ToolCallRequested](h)[before:] {
				calls = append(calls, c.Name)
			}
			if got := strings.Join(calls, " "); got != tt.calls {
				t.Errorf("calls %q, want %q", got, tt.calls)
			}
			if !strings.HasPrefix(outcome.Text, tt.begins) {
				t.Errorf("the answer does not begin with %q:\n%s", tt.begins, outcome.Text)
			}
			for _, s := range tt.says {
				if !strings.Contains(outcome.Text, s) {
					t.Errorf("%q is missing in:\n%s", s, outcome.Text)
				}
			}
			checkFirstCitation(t, outcome.Text, tt.cites)
			if failed := seen[bus.ToolCallFailed](h); len(failed) != 0 {
				t.Errorf("the embedded model's calls should fit: %+v", failed)
			}
		})
	}
}

// checkFirstCitation checks the first citation of an answer, and that each one has the
// file's own lines.
func checkFirstCitation(t *testing.T, answer, want string) {
	t.Helper()
	var scanner wording.Scanner
	first := ""
	for _, p := range append(scanner.Write(answer), scanner.Close()...) {
		if p.Code == nil {
			continue
		}
		for rel, text := range shop {
			if !strings.HasSuffix(filepath.ToSlash(p.Code.Path), "/"+rel) {
				continue
			}
			if at := rel + " " + fmt.Sprintf("%d-%d", p.Code.StartLine, p.Code.EndLine); first == "" {
				first = at
			}
			lines := strings.SplitAfter(text, "\n")[p.Code.StartLine-1 : p.Code.EndLine]
			if got := strings.Join(lines, ""); got != p.Code.Text {
				t.Errorf("%s is quoted as %q, but says %q", rel, p.Code.Text, got)
			}
		}
	}
	if want != "" && first != want {
		t.Errorf("cites %q first, want %q", first, want)
	}
}
