package acp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/acp/acptest"
)

// TestAnAnswerForAlwaysNeedsAWholeQuestion runs a check whose command is shown whole, and one whose command is not: that can be
// allowed or rejected this time only.
func TestAnAnswerForAlwaysNeedsAWholeQuestion(t *testing.T) {
	t.Parallel()
	for length, options := range map[int]int{10: 4, 20 << 10: 2} {
		f := newFixture(t)
		f.setting(fmt.Sprintf(`{"checks":{"long":{"command":["echo",%q]}}}`, strings.Repeat("x", length)))
		f.useModel(call("c1", "run_check", `{"name":"long"}`), say("done"))
		c := f.start(acptest.Options{OnPermission: choose("rejectOnce")})
		c.Prompt(c.New(f.root), "Check it.")
		if asked := c.Asked(); len(asked) != 1 || len(asked[0].Options) != options {
			t.Errorf("%d bytes: asked %+v", length, asked)
		}
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
