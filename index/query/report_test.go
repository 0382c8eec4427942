package query

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReport reads the frames of stack traces, innermost first, and the names that messages have.
func TestReport(t *testing.T) {
	for _, c := range []struct{ what, text, frames, names, rest string }{
		{"Python", "Traceback (most recent call last):\n  File \"/srv/main.py\", line 3, in <module>\n    run()\n" +
			"  File \"/srv/a.py\", line 7, in run\n    x.y\n  File \"/srv/b.py\", line 8, in y\nKeyError: 'color'\n", ".y .run", "color",
			"KeyError: 'color'|    x.y|    run()"},
		{"JVM", "Exception in thread \"main\" java.lang.Error: a\n\tat com.acme.Cart.add(Cart.java:5)\n" +
			"\tat com.acme.Shop$Line.<init>(Unknown Source)\n\tat java.base/java.lang.Thread.run(Thread.java:8)\n\t... 3 more",
			"Cart.add Line.init", "", "java.lang.Error: a"},
		{"Go", "panic: x\n\ngoroutine 1 [running]:\nacme.com/app/v2.(*Mux).Serve(0xc00, {0x1, 0x2})\n\t/go/app/mux.go:8 +0x1d\n" +
			"main.main()\n", "Mux.Serve", "", "panic: x"},
		{"Rust", "thread 'main' panicked at src/a.rs:1:2:\nno value\nstack backtrace:\n   0: rust_begin_unwind\n" +
			"   1: core::panicking::panic\n             at /rustc/1/core.rs:7:2\n" +
			"   2: <app::Parser as app::Read>::next\n             at ./src/a.rs:1:2\n   3: app::main\n", "Parser.next app.main", "", "no value"},
		{"JavaScript", "TypeError: Cannot read properties of undefined (reading 'size')\n    at async Cart.add [as put] (/a/b.js:1:2)\n" +
			"    at node:internal/process/task_queues:95:5\n", "Cart.add", "size", "TypeError: Cannot read properties of undefined (reading 'size')"},
		{"Ruby", "undefined method 'call' for nil (NoMethodError)\n\tfrom lib/a.rb:3:in 'Rack::Builder#to_app'\n" +
			"\tfrom lib/b.rb:4:in `block in run'\n\tfrom Rack::Cascade#call", "Builder.to_app .run Cascade.call", "call",
			"undefined method 'call' for nil (NoMethodError)"},
		{"PHP", "PHP Fatal error:  Uncaught Error: x\nStack trace:\n#0 /a/b.php(3): App\\Cart->add()\n#1 [internal function]: App\\run()\n#2 {main}\n",
			"Cart.add App.run", "", "PHP Fatal error:  Uncaught Error: x"},
		{"C#", "System.Exception: x\n   at Acme.Cart.<Add>d__3.MoveNext() in C:\\a\\Cart.cs:line 7\n   at System.Linq.Run()\n",
			"Add.MoveNext", "", "System.Exception: x"},
		{"sanitizer", "ERROR: AddressSanitizer: x\n    #0 0x7f in __interceptor_free (/usr/lib/libasan.so+0x3)\n" +
			"    #1 0x55 in json::parser::next(char const*) /a/b.cpp:3:4\n    #2 0x55 in uv__run (/usr/lib/libuv.so.1+0x2f)",
			"parser.next .uv__run", "", "ERROR: AddressSanitizer: x"},
		{"gdb", "Thread 1 stopped\n#0  0x00 in hash_remove (t=0x0) at hash.c:8\n#1  main () at main.c:3", ".hash_remove .main", "", "Thread 1 stopped"},
		{"Elixir", "** (KeyError) x\n    (shop 0.1.0) lib/a.ex:7: Shop.Cart.add/2\n    (shop 0.1.0) Shop.Cart.run/1", "Cart.add Cart.run", "", "** (KeyError) x"},
		{"without a place", "Error: x\n    at Shop.Cart#add\n    at main\n", "Cart.add", "", "Error: x|    at main"},
		{"with a question", "why does this fail?\nError: x\n    at Cart.add (a.js:1:2)\n", "Cart.add", "", "why does this fail?|Error: x"},

		{"gcc", "a.c:3:4: error: 'size' undeclared", "", "size", "a.c:3:4: error: 'size' undeclared"},
		{"ld", "error: undefined reference to `uv__read'", "", "uv__read", "error: undefined reference to `uv__read'"},
		{"javac", "error: cannot find method add() of class Cart", "", "add Cart", "error: cannot find method add() of class Cart"},
		{"mypy", "error: \"Cart\" has no attribute \"size\"", "", "Cart size", "error: \"Cart\" has no attribute \"size\""},
		{"no report", "where is the 'size' of class Cart?\nand at what place (is it set)", "", "", "where is the 'size' of class Cart?|and at what place (is it set)"},
		{"a long line", "x\n    at Cart.add (" + strings.Repeat("a", maxFrame) + ")", "", "", "x|    at Cart.add (" + strings.Repeat("a", maxFrame) + ")"},
	} {
		r := newReport(c.text)
		var frames []string
		for _, f := range r.frames {
			frames = append(frames, f.owner+"."+f.name)
		}
		got := fmt.Sprintf("%s; %s; %s", strings.Join(frames, " "), strings.Join(r.names, " "),
			strings.ReplaceAll(strings.TrimSpace(r.text), "\n", "|"))
		if d := cmp.Diff(fmt.Sprintf("%s; %s; %s", c.frames, c.names, c.rest), got); d != "" {
			t.Errorf("%s: %s", c.what, d)
		}
	}
}

