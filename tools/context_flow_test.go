package tools_test

import (
	"context"
	"strings"
	"testing"

	"ploke-lsp/index"
)

// newMill has a flow of calls over two files, in C, whose functions have prototypes.
func newMill(t *testing.T) *world {
	body := strings.Repeat("    log_line(\"the miller grinds grain into flour\");\n", 6)
	w := newWorld(t, map[string]string{
		"mill.h": "int grind_grain(int sacks);\nint clean_stones(int force);\n",
		"mill.c": "#include \"mill.h\"\n\nstatic int sift(int sacks) {\n" + body + "    return sacks;\n}\n\n" +
			"int grind_grain(int sacks) {\n    clean_stones(1);\n    sacks = sift(sacks);\n    sacks = sift(sacks);\n" + body +
			"    return open_sluice(sacks);\n}\n",
		"river.c": "int open_sluice(int level) {\n" + body + "    return level;\n}\n\nint clean_stones(int force) {\n" + body +
			"    return force;\n}\n",
		"rest.go": "package rest\n\n// Sleep is what a miller does when no grain is there to grind.\n" +
			"func Sleep(hours int) int {\n\treturn hours\n}\n\n" +
			"// Wake ends the sleep of a miller.\nfunc Wake() {\n" + strings.Repeat("\tprintln(\"wake up\")\n", 8) + "}\n",
	})
	w.deps.Editor = func(context.Context) index.Editor { return index.Editor{} }
	return w
}

// TestAQuestionComesWithWhatIsCalled: a flow is a part of the answer, whatever words its functions have.
func TestAQuestionComesWithWhatIsCalled(t *testing.T) {
	w := newMill(t)
	const calls = "\ncalls 3:11 sift, river.c#11:19 clean_stones, river.c#1:9 open_sluice\n"
	for text, want := range map[string]bool{
		"how does the miller grind grain?":         true,
		"Explain how to grind grain":               true,
		"was macht der Müller, um zu grind grain？": true,
		"let the miller grind grain twice":         false,
		"Don't ask why, grind grain twice":         false,
	} {
		code := w.contextOf(text)
		if strings.Contains(code, "\ncalls ") != want || want && !strings.Contains(code, calls) {
			t.Errorf("%q: calls are wanted: %v, as in %q, in\n%s", text, want, calls, code)
		}
	}
}

// TestAPrototypeIsNoPlaceOfItsOwn: a definition says what its prototype says, and more.
func TestAPrototypeIsNoPlaceOfItsOwn(t *testing.T) {
	w := newMill(t)
	code := w.contextOf("let the miller grind grain and clean stones twice")
	if !strings.Contains(code, " grind_grain int grind_grain(int sacks)") || strings.Contains(code, "\n1:1 grind_grain") {
		t.Errorf("it came as\n%s", code)
	}
	if code := w.contextOf("let `clean_stones` grind grain"); !strings.Contains(code, "\"mill.h\" #2:2>") {
		t.Errorf("without the prototype of what is named:\n%s", code)
	}
}

// TestShortCodeComesInsteadOfALine if there is room, but not of what is longer.
func TestShortCodeComesInsteadOfALine(t *testing.T) {
	w := newMill(t)
	code := w.contextOf("let a miller sleep and wake")
	if bodies := codeIn(code); !strings.Contains(bodies, "return hours") || strings.Contains(bodies, "wake up") ||
		!strings.Contains(code, " Wake func Wake()") {
		t.Errorf("it came as\n%s", code)
	}
}
