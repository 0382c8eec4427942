package index_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/tools/txtar"

	"ploke-lsp/index"
)

// queryMentionCases are queries that each mean one place; "$root" stands for the folder.
var queryMentionCases = []struct{ name, query, want string }{
	{"go stack", "goroutine 1 [running]:\nexample.com/app/server.(*Server).serve(...)\n\t$root/server/server.go:21\nexample.com/app/server.(*Server).Run(0xc000012)\n\t$root/server/server.go:13 +0x1d\nmain.main()\n\t$root/cmd/tool/main.go:11", "server/server.go Server::serve"},
	{"go stack of another machine", "main.main()\n\t/home/me/src/app/cmd/tool/main.go:11 +0x1d", "cmd/tool/main.go main"},
	{"go compiler", "server/store.go:7:2: undefined: s", "server/store.go Store::Get"},
	{"go test", "--- FAIL: TestRun/taken_address (0.00s)", "server/server_test.go TestRun"},
	{"go method", "(*Store).Run blocks", "server/store.go Store::Run"},
	{"go error", `it says "listening on localhost:8080: the address is taken: bind"`, "server/server.go Server::Run"},
	{"go panic", "panic: no handler was set before the first request", "server/server.go Server::serve"},
	{"flag", "what does --dry-run-only do", "cmd/tool/main.go dry"},
	{"python traceback", "Traceback (most recent call last):\n  File \"/srv/app/views/user.py\", line 6, in show\n    user.save(request.session)\n  File \"/srv/app/models/user.py\", line 5, in save\n    session.add(self)\n  File \"/usr/lib/python3/site-packages/orm/user.py\", line 8, in add\nTypeError: add", "app/models/user.py User::save"},
	{"python error", "ValueError: a user needs a name, but <User 7> has none", "app/models/user.py User::save"},
	{"python module", "import of app.models.user fails", "app/models/user.py User"},
	{"python package", "who calls app.models.register", "app/models/__init__.py register"},
	{"pytest id", "FAILED tests/test_user.py::TestUser::test_load", "tests/test_user.py TestUser::test_load"},
	{"javascript stack", "TypeError: x\n    at ButtonGroup (webpack-internal:///./web/src/components/Button.tsx?1a2b:6:10)\n    at render (node_modules/react/index.ts:3:1)", "web/src/components/Button.tsx ButtonGroup"},
	{"typescript compiler", "web/src/components/Button.tsx(6,3): error TS2322", "web/src/components/Button.tsx ButtonGroup"},
	{"template", "Error: page about-us was not found in the site map", "web/src/pages/index.ts render"},
	{"import", "register() of ../components", "web/src/components/index.ts register"},
	{"java stack", "java.lang.NullPointerException\n\tat com.acme.stock.Cart.total(Cart.java:9)\n\tat com.acme.shop.Cart.add(Cart.java:5)\n\tat java.base/java.lang.Thread.run(Thread.java:829)", "src/main/java/com/acme/stock/Cart.java Cart::total"},
	{"java lambda", "Exception in thread \"main\" java.lang.Error\n\tat com.acme.stock.Cart.lambda$1(Cart.java:5)\n\tat com.acme.shop.Cart.lambda$2(Cart.java:9)", "src/main/java/com/acme/stock/Cart.java Cart::add"},
	{"java inner class", "com.acme.shop.Cart$Line.price", "src/main/java/com/acme/shop/Cart.java Cart::Line::price"},
	{"java class", "com.acme.stock.Cart is slow", "src/main/java/com/acme/stock/Cart.java Cart"},
	{"rust panic", "thread 'main' panicked at crates/core/src/parser.rs:13:9:\nindex out of bounds\n  10: core::start\n             at ./crates/core/src/lib.rs:4:5", "crates/core/src/parser.rs Parser::advance"},
	{"rust library", "panicked at /home/me/.cargo/registry/src/registry.example-6f17/other-1.0/src/lib.rs:4:5 in Parser::new", "crates/core/src/parser.rs Parser::new"},
	{"rust trait", "<Parser as Advance>::advance never returns", "crates/core/src/parser.rs Parser::advance"},
	{"gdb", "#0  0x0000 in hash_remove (t=0x0, key=1) at hash.c:8\n#1  0x0001 in main () at main.c:3", "csrc/hash.c hash_remove"},
	{"c compiler", "../csrc/hash.c:4:12: warning: unused", "csrc/hash.c hash_insert"},
	{"c member", "t->hash_insert", "csrc/hash.c hash_insert"},
	{"c# stack", "   at Acme.Services.OrderService.Place(Order order) in C:\\build\\Services\\OrderService.cs:line 7", "Services/OrderService.cs Acme::Services::OrderService::Place"},
	{"c# async stack", "at Acme.Services.OrderService.<SendAsync>d__3.MoveNext()", "Services/OrderService.cs Acme::Services::OrderService::SendAsync"},
	{"elixir stack", "    (shop 0.1.0) lib/shop/basket.ex:7: Shop.Basket.count/1", "lib/shop/basket.ex Shop::Basket::count"},
	{"elixir function", "Shop.Basket.put/2", "lib/shop/basket.ex Shop::Basket::put"},
	{"php", "PHP Fatal error:  x in /var/www/app/Http/Kernel.php on line 13", "app/Http/Kernel.php Kernel::send"},
	{"php class", "App\\Http\\Kernel::handle", "app/Http/Kernel.php Kernel::handle"},
	{"ruby stack", "lib/mailer.rb:7:in `queue'", "lib/mailer.rb Mailer::queue"},
	{"ruby method", "Mailer#deliver", "lib/mailer.rb Mailer::deliver"},
	{"windows path", `look at server\store.go`, "server/store.go Store"},
	{"folder", "what is in cmd/other/", "cmd/other/main.go main"},
	{"link", "see https://github.com/acme/app/blob/main/server/store.go#L12-L14", "server/store.go Store::Run"},
	{"installed copy", "Traceback (most recent call last):\n  File \"/srv/main.py\", line 1, in <module>\n    run()\n" +
		"  File \"/usr/lib/python3/site-packages/app/models/user.py\", line 1, in save\nTypeError", "app/models/user.py User::save"},
	{"go stack without places", "panic: x\n\ngoroutine 1 [running]:\nexample.com/app/server.(*Server).serve(...)\n" +
		"example.com/app/server.(*Server).Run(...)\nmain.main()", "server/server.go Server::serve"},
	{"minified", "TypeError: x\n    at ButtonGroup (https://acme.com/main.min.js:1:2345)\n    at render (https://acme.com/main.min.js:1:99)",
		"web/src/components/Button.tsx ButtonGroup"},
	{"linker", "error: undefined reference to `hash_remove'", "csrc/hash.c hash_remove"},
	{"constant", "ACME_MAX_UPLOAD is ignored", "deploy/settings.py MAX_UPLOAD_BYTES"},
}

// TestQueryMentions searches for places as tools and people write them.
func TestQueryMentions(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/query_mentions.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"go.mod": "module example.com/app\n", "noise/noise.go": "package noise\n\n"}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	for i, c := range queryMentionCases { // decoys with all of the words
		words := strings.FieldsFunc(c.query, func(r rune) bool { return !unicode.IsLetter(r) && r != '_' })
		slices.Reverse(words)
		files["noise/noise.go"] += fmt.Sprintf("func Noise%d() {\n\t// %s\n}\n\n", i, strings.Join(words, " "))
	}
	p := open(t, files)
	p.update()
	for _, c := range queryMentionCases {
		t.Run(c.name, func(t *testing.T) {
			query := strings.ReplaceAll(c.query, "$root", p.root)
			r, err := p.index.Search(t.Context(), index.Query{Text: query, Limit: 3})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, h := range r.Hits {
				got = append(got, h.Rel+" "+h.Canon)
			}
			if len(got) == 0 || got[0] != c.want {
				t.Errorf("%q finds %q, want %q first", query, got, c.want)
			}
		})
	}
}
