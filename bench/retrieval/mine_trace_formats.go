package main

import (
	"slices"
	"strings"
)

// traceFormat is how the programs and compilers of a language report errors. Names in braces are replaced, see
// traced.fill.
type traceFormat struct {
	languages string
	head      string // before the frames
	tail      string // after the frames
	// The frames of a file of the workspace, of an installed copy of it, and of a copy without its source.
	named, installed, names string
	library, app            string // a frame of the innermost library, and one of the program that calls
	others                  string // frames of libraries that have nothing to do with the project
	lastFirst               bool   // the outermost frame is first
	raised                  string // the report of an error with a text of the function
	messages                []string
	compiled                string   // the place of a compiler's message
	compilerMessages        []string // of the compiler
}

var traceFormats = []traceFormat{{
	others: "  File \"/usr/local/lib/python3.12/site-packages/celery/app/trace.py\", line 477, in trace_task\n    R = retval = fun(*args, **kwargs)\n" +
		"  File \"/usr/local/lib/python3.12/site-packages/kombu/transport/base.py\", line 186, in handle_message\n    self._brokers[queue](message)\n",
	languages: "python", head: "Traceback (most recent call last):\n", tail: "{message}\n", lastFirst: true,
	named:     "  File \"/builds/acme/{repo}/{rel}\", line {line}, in {name}\n    {code}\n",
	installed: "  File \"/usr/local/lib/python3.12/site-packages/{below}\", line {shifted}, in {name}\n    {code}\n",
	names:     "  at {module}.{name}\n",
	library:   "  File \"/usr/local/lib/python3.12/asyncio/base_events.py\", line 691, in run_until_complete\n",
	app:       "  File \"/srv/shop/main.py\", line 12, in <module>\n    start()\n",
	raised:    "ValueError: {literal}",
	messages: []string{"AttributeError: 'NoneType' object has no attribute '{member}'", "KeyError: '{member}'",
		"TypeError: {name}() got an unexpected keyword argument '{member}'"},
	compiled: "{rel}:{line}: ",
	compilerMessages: []string{"error: \"None\" has no attribute \"{member}\"  [attr-defined]",
		"error: Incompatible return value type in \"{name}\"  [return-value]"},
}, {
	others: "    at Layer.dispatch (/app/node_modules/mongoose/lib/query.js:4412:21)\n" +
		"    at runHandlers (/app/node_modules/lodash/lodash.js:9374:5)\n",
	languages: "javascript typescript tsx", head: "{message}\n",
	named:     "    at {dotted} (/home/ci/{repo}/{rel}:{line}:13)\n",
	installed: "    at {dotted} (/app/node_modules/{package}/{built}:{shifted}:11)\n",
	names:     "    at {dotted} (/app/build/main.3f2a1c.min.js:2:48213)\n",
	library:   "    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)\n",
	app:       "    at start (/app/server.js:9:3)\n", raised: "Error: {literal}",
	messages: []string{"TypeError: Cannot read properties of undefined (reading '{member}')",
		"ReferenceError: {member} is not defined", "TypeError: this.{member} is not a function"},
	compiled: "{rel}({line},13): ",
	compilerMessages: []string{"error TS2339: Property '{member}' does not exist on type 'never'.",
		"error TS2304: Cannot find name '{name}'."},
}, {
	others: "gorm.io/gorm.(*processor).Execute(0xc0000b6000, 0xc000282000)\n\t/home/me/go/pkg/mod/gorm.io/gorm@v1.25.5/callbacks.go:130 +0x3d8\n" +
		"google.golang.org/grpc.(*Server).handleStream(0xc0001ac000, {0x1, 0x2})\n\t/home/me/go/pkg/mod/google.golang.org/grpc@v1.60.1/server.go:1744 +0x9a\n",
	languages: "go", head: "panic: {message}\n\ngoroutine 1 [running]:\n",
	named:     "{goPackage}.{receiver}{name}(0xc000123400, 0x1)\n\t/home/ci/{repo}/{rel}:{line} +0x1d\n",
	installed: "{goPackage}.{receiver}{name}(0xc000123400, 0x1)\n\t/home/me/go/pkg/mod/{goModule}@v1.9.3/{rel}:{shifted} +0x1d\n",
	names:     "{goPackage}.{receiver}{name}(...)\n",
	library:   "runtime.gopanic({0x5f2d40?, 0x6c1a30?})\n\t/usr/local/go/src/runtime/panic.go:770 +0x132\n",
	app:       "main.main()\n\t/home/ci/shop/main.go:14 +0x25\n", raised: "{literal}",
	messages: []string{"runtime error: invalid memory address or nil pointer dereference",
		"interface conversion: interface {} is nil, not {member}", "assignment to entry in nil map"},
	compiled: "./{rel}:{line}:9: ",
	compilerMessages: []string{"undefined: {name}", "x.{member} undefined (type any has no field or method {member})",
		"not enough arguments in call to {name}"},
}, {
	others: "   3: diesel::query_builder::update\n             at /home/me/.cargo/registry/src/registry.example-6f17d22bba15001f/diesel-2.1.4/src/query_builder/update.rs:71:9\n" +
		"   4: hyper::server::conn::poll\n             at /home/me/.cargo/registry/src/registry.example-6f17d22bba15001f/hyper-0.14.28/src/server/conn.rs:801:20\n",
	languages: "rust", head: "thread 'main' panicked at {panicPlace}:\n{message}\nstack backtrace:\n" +
		"   0: rust_begin_unwind\n",
	named:     "   2: {rusty}\n             at ./{rel}:{line}:22\n",
	installed: "   2: {rusty}\n             at /home/me/.cargo/registry/src/registry.example-6f17d22bba15001f/{crate}-1.4.2/{inCrate}:{shifted}:22\n",
	names:     "   2: {rusty}\n",
	library:   "   1: core::panicking::panic_fmt\n             at /rustc/9fc6b4312/library/core/src/panicking.rs:72:14\n",
	app:       "   7: shop::main\n             at /srv/shop/src/main.rs:9:5\n", raised: "{literal}",
	messages: []string{"called `Option::unwrap()` on a `None` value",
		"called `Result::unwrap()` on an `Err` value: {member}", "index out of bounds: the len is 3 but the index is 7"},
	compiled: "{compilerMessage}\n  --> {rel}:{line}:9\n   |\n{line} |     {code}\n",
	compilerMessages: []string{"error[E0425]: cannot find function `{name}` in this scope",
		"error[E0599]: no method named `{member}` found for reference `&Self` in the current scope"},
}, {
	others: "\tat org.springframework.web.servlet.FrameworkServlet.service(FrameworkServlet.java:897) ~[spring-webmvc-5.3.9.jar:5.3.9]\n" +
		"\tat org.hibernate.internal.SessionImpl.doFlush(SessionImpl.java:1362) ~[hibernate-core-5.4.32.jar:5.4.32]\n",
	languages: "java kotlin scala", head: "Exception in thread \"main\" {message}\n",
	named:     "\tat {javaClass}.{name}({file}:{line})\n",
	installed: "\tat {javaClass}.{name}({file}:{shifted}) ~[{package}-2.10.1.jar:?]\n",
	names:     "\tat {javaClass}.{name}(Unknown Source)\n",
	library:   "\tat java.base/java.util.Objects.requireNonNull(Objects.java:233)\n",
	app:       "\tat shop.Main.main(Main.java:9)\n", raised: "java.lang.IllegalStateException: {literal}",
	messages: []string{"java.lang.NullPointerException: Cannot invoke \"Object.{member}()\" because \"<local2>\" is null",
		"java.lang.NoSuchFieldError: {member}"},
	compiled: "{rel}:{line}: ",
	compilerMessages: []string{"error: cannot find symbol\n  symbol:   method {member}()\n  location: class {owner}",
		"error: method {name} in class {owner} cannot be applied to given types;"},
}, {
	others: "\tfrom /usr/local/bundle/gems/puma-6.4.0/lib/puma/thread_pool.rb:155:in `spawn_thread'\n" +
		"\tfrom /usr/local/bundle/gems/sidekiq-7.2.0/lib/sidekiq/processor.rb:167:in `dispatch'\n",
	languages: "ruby", head: "{message} (RuntimeError)\n",
	named:     "\tfrom /home/ci/{repo}/{rel}:{line}:in '{owner}#{name}'\n",
	installed: "\tfrom /usr/local/bundle/gems/{package}-3.0.8/{rel}:{shifted}:in `{name}'\n",
	names:     "\tfrom {owner}#{name}\n",
	library:   "\tfrom <internal:kernel>:187:in 'Kernel#loop'\n", app: "\tfrom /srv/shop/app.rb:9:in '<main>'\n",
	raised:   "{literal}",
	messages: []string{"undefined method '{member}' for nil", "undefined local variable or method '{member}'"},
	compiled: "{rel}:{line}: ", compilerMessages: []string{"warning: method redefined; discarding old {name}"},
}, {
	others: "#4 /app/vendor/doctrine/orm/src/UnitOfWork.php(1213): Doctrine\\ORM\\UnitOfWork->commit()\n" +
		"#5 /app/vendor/guzzlehttp/guzzle/src/Client.php(189): GuzzleHttp\\Client->transfer()\n",
	languages: "php", head: "PHP Fatal error:  Uncaught {message}\nStack trace:\n", tail: "#9 {main}\n",
	named:     "#0 /home/ci/{repo}/{rel}({line}): {phpClass}->{name}()\n",
	installed: "#0 /app/vendor/{owned}/{rel}({shifted}): {phpClass}->{name}()\n",
	names:     "#0 [internal function]: {phpClass}->{name}()\n",
	library:   "#0 [internal function]: array_map()\n", app: "#7 /srv/shop/index.php(9): start()\n",
	raised: "RuntimeException: {literal}", messages: []string{"Error: Call to a member function {member}() on null",
		"ErrorException: Undefined array key \"{member}\""},
	compiled: "PHP Parse error in {rel} on line {line}: ", compilerMessages: []string{"unexpected token in {name}"},
}, {
	others: "   at Microsoft.EntityFrameworkCore.DbContext.SaveChanges(Boolean accept)\n" +
		"   at Newtonsoft.Json.JsonConvert.DeserializeObject(String value, Type type)\n",
	languages: "csharp", head: "Unhandled exception. {message}\n",
	named:     "   at {csharpClass}.{name}(Object value) in C:\\build\\{repo}\\{backslashed}:line {line}\n",
	installed: "   at {csharpClass}.{name}(Object value) in /_/{rel}:line {shifted}\n",
	names:     "   at {csharpClass}.{name}(Object value)\n", library: "   at System.ThrowHelper.Throw()\n",
	app: "   at Shop.Program.Main(String[] args)\n", raised: "System.InvalidOperationException: {literal}",
	messages: []string{"System.NullReferenceException: Object reference not set to an instance of an object.",
		"System.MissingMethodException: Method not found: '{member}'."},
	compiled: "{rel}({line},13): ", compilerMessages: []string{
		"error CS0103: The name '{member}' does not exist in the current context",
		"error CS7036: There is no argument given that corresponds to the required parameter of '{owner}.{name}'"},
}, {
	others: "    #3 0x7f20aa in sqlite3VdbeExec /usr/src/sqlite3-3.44/src/vdbe.c:5810:9\n" +
		"    #4 0x7f20bb in g_main_context_dispatch (/usr/lib/libglib-2.0.so.0+0x5a2c)\n",
	languages: "c cpp", head: "==4711==ERROR: AddressSanitizer: {message}\n",
	named:     "    #1 0x55d0c1 in {name} /home/ci/{repo}/{rel}:{line}:9\n",
	installed: "    #1 0x7f30c1 in {name} /usr/src/{package}-1.44/{rel}:{shifted}:9\n",
	names:     "    #1 0x7f30c1 in {name} (/usr/lib/lib{package}.so.1+0x2f1a)\n",
	library:   "    #0 0x7f11aa in __interceptor_memcpy (/usr/lib/libasan.so.8+0x3a)\n",
	app:       "    #6 0x55d011 in main /srv/shop/main.c:9:3\n", raised: "{literal}",
	messages: []string{"heap-use-after-free on address 0x602000000010", "SEGV on unknown address 0x000000000000"},
	compiled: "{rel}:{line}:9: ", compilerMessages: []string{"error: '{member}' undeclared (first use in this function)",
		"undefined reference to `{name}'", "error: too few arguments to function '{name}'"},
}, {
	others: "    (ecto 3.11.1) lib/ecto/repo/queryable.ex:229: Ecto.Repo.Queryable.execute/4\n" +
		"    (oban 2.17.0) lib/oban/queue/executor.ex:129: Oban.Queue.Executor.perform/1\n",
	languages: "elixir", head: "** (RuntimeError) {message}\n",
	named:     "    ({package} 1.7.2) {rel}:{line}: {dotted}/2\n",
	installed: "    ({package} 1.7.2) deps/{package}/{rel}:{shifted}: {dotted}/2\n",
	names:     "    ({package} 1.7.2) {dotted}/2\n", library: "    (stdlib 5.0) gen_server.erl:1123: :gen_server.try_call/3\n",
	app: "    (shop 0.1.0) lib/shop.ex:9: Shop.start/2\n", raised: "{literal}",
	messages: []string{"key :{member} not found in: %{}", "undefined function {member}/1"},
	compiled: "{rel}:{line}: ", compilerMessages: []string{"error: undefined function {name}/2"},
}}

// traceKinds are what a report says of where the error is.
var traceKinds = []struct {
	name string
	of   func(*traced) string // "" where the language has no such report
}{
	{"file named", func(t *traced) string { return t.report(t.format.named) }},
	{"installed copy", func(t *traced) string { return t.report(t.format.installed) }},
	{"names only", func(t *traced) string { return t.report(t.format.names) }},
	{"frames of others", func(t *traced) string { return t.ofOthers() }},
	{"message only", func(t *traced) string { return t.ofText() }},
	{"compiler, file named", func(t *traced) string { return t.compiled() }},
	{"compiler, names only", func(t *traced) string { return t.fill(t.compilerMessage, t.frames[0]) }},
}

func formatOf(language string) *traceFormat {
	for i, f := range traceFormats {
		if slices.Contains(strings.Fields(f.languages), language) {
			return &traceFormats[i]
		}
	}
	return nil
}
