package lsp_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/o200k"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// zoo has an interface with implementers, a function that is too long to show, and a file with many
// symbols of similar names.
func (f *fixture) zoo() {
	f.write("zoo/animal.go",
		"package zoo\n\nimport \"fmt\"\n\n// Animal is kept in an enclosure.\ntype Animal interface {\n\tFeed(kilos int) error\n}\n\n"+
			"// Visit shows an animal to visitors.\nfunc Visit(a Animal) { fmt.Println(a) }\n")
	f.write("zoo/cats.go",
		"package zoo\n\ntype Lion struct{}\n\nfunc (Lion) Feed(kilos int) error { return nil }\n\ntype Tiger struct{}\n\nfunc (Tiger) "+
			"Feed(kilos int) error { return nil }\n")
	var long, many strings.Builder
	long.WriteString("package zoo\n\n// Inventory lists everything.\nfunc Inventory() {\n")
	for i := range 900 {
		fmt.Fprintf(&long, "\tprintln(\"thing\", %d)\n", i)
	}
	many.WriteString("package zoo\n\n")
	for i := range 60 {
		fmt.Fprintf(&many, "// Enclosure%d is an enclosure.\nfunc Enclosure%d() { println(\"enclosure of an animal\", %d) }\n\n", i, i, i)
	}
	f.write("zoo/inventory.go", long.String()+"}\n")
	f.write("zoo/enclosures.go", many.String())
}

// contextsOf sends messages of one conversation and returns what was sent to the model with each,
// without the message itself.
func (f *fixture) contextsOf(settings string, messages ...string) (contexts []string) {
	f.t.Helper()
	turns := make([]llmtest.Turn, len(messages))
	for i := range turns {
		turns[i].Text = []string{"I see."}
	}
	server := llmtest.NewServer(f.t, turns...)
	f.Config = []config.Layer{config.FromJSON("the test", fmt.Appendf(nil,
		`{"model": "scripted/model", %s "providers": {"scripted": {"type": "openai", "baseUrl": %q}}}`, settings, server.URL))}
	e := f.startIndexed()
	conversation := ""
	for i, text := range messages {
		conversation = e.Send(f.t.Context(), ploke.ChatSendParams{ConversationID: conversation, Text: text}).ConversationID
		contexts = append(contexts, strings.TrimSuffix(server.Requests()[i].Last().Content, text))
	}
	return contexts
}

func TestTheContextSentWithAMessageKeepsItsBudget(t *testing.T) {
	t.Parallel()
	const around = 20 // tokens of the words before the code
	for _, test := range []struct {
		settings string
		limit    int
	}{{"", 400}, {`"limits": {"autoContext": 1000},`, 1000}, {`"limits": {"autoContext": 0},`, 0}, {`"limits": {"autoContext": 9000},`, 4096}, {`"limits": {"toolTokens": 1000, "autoContext": 2000},`, 500}} {
		f := newFixture(t)
		f.zoo()
		context := f.contextsOf(test.settings, "what does `Inventory` print?")[0]
		switch tokens := o200k.Count(context); {
		case test.limit == 0 && context != "":
			t.Errorf("%s: the message came with %q", test.settings, context)
		case test.limit > 0 && (tokens > test.limit+around || tokens < min(test.limit, 1000)/3):
			t.Errorf("%s: the context has %d tokens, the limit is %d", test.settings, tokens, test.limit)
		}
	}
}

func TestAMessageThatNamesNothingGetsNoContext(t *testing.T) {
	f := newFixture(t)
	f.zoo()
	messages := []string{"hello, what can you do?", "thanks, how is the weather today?", "how is an animal fed?", "yes, and add a test", "ok do it", "why?", "now please fix the errors"}
	for i, context := range f.contextsOf("", messages...) {
		if (context != "") != (i == 2) {
			t.Errorf("%q came with %q", messages[i], context)
		}
	}
}

func TestAFollowUpGetsOnlyCodeThatTheModelHasNotRead(t *testing.T) {
	f := newFixture(t)
	f.zoo()
	contexts := f.contextsOf("", "what does Visit show?", "and what about Tiger, as opposed to Visit?", "now the same for Inventory")
	if !strings.Contains(contexts[0], " 11  func Visit(a Animal)") || strings.Contains(contexts[0], "Inventory") {
		t.Errorf("the first message came with %s", contexts[0])
	}
	if !strings.Contains(contexts[1], "type Tiger struct") || !strings.Contains(contexts[2], "func Inventory()") {
		t.Errorf("the follow-ups came with %s\n\n%s", contexts[1], contexts[2])
	}
	read := map[string]bool{}
	for _, context := range contexts {
		for line := range strings.Lines(context) {
			if symbol := strings.Contains(line, "func ") || strings.Contains(line, "type "); symbol && read[line] {
				t.Errorf("%q is sent twice", line)
			}
			read[line] = true
		}
	}
}

