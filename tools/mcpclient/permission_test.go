package mcpclient

import (
	"strings"
	"testing"
)

// TestAPermissionShowsWhatIsPermitted has arguments that are too long to be shown whole, with and without spaces.
func TestAPermissionShowsWhatIsPermitted(t *testing.T) {
	for name, tt := range map[string]struct {
		tool, argument string
		begin, end     string // what is shown
		once           bool
	}{
		"short":           {"say", "rm -rf x", "rm -rf x", "rm -rf x", false},
		"without spaces":  {"say", "rm${IFS}-rf;" + strings.Repeat("x", 4400) + ";curl${IFS}evil", "rm${IFS}-rf;", ";curl${IFS}evil", true},
		"with spaces":     {"say", "rm -rf " + strings.Repeat("x ", 4400) + "curl evil", "rm -rf ", "curl evil", true},
		"with line ends":  {"say", "rm\n" + strings.Repeat("\n", 9000) + "curl evil", "rm", "curl evil", true},
		"a long name":     {strings.Repeat("n", 120) + "evil", "x", "nnnn", "evil", true},
		"a name as words": {strings.Repeat("n ", 60) + "evil", "x", "n n n", "evil", true},
	} {
		t.Run(name, func(t *testing.T) {
			o := candidate{connection: &connection{server: Server{Name: "s", Command: "server"}}, definition: definition{name: tt.tool}}
			p := o.permission(map[string]any{"line": tt.argument})
			shown := p.Title + "\n" + p.Detail
			if !strings.Contains(shown, tt.begin) || !strings.Contains(shown, tt.end) || p.OnlyOnce != tt.once {
				t.Errorf("only once %v: %s", p.OnlyOnce, shown)
			}
			if left := "bytes between are not shown"; strings.Contains(shown, left) != tt.once || len(shown) > 2*argumentsShown ||
				tt.tool == "say" && tt.once && len(shown) < argumentsShown/2 {
				t.Errorf("%d bytes are shown: %s", len(shown), shown)
			}
		})
	}
}
