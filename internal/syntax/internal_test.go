package syntax

import (
	"bytes"
	"maps"
	"slices"
	"testing"
	"time"
)

// TestLinked guards against a release of the binding without one of the C functions
// that flatten calls: being weak, it would be missed at run time only.
func TestLinked(t *testing.T) {
	if name := missingFunction(); name != "" {
		t.Errorf("%s is not linked", name)
	}
}

// TestRulesNameRealNodes guards against rules for nodes that a grammar does not have.
func TestRulesNameRealNodes(t *testing.T) {
	for _, l := range languages {
		known := map[string]bool{}
		for _, name := range grammars[l.name]().names {
			known[name] = true
		}
		named := slices.Collect(maps.Keys(l.rules.on))
		named = slices.AppendSeq(named, maps.Keys(l.rules.callee))
		named = slices.AppendSeq(named, maps.Keys(l.rules.values))
		named = slices.AppendSeq(named, maps.Keys(l.rules.roles()))
		named = slices.AppendSeq(named, maps.Keys(set(l.rules.identifiers)))
		for _, name := range named {
			if !known[name] {
				t.Errorf("%s has no node %q", l.name, name)
			}
		}
	}
}

// TestLimit gives up on a text that takes too long, and parses the next one afresh
// instead of going on with this one.
func TestLimit(t *testing.T) {
	s := newScratch(time.Millisecond)
	hard := bytes.Repeat([]byte(`"'{([`+"`"), 1<<18)
	if err := s.flatten(grammars["javascript"](), hard); err == nil {
		t.Fatal("the hard text was parsed within a millisecond")
	}
	s.parser.SetOperationLimit(0)
	if err := s.flatten(grammars["go"](), []byte("package p")); err != nil || len(s.nodes) != 3 {
		t.Errorf("the next text has %d nodes, want 3: %v", len(s.nodes), err)
	}
}

// TestTypeName reads the types of all languages off their text.
func TestTypeName(t *testing.T) {
	b := &builder{tree: &tree{grammar: &grammar{transparent: set("Box Optional")}, words: map[string]word{}}}
	for text, want := range map[string]string{
		"Server": "Server", "*http.Client": "Client", "&'a mut app::Server<T>": "Server", `?\App\User`: "User",
		": Server | null": "Server", "None | Server": "Server", "Server?": "Server", "Server!": "Server",
		"const struct pool *": "pool", "Optional['m.Server']": "Server", `"Server"`: "Server", "Box<dyn Run + Send>": "Run",
		"List<Map<K, V>>": "List", "Set[int]": "Set", "m.Server<>": "Server", "Vec::<u8>::Item": "Item",
		"[]Server": "", "map[string]Server": "", "Server[]": "", "Server[4]": "", "Server['key']": "", "[Server]": "",
		"(Server) -> T": "", "func(Server)": "", "A | B": "", "{ a: Server }": "", "var": "", "": "", "'a": "", "List<Server": "",
	} {
		if got := b.typeName([]byte(text)); got != want {
			t.Errorf("the type of %q is %q, want %q", text, got, want)
		}
	}
}

// TestQualifier reads what stands before a name off broken and odd text.
func TestQualifier(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"go", "x.y.f", "y"}, {"go", "x.\n\tf", "x"}, {"go", "x().f", ""}, {"go", "a[i].f", ""}, {"go", "f", ""},
		{"go", "...f", ""}, {"go", "1.f", ""}, {"kotlin", "x\n  ?.f", "x"}, {"kotlin", "x -> f", ""}, {"swift", "case .f", ""},
		{"kotlin", "x!!.f", "x"}, {"ruby", "@x&.f", "x"}, {"ruby", "1..f", ""}, {"ruby", "a ::f", ""}, {"rust", "Vec::<A<u8>>::f", "Vec"},
		{"rust", "g().await.f", ""}, {"rust", "0..f", ""}, {"rust", "-> f", ""}, {"cpp", "A<int>::f", "A"}, {"cpp", "p->f", "p"},
		{"cpp", "::f", ""}, {"php", "$x->f", "x"}, {"php", "'a' . f", ""}, {"php", `A\B\f`, "B"}, {"lua", "x:f", "x"}, {"lua", "x .. f", ""},
		{"java", "x -> f", ""}, {"java", "A::f", "A"}, {"javascript", "$el.f", "$el"},
	} {
		b := &builder{tree: &tree{grammar: grammars[c.language](), text: []byte(c.text)}}
		got := ""
		if end := b.separator(len(c.text) - 1); end > 0 {
			got = string(bytes.TrimPrefix(b.nameBefore(end), b.sigil))
		}
		if got != c.want {
			t.Errorf("%s: what stands before f in %q is %q, want %q", c.language, c.text, got, c.want)
		}
	}
}
