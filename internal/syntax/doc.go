// Package syntax finds the symbols, references and imports in the text of a file. It uses
// tree-sitter, or a scanner of its own where that is enough for an outline or where no grammar
// is good enough.
//
// Its promises:
//   - Bytes in, plain structs out: no tree-sitter node leaves the package, and
//     no result keeps the text in memory.
//   - Tolerant: text with errors yields the parts that parse, and the number of its problems.
//   - Bounded: a parse ends after five seconds.
//   - A language is one line in languages.go and one file of rules.
//
// # Enclosing symbols and addresses
//
// The canon of a symbol is the names of the symbols around it and its own, joined by "::".
// Symbols of one kind with the same names are name, name#2, … in the order of the file.
//
//	language     encloses                            special addresses
//	Go           struct: fields                      a method by its receiver's base type, without
//	             interface: methods                  pointer and type parameters: Server::Run
//	             function, method: types
//	Python       class: methods, assigned names      a property's setter is size#2
//	             function, method: functions, classes
//	JavaScript   class: methods, fields              a function by the variable or property that
//	             object of a variable: functions     names it; exports.f: f; T.prototype.f: T::f;
//	             function, method: functions,        export default without a name: default;
//	             classes; describe: tests            a test by its description
//	TypeScript,  as JavaScript; interface, object    overloads are parse, parse#2, …;
//	TSX          type: properties, methods;          module "m" is m
//	             namespace, module: all;             namespace A.B is A::B
//	             enum: members
//	Rust         mod: all; struct, variant: fields;  impl T for X and impl X are X (kind impl, with
//	             enum: variants; trait, impl:        the trait as detail), their methods X::method
//	             methods, types, constants
//	C            struct, union: fields;              typedef struct {…} T is the struct T; an
//	             enum: constants                     array or function pointer by its own name
//	C++          as C; namespace: all; class,        an out-of-line member by its class, without
//	             struct, union: methods, types       template arguments: Server::Run; TEST(S, N)
//	                                                 and its like are the test S::N, and
//	                                                 TEST_CASE("adds") is the test adds
//	Java         class, record, interface, enum and  without the package; a record's components are
//	             its constants: all; method: classes fields; members of an anonymous class are in
//	                                                 its method: run::run
//	C#           namespace: all; class, record,      Net.Http is Net::Http; a namespace for the
//	             struct, interface, enum: members;   whole file encloses nothing; ~Server,
//	             method: functions                   operator+, operator bool; an indexer is this;
//	                                                 an explicitly implemented interface is a detail
//	Kotlin       class, interface, object, enum and  an extension by its receiver's type: List::map;
//	             its constants: all; function,       what a companion without a name holds by its
//	             method: functions                   class: Server::make
//	Scala        package with braces, object, class, an object is a module next to the class of its
//	             trait, enum, given: all; method:    name; an extension by its type: Point::norm;
//	             functions                           package a.b is a::b
//	Ruby         module, class: methods, constants,  members of the class itself have the detail
//	             attributes; test: all; namespace    self; Point = Struct.new … is the class Point;
//	             of Rake: tasks                      a test by its description
//	PHP          class, interface, trait, enum:      a promoted parameter is its class's property;
//	             methods, properties, constants;     properties and variables without the $
//	             namespace with braces: all
//	Bash         function: functions                 variables where they are first assigned;
//	                                                 a test of Bats by its description
//	Lua          function: functions; a table of a   function T.f, T:f and T.f = function are T::f
//	             variable: functions
//	Swift        class, struct, enum, protocol,      an extension of T is T (kind impl, with the
//	             extension: all; enum: cases         protocol as detail); init, deinit, subscript
//	Elixir       module, implementation: all;        Shop.Cart is Shop::Cart; clauses are add,
//	             protocol: methods; group of tests   add#2; an implementation by its type (kind impl,
//	                                                 with the protocol as detail); a field of a
//	                                                 struct, a @type, @callback or constant by its
//	                                                 module
//	OCaml and    module, functor, module type: all;  a constructor by its type: tree::Leaf; a let in
//	its .mli     type: constructors, fields; class:  a function is one only where it is a function;
//	             methods; function: functions        a val has the detail declaration
//	HCL          locals: each; block: blocks with    a block by its type and labels:
//	             labels                              resource::aws_s3_bucket::logs
//	Protobuf     message, group, extend: all; enum:  a field of a oneof by the message; extend T is T
//	             values; service: methods            (kind impl)
//	SQL          table, type: columns, labels        shop.carts is shop::carts; the detail of anything
//	                                                 but a table, type or function is its kind
//	Markdown     heading: lower headings             a section ends before the next of its level
//	YAML         mapping: keys, three levels of      an item of a list by its name:, one level deeper;
//	             them; document of Kubernetes: keys  Deployment/web by kind and metadata.name; text in
//	                                                 brackets is a value
//	TOML         table: keys                         [a.b] is a::b; [[bin]] with a name is bin::name
//	CSS, SCSS,   rule, @media and its like: all      by selector; variables with their marks (--gap,
//	Less                                             $gap, @gap); a mixin is a macro
//	HTML, Vue,   element with an id: all             by id, with the tag as detail; headings and the
//	Svelte                                           title by their words; style, script, and a
//	                                                 file's own templates
//	Dockerfile   stage: variables, ports             by its alias, else its image
//
// A YAML, TOML or HTML file with more than 1,000 symbols is data: its deepest levels are
// dropped until 1,000 symbols remain at most. Symbols nest 50 levels deep at most.
//
// Constants and variables are symbols if they are declared outside of functions. Functions
// that a test runner finds by their name have the kind function. Ruby's instance variables are
// not symbols, since nothing declares them; attributes are.
//
// # Gaps in the grammars
//
// A text that its grammar would misread is rewritten for the grammar, byte for byte. Symbols
// and references have the offsets and the words of the original text. Some parts are lost:
// C++ macros without a semicolon before a declaration, or between class and a name; the values
// of constants in a PHP enum, and all but the first of several constants; C# bases after #else
// and #elif; the last of several annotations of a Kotlin type that has only a body. Other C++
// macros are not symbols, and neither are the sections of Catch2 tests.
//
// # Documentation
//
// A doc comment is the run of comments directly above a declaration; attributes and decorators
// may stand between them. In Python it is the docstring, in Elixir the @doc, in HCL the
// description. In OCaml it may also be the comment behind a declaration.
//
// # References
//
// A reference is the last name of a path: x.Close() calls Close. Names that the enclosing
// function binds (parameters, variables) and names of the language itself give none.
//
// The qualifier of a name is read from the text. The result of a call or of an index has no
// name and so the qualifier Expression. The receiver's type is known if the enclosing function
// writes it: for parameters and variables with a type, for constructed values (T{}, new T,
// T(…) where only types begin with a capital, T.new, T::new, casts), for a variable assigned
// from such a variable, and for self and this. The newest binding above the use counts,
// wherever in the function it stands: a name that a closure binds again keeps the closure's
// type after the closure. Lists, maps, functions, unions, type parameters, fields, variables
// of a file and results of calls have no receiver type; a wrapper (Box<T>, unique_ptr<T>,
// Optional[T]) has that of its argument. In Go, a result has the call instead, see [Result], and
// a field that a literal names has the literal's type. In Ruby, where x.new needs no parentheses, the
// qualifier in T.new.run is new. A name after Python's super() has the qualifier super.
//
// A reference to a type that another type extends, implements, embeds or mixes in has the kind
// inherit and comes from that other type. The base of an anonymous class has the kind type.
//
// # Imports
//
//	import                                     path          member    local
//	Go       import "net/http"                 net/http                http
//	         import . "dsl"                    dsl           *
//	         import _ "embed"                  embed
//	Python   from ..a.b import c as d          ..a.b         c         d
//	         import a.b                        a.b                     b
//	JS, TS   import d, {a as b} from "./m"     ./m           default,a d, b
//	         import * as n, export * as n      ./m                     n
//	         export * from "./m"               ./m           *
//	         const {a} = require("m")          m             a         a
//	         import "./m"                      ./m
//	Rust     use a::b::{self, C as D}          a, a::b       b, C      b, D
//	C, C++   #include <x.h>                    x.h           *
//	C++      using a::b, using namespace a     a             b, *      b
//	Java     import static a.B.c               a.B           c         c
//	C#       using A.B                         A.B           *
//	         using X = A.B                     A             B         X
//	Kotlin   import a.b as c, import a.*       a             b, *      c
//	Scala    import a.{b => c, _}              a             b, *      c
//	PHP      use A\B\{C as D}                  A\B           C         D
//	Swift    import M, import struct M.T       M             *, T      T
//	Ruby, PHP, Bash: require, include, source  as written    *
//	Lua      local m = require "a.b"           a.b                     m
//
// The local name of a Go package is guessed from its path if the import has none: the last
// part that is not a version. A Rust module looks like a member, so std::io is io of std. Ruby's
// require_relative looks like require.
package syntax
