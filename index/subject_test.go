package index_test

import (
	"strings"
	"testing"

	"ploke-lsp/index"
)

// subject returns the subject of a text when the cursor is in the drain method.
func (p *project) subject(text string) index.Subject {
	p.t.Helper()
	e := index.Editor{Current: p.path("server/server.go"), Offset: strings.Index(sample["server/server.go"], "wait(ctx)")}
	subject, err := p.index.Subject(p.t.Context(), index.Query{Text: text, Editor: e})
	if err != nil {
		p.t.Fatal(err)
	}
	return subject
}

func TestSubjectIsWhatAQueryNamesInTheCode(t *testing.T) {
	p := open(t, sample)
	p.update()
	for text, want := range map[string]struct{ names, words bool }{
		"how does the server shut down?":        {words: true},
		"what about durations?":                 {names: true, words: true},
		"explain `drain`":                       {names: true, words: true},
		"and Server.Shutdown":                   {names: true, words: true},
		"now the same for Server, please":       {names: true, words: true},
		"explain parse.py":                      {names: true, words: true},
		"and in server.go:10?":                  {names: true, words: true},
		`"waits for the open connections"`:      {names: true},
		"what does this function do?":           {names: true},
		"yes, and the same for parse_duration":  {names: true, words: true},
		"":                                      {},
		"yes, and add a test":                   {},
		"ok do it":                              {},
		"why?":                                  {},
		"thanks, that looks good":               {},
		"please fix the errors":                 {},
		"tell me more about it":                 {},
		"what do people see?":                   {},
		"how is the weather in Paris?":          {},
		"zebra_crossing":                        {},
		"explain giraffes.go:12":                {},
		"ja, und füge einen Test hinzu":         {},
		"and what is \"said to no one at all\"": {},
	} {
		got := p.subject(text)
		if len(got.Names) > 0 != want.names || len(got.Words) > 0 != want.words {
			t.Errorf("the subject of %q is %+v, want names: %v, words: %v", text, got, want.names, want.words)
		}
	}
}

func TestSubjectBeyondAnEarlierOne(t *testing.T) {
	p := open(t, sample)
	p.update()
	earlier := p.subject("how does Server.Shutdown wait?")
	for text, want := range map[string]int{"does the server wait at Server.Shutdown?": 0, "what about durations?": 2, "does the server parse?": 1} {
		got := p.subject(text).Beyond(earlier)
		if len(got.Names)+len(got.Words) != want {
			t.Errorf("%q names %+v beyond %+v, want %d", text, got, earlier, want)
		}
	}
}
