package llm_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"ploke-lsp/session/llm"
)

// outcome describes what a provider yields.
func outcome(t *testing.T, p llm.Provider) string {
	t.Helper()
	text, reasoning, calls, last, err := collect(t.Context(), p, question("hi"))
	var b strings.Builder
	add := func(format string, args ...any) { fmt.Fprintf(&b, format+" ", args...) }
	if len(text) > 0 {
		add("text %+q", text)
	}
	if len(reasoning) > 0 {
		add("reasoning %+q", reasoning)
	}
	for _, c := range calls {
		add("call %+q %+q %+q", c.ID, c.Name, c.Arguments)
	}
	if u := last.Usage; u != nil {
		add("%d/%d/%d/%d tokens", u.In, u.Out, u.Cached, u.Written)
	}
	if o := attached(last.Opaque); o != "" {
		add("opaque %s", o)
	}
	if err == nil {
		return b.String() + string(last.Finish)
	}
	return b.String() + errorOutcome(t, err)
}

// errorOutcome describes an error of a provider.
func errorOutcome(t *testing.T, err error) string {
	t.Helper()
	e := errorOf(t, err)
	text := fmt.Sprintf("%s %q", e.Class, e.Message)
	if e.Status != 0 {
		text += fmt.Sprint(" HTTP ", e.Status)
	}
	if e.BrokeOff {
		text += " after it began"
	}
	return text
}

var originOfTest = regexp.MustCompile(`"from":"[^"]*",?`)

// attached returns what a provider wants back, less the name of the provider, which has the port of a test's server; ""
// if it is only that.
func attached(o llm.Opaque) string {
	rest := originOfTest.ReplaceAllString(string(o), "")
	if rest == "{}" {
		return ""
	}
	return rest
}