func TestAChangedSymbolIsSentAgain(t *testing.T) {
	f := newFixture(t)
	f.zoo()
	server := f.useModel(llmtest.Turn{Text: []string{"I see."}}, llmtest.Turn{Text: []string{"I see."}})
	e := f.startIndexed()
	conversation := e.Ask("what does Visit show?").ConversationID
	f.write("zoo/animal.go", "package zoo\n\n// Visit shows an animal to visitors.\nfunc Visit(a Animal) { a.Feed(2) }\n")
	e.Send(t.Context(), ploke.ChatSendParams{ConversationID: conversation, Text: "and now explain zoo/animal.go:4"})
	if last := server.Requests()[1].Last().Content; !strings.Contains(last, "  4  func Visit(a Animal) { a.Feed(2) }") {
		t.Errorf("the follow-up came with %s", last)
	}
}

func TestTheContextNamesImplementersImportsAndTheLinesThatItCuts(t *testing.T) {
	f := newFixture(t)
	f.zoo()
	contexts := f.contextsOf("", "what is an `Animal`?", "what about `Inventory`?")
	for _, want := range []string{"\nimports, line 3: fmt\n", "  6  type Animal interface {\n  7  \tFeed(kilos int) error\n  8  }\n</code>\n",
		"implemented by Lion zoo/cats.go#3:3, Tiger zoo/cats.go#7:7\n"} {
		if !strings.Contains(contexts[0], want) {
			t.Errorf("there is no %q in %s", want, contexts[0])
		}
	}
	if n := len(regexp.MustCompile(`(?m)^\d+:\d+ Enclosure`).FindAllString(contexts[0], -1)); n == 0 || n > 5 {
		t.Errorf("%d enclosures are listed in %s", n, contexts[0])
	}
	_, cut, _ := strings.Cut(contexts[1], "func Inventory()")
	if !regexp.MustCompile(`\ncut: lines \d+-905 of Inventory\n`).MatchString(cut) || strings.Contains(contexts[1], "hash") {
		t.Errorf("the code that is cut came as %s", contexts[1])
	}
}

func TestTheContextShowsTheLinesOfALongFunctionThatTheMessageNames(t *testing.T) {
	f := newFixture(t)
	f.zoo()
	var long strings.Builder
	long.WriteString("package zoo\n\nfunc Pump() {\n")
	for i := range 400 {
		if i == 300 {
			long.WriteString("\topenValve()\n")
		}
		fmt.Fprintf(&long, "\tprintln(%d)\n", i)
	}
	f.write("zoo/pump.go", long.String()+"}\n")
	context := f.contextsOf("", "let Pump open the valve later")[0]
	for _, want := range []string{`<code="zoo/pump.go" #3:4>`, "\n304  \topenValve()\n", "\ncut: lines 5-299, 309-405 of Pump\n"} {
		if !strings.Contains(context, want) {
			t.Errorf("there is no %q in %s", want, context)
		}
	}
	if strings.Contains(context, "println(100)") {
		t.Errorf("lines that nobody asked for came with %s", context)
	}
}

func TestTheContextShowsOnlyTheCodeOfSymbolsThatAreNearTheBest(t *testing.T) {
	f := newFixture(t)
	f.zoo()
	context := f.contextsOf("", "what is an `Animal`?")[0]
	if n := strings.Count(context, "<code="); n != 1 || !strings.Contains(context, "\n11:11 Visit func Visit(a Animal)\n") {
		t.Errorf("%d symbols came with code in %s", n, context)
	}
}

// The window around a line that the message names reaches into a key. No line of the key may leave,
// though the window has neither its beginning nor its end.
func TestTheLinesThatAMessageNamesLeaveNoPartOfAKey(t *testing.T) {
	f := newFixture(t)
	var keyLines []string
	for i := range 30 {
		keyLines = append(keyLines, fmt.Sprintf("MIIEowIBAAKCAQ%02dqf8Zr0xT4mBAbCdEfGhIjKlMnOpQrStUvWxYz0123456", i))
	}
	filler := strings.Repeat("\tprintln(\"step\")\n", 150)
	f.write("pump.go", "package pump\n\n// Pump runs.\nfunc Pump() {\n"+filler+"\tconst pem = `-----BEGIN RSA PRIVATE "+"KEY-----\n"+
		strings.Join(keyLines[:15], "\n")+
		"\n"+strings.Join(keyLines[15:], "\n")+"\n-----END RSA PRIVATE "+"KEY-----`\n\tstartTurbine()\n"+filler+"}\n")
	sent := f.contextsOf("", "why does Pump call startTurbine?")[0]
	if !strings.Contains(sent, "startTurbine()") {
		t.Errorf("the named line is not sent:\n%s", sent)
	}
	for _, line := range keyLines {
		if strings.Contains(sent, line) {
			t.Errorf("a line of the key is sent: %s", line)
		}
	}
}
