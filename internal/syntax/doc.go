// Package syntax finds what a file's text declares and mentions: through tree-sitter, or
// through a scanner of its own where an outline needs no more or no grammar is good enough.
//
// Its promises:
//   - Bytes in, plain structs out: no tree-sitter node leaves the package, and
//     nothing returned holds on to the text.
//   - Tolerant: text with errors yields what parses, with its problems counted.
//   - Bounded: a parse ends after five seconds.
//   - A language is one line in languages.go and one file of rules.
//
// # What encloses what
//
// A symbol's canon is the names of what encloses it and its own, joined by "::".
// Namesakes of one kind in a file are name, name#2, … in its order.
//
//	language     encloses                            addressed otherwise
//	Go           struct: fields                      a method by its receiver's base type, without
//	             interface: methods                  pointer and type parameters: Server::Run
//	             function, method: types
//	Python       class: methods, assigned names      a property's setter is size#2
//	             function, method: functions, classes
//	JavaScript   class: methods, fields              a function by the variable or property that
//	             object of a variable: functions     names it; exports.f: f; T.prototype.f: T::f;
//	             function, method: functions,        export default without a name: default;
//	             classes; describe: tests            a test by what it says that it tests
//	TypeScript,  as JavaScript; interface, object    overloads are parse, parse#2, …;
//	TSX          type: properties, methods;          module "m" is m
//	             namespace, module: all;             namespace A.B is A::B
//	             enum: members
//	Rust         mod: all; struct, variant: fields;  impl T for X and impl X are X (kind impl, with
//	             enum: variants; trait, impl:        the trait as detail), what they hold X::method
//	             methods, types, constants
//	C            struct, union: fields;              typedef struct {…} T is the struct T; an
//	             enum: constants                     array or function pointer by its own name
//	C++          as C; namespace: all; class,        an out-of-line member by its class, without
//	             struct, union: methods, types       template arguments: Server::Run; TEST(S, N)
//	                                                 and its like are the test S::N, and
//	                                                 TEST_CASE("adds") is the test adds
//	Java         class, record, interface, enum and  without the package; a record's components are
//	             its constants: all; method: classes fields; what an anonymous class holds is in
//	                                                 its method: run::run
//	C#           namespace: all; class, record,      Net.Http is Net::Http; a namespace for the
//	             struct, interface, enum: members;   whole file encloses nothing; ~Server,
//	             method: functions                   operator+, operator bool; an indexer is this;
//	                                                 an interface served explicitly is a detail
//	Kotlin       class, interface, object, enum and  an extension by its receiver's type: List::map;
//	             its constants: all; function,       what a companion without a name holds by its
//	             method: functions                   class: Server::make
//	Scala        package with braces, object, class, an object is a module beside the class of its
//	             trait, enum, given: all; method:    name; an extension by its type: Point::norm;
//	             functions                           package a.b is a::b
//	Ruby         module, class: methods, constants,  those of the class itself have the detail self;
//	             attributes; test: all; namespace    Point = Struct.new … is the class Point; a
//	             of Rake: tasks                      test by what it says that it tests
//	PHP          class, interface, trait, enum:      a promoted parameter is its class's property;
//	             methods, properties, constants;     properties and variables without the $
//	             namespace with braces: all
//	Bash         function: functions                 variables where they are first assigned;
//	                                                 a test of Bats by what it says that it tests
//	Lua          function: functions; a table of a   function T.f, T:f and T.f = function are T::f
//	             variable: functions
//	Swift        class, struct, enum, protocol,      an extension of T is T (kind impl, with the
//	             extension: all; enum: cases         protocol as detail); init, deinit, subscript
//	Elixir       module, implementation: all;        Shop.Cart is Shop::Cart; clauses are add,
//	             protocol: methods; group of tests   add#2; an implementation by what it is for (kind
//	                                                 impl, with the protocol as detail); a field of a
//	                                                 struct, a @type, @callback or constant by its
//	                                                 module
//	OCaml and    module, functor, module type: all;  a constructor by its type: tree::Leaf; a let in
//	its .mli     type: constructors, fields; class:  a function is one only where it is a function;
//	             methods; function: functions        a val has the detail declaration
//	HCL          locals: each; block: blocks with    a block by its type and labels:
//	             labels                              resource::aws_s3_bucket::logs
//	Protobuf     message, group, extend: all; enum:  a field of a oneof by the message; extend T is T
//	             values; service: methods            (kind impl)
//	SQL          table, type: columns, labels        shop.carts is shop::carts; what is no table, type
//	                                                 or function says so by its detail
//	Markdown     heading: lower headings             a section ends where the next of its level begins
//	YAML         mapping: keys, three levels of      an item of a list by its name:, one level deeper;
//	             them; document of Kubernetes: keys  Deployment/web by kind and metadata.name; what
//	                                                 is within brackets is a value
//	TOML         table: keys                         [a.b] is a::b; [[bin]] with a name is bin::name
//	CSS, SCSS,   rule, @media and its like: all      by selector; variables with their marks (--gap,
//	Less                                             $gap, @gap); a mixin is a macro
//	HTML, Vue,   element with an id: all             by id, with the tag as detail; headings and the
//	Svelte                                           title by their words; style, script, and a
//	                                                 file's own templates
//	Dockerfile   stage: variables, ports             by its alias, else its image
//
// Of YAML, TOML and HTML that give more than a thousand symbols in a file, the deepest
// levels are left out, as many as it takes: such files are data. Nowhere do symbols
// nest deeper than fifty.
//
// Constants and variables are symbols where they are declared outside of
// functions. Functions that a test runner finds by their name are functions. Ruby's
// instance variables are none, for they are declared nowhere: what is to be seen of
// them are its attributes.
//
// # What the grammars do not know
//
// A text that its grammar would misread is rewritten for it, byte for byte; what comes
// out has the places and the words of the text itself. It costs what is left out: of the
// macros of C++ without a semicolon those that stand before a declaration, or between
// class and a name; the values of constants in PHP's enums, and all but the first of
// several; in C# the bases after #else and #elif; of several annotations of a Kotlin
// type with a body alone, the last. Other macros of C++ are no symbols, nor are the
// sections of Catch2's tests.
//
// # Documentation
//
// A doc comment is the run of comments directly above a declaration, attributes
// and decorators between them allowed; in Python it is the docstring,
// in Elixir the @doc, in OCaml also the comment behind a declaration, and in HCL the
// description.
//
// # References
//
// A reference is the last name of a path: x.Close() calls Close. What is bound
// inside the enclosing function (parameters, variables) and the language's own
// names are left out.
//
// What a name is qualified by is read off the text; after the result of a call or an
// index nothing is. The receiver's type is known where the enclosing function writes
// it: for parameters and variables with a type, for what is made on the spot (T{},
// new T, T(…) where only types begin with a capital, T.new, T::new, casts), for
// another name of such a variable, and for self and this. It is the newest binding
// above the use that counts, wherever in the function it stands: a name that a closure
// binds again keeps the closure's type after it. Lists, maps, functions, unions,
// type parameters, fields, the variables of a file and the results of calls have none;
// what stands for its argument (Box<T>, unique_ptr<T>, Optional[T]) has that one.
// Ruby, where x.new needs no parentheses, has new as the qualifier in T.new.run. What
// follows Python's super() is qualified by super.
//
// A type that is extended, implemented, embedded or mixed in is a reference of the
// kind inherit, from the type that does it; an anonymous class does so as a mere type.
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
// A Go package that is not named is called by its path's last part that is no version,
// which may be wrong. Rust's modules look like members, so std::io is io of std. What
// Ruby requires relative to the file looks like what it finds in its load path.
package syntax
