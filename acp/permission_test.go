package acp_test

import (
	"fmt"
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
