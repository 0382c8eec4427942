package syntax

import (
	"testing"
)

// TestTypeName reads type names in the syntax of all languages.
func TestTypeName(t *testing.T) {
	b := &builder{tree: &tree{grammar: &grammar{knownNames: knownNames{transparent: set("Box Optional")}},
		words: &words{known: map[string]*word{}}}, unit: 1,
		function: 2}
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
