package acp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/acp/acptest"
)

// TestAnAnswerForAlwaysNeedsAWholeQuestion runs checks whose commands are shown whole, in the title only in part, or nowhere whole:
// then they can be allowed or rejected this time only, and both ends are shown with the number of bytes between.
func TestAnAnswerForAlwaysNeedsAWholeQuestion(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		length, options        int
		wholeTitle, wholeShown bool
	}{{10, 4, true, true}, {300, 4, true, true}, {2000, 2, false, true}, {20 << 10, 2, false, false}} {
		t.Run(fmt.Sprint(tt.length), func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.setting(fmt.Sprintf(`{"checks":{"long":{"command":["echo",%q]}}}`, "begins"+strings.Repeat("Z", tt.length)+"ends"))
			f.useModel(call("c1", "run_check", `{"name":"long"}`), say("done"))
			c := f.start(acptest.Options{OnPermission: choose("rejectOnce")})
			c.Prompt(c.New(f.root), "Check it.")
			asked := c.Asked()
			if len(asked) != 1 || len(asked[0].Options) != tt.options {
				t.Fatalf("asked %+v", asked)
			}
			call := asked[0].ToolCall
			checkEnds(t, "the title", call.Title, tt.length, tt.wholeTitle)
			checkEnds(t, "the content", *call.Content[0].Content.Text, tt.length, tt.wholeShown)
		})
	}
}

// checkEnds checks that a text shows a command with so many letters Z, or both ends of it with the number of bytes between.
func checkEnds(t *testing.T, what, text string, length int, whole bool) {
	t.Helper()
	head, rest, cut := strings.Cut(text, " … (")
	between := 0
	_, err := fmt.Sscanf(rest, "%d bytes between are not shown)", &between)
	if cut == whole || cut && err != nil || !strings.Contains(head, "echo beginsZ") || !strings.Contains(text, "Zends") ||
		strings.Count(text, "Z")+between != length {
		t.Errorf("%s shows %d letters of %d, and %d not: %.300s", what, strings.Count(text, "Z"), length, between, text)
	}
}

// TestCommandsInASandboxAreAllowedForAFolderOrOneByOne offers an answer for all commands, and one for exactly this.
func TestCommandsInASandboxAreAllowedForAFolderOrOneByOne(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.setting(`{"checks":{"it":{"command":["true"],"on":"proposal"}}}`)
	f.useModel(call("c1", "run_check", `{"name":"it"}`), say("done"))
	c := f.start(acptest.Options{OnPermission: choose("rejectOnce")})
	c.Prompt(c.New(f.root), "Check it.")
	var offered []string
	for _, o := range c.Asked()[0].Options {
		offered = append(offered, o.Kind+" "+o.ID)
	}
	want := []string{"allow_once allowOnce", "allow_always allowAlways", "allow_always allowExact", "reject_once rejectOnce",
		"reject_always rejectAlways"}
	if !slices.Equal(offered, want) {
		t.Errorf("%q", offered)
	}
}