// TestFrameWeights adds the frames that the corpus has. The n-th of them weighs an n-th.
func TestFrameWeights(t *testing.T) {
	c := corpusOf(t, "Cart::add add run twice Shop::open open", "")
	q := parseQuery("Error: x\n    at unknown (a.js:1:2)\n    at Cart.add (a.js:3:4)\n" +
		"    at run (a.js:5:6)\n    at foreign.thing (a.js:7:8)\n    at Shop.open (a.js:9:1)\n")
	c.addFrames(&q)
	for name, want := range map[string]float64{"Cart::add": frameWeight, "add": frameNameWeight, "run": frameNameWeight / 2,
		"Shop::open": frameWeight / 3.,
		"unknown":    0, "thing": 0, "twice": 0} {
		if got := q.nameWeight(name); got != want {
			t.Errorf("%s weighs %v, want %v", name, got, want)
		}
	}
	if q.termWeight("cart") != frameWeight || q.termWeight("run") != frameWeight/2. || q.termWeight("foreign") != 0 {
		t.Errorf("the terms are %v", q.terms)
	}
	if q := parse("Error: x\n    at Cart.add (a.js:3:4)\n", false, true); len(q.frames) > 0 {
		t.Errorf("the frames of a text are %v", q.frames)
	}
}

// TestInstalledCopies tells the files of an installed library from those of others.
func TestInstalledCopies(t *testing.T) {
	for _, c := range []struct {
		path, rel string
		want      bool
	}{
		{"/usr/lib/python3/site-packages/click/core.py", "work/src/click/core.py", true},
		{"/usr/lib/python3/site-packages/orm/user.py", "app/models/user.py", false},
		{"/app/node_modules/express/lib/router/index.js", "express/lib/router/index.js", true},
		{"/app/node_modules/express/lib/router/index.js", "shop/lib/router/index.js", true},
		{"/app/node_modules/express/index.js", "shop/index.js", false},
		{"/app/node_modules/express/index.js", "express/index.js", true},
		{"/app/node_modules/got/dist/source/core/index.js", "work/source/core/index.ts", true},
		{"/app/node_modules/got/dist/source/core/index.js", "got/source/core/index.ts", true},
		{"/app/node_modules/got/dist/source/core/index.js", "got/source/core/index.d.ts", false},
		{"/app/node_modules/got/dist/source/core/index.js", "got/other/core/index.ts", false},
		{"/app/node_modules/@acme/a/dist/x.js", "work/packages/a/src/x.ts", true},
		{"/home/me/.cargo/registry/src/registry.example-6f17/serde-json-1.0.2/src/de.rs", "serde_json/src/de.rs", true},
		{"/home/me/.cargo/registry/src/registry.example-6f17/other-1.0.2/src/de.rs", "serde_json/src/de.rs", false},
		{"/home/me/.cargo/registry/src/registry.example-6f17/axum-0.7.1/src/routing/mod.rs", "work/axum/src/routing/mod.rs", true},
		{"/home/me/go/pkg/mod/github.com/go-chi/chi/v5@v5.0.1/mux.go", "chi/mux.go", true},
		{"/home/me/go/pkg/mod/github.com/go-chi/chi/v5@v5.0.1/mux.go", "shop/mux.go", false},
		{"/home/me/go/pkg/mod/github.com/go-chi/chi/v5@v5.0.1/middleware/log.go", "chi/middleware/log.go", true},
		{"/usr/local/bundle/gems/rack-3.0.8/lib/rack/lint.rb", "work/lib/rack/lint.rb", true},
		{"/usr/local/bundle/gems/rack-3.0.8/lib/rack.rb", "work/lib/rack.rb", false},
	} {
		if got := newPathMention(c.path).matchesFile(c.rel); got != c.want {
			t.Errorf("whether %s is %s: %v, want %v", c.path, c.rel, got, c.want)
		}
	}
}
