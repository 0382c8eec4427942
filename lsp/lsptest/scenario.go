package lsptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	udiff "github.com/aymanbagabas/go-udiff"
	"go.lsp.dev/jsonrpc2"
	"golang.org/x/tools/txtar"

	ploke "ploke-lsp/lsp/protocol"
)

// A Scenario is a session of an editor with a server that one can read: an archive with the files of the workspace
// below files/, the script of the model, the steps of the person, and the transcript of the messages that they cause.
//
// Each line of the steps is one step; a line that begins with # is a comment, and a step after "!" must fail.
//
//	start NAME             a new server with an editor for it: the next steps are its own. An editor named
//	                       plain has no ploke/* methods. Without this step there is one editor.
//	window NAME            the next steps are those of the editor NAME
//	open FILE              opens a file, or a new document
//	type FILE "old" "new"  replaces what stands once in an open document; "" is its end
//	close FILE             closes a document without saving it
//	ask TEXT               sends a message in the conversation, and waits for the end of its turn
//	branch NAME TEXT       sends a message after the answer NAME, or as the first with root
//	keep NAME              names the last answer; in a call it is $NAME
//	send TEXT              sends a message, and does not wait
//	accept, reject, undo, redo        decide on the proposal of the last turn, as it was shown
//	amend FILE "old" "new" changes what the proposal makes of a file
//	answer ANSWER          how permission requests are answered from now on
//	call METHOD JSON       any request; $proposal, $conversation and $answer are the last ones, $root the folder
//	text FILE              shows the text of a document, or of a file that is not open
//	await TEXT...          waits for a message of the server that has all of the words
//	resume                 continues the newest conversation that is stored
//	prompt                 shows what the model was told last
//	crash                  the server is gone, with what it has stored until then
type Scenario struct {
	Name    string
	archive *txtar.Archive
	path    string
}

// ReadScenario reads an archive.
func ReadScenario(t testing.TB, path string) *Scenario {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return &Scenario{Name: strings.TrimSuffix(filepath.Base(path), ".txtar"), archive: archive, path: path}
}

// File returns the text of a file of the archive, "" if it has none of that name.
func (s *Scenario) File(name string) string {
	for _, f := range s.archive.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// Below returns the files of the archive in a folder, by the rest of their names.
func (s *Scenario) Below(folder string) map[string]string {
	files := make(map[string]string)
	for _, f := range s.archive.Files {
		if name, ok := strings.CutPrefix(f.Name, folder+"/"); ok {
			files[name] = string(f.Data)
		}
	}
	return files
}

// A World is where a scenario is played.
type World struct {
	Root, State string // the folders of the workspace and of the server
	// Serve starts a server for these folders.
	Serve func(root, state string) func(context.Context, io.ReadWriteCloser) error
	// Settle waits until nothing happens any more. nil means that the scenario waits by itself, with await, and the
	// transcript has only what the editor asks and what it awaits.
	Settle func()
	// Started is called when a step has started a server.
	Started func()
	// Prompt returns what the last request has told the model last.
	Prompt func() string
}

// Play plays a scenario and returns its transcript.
func (s *Scenario) Play(t testing.TB, w World) string {
	t.Helper()
	for name, text := range s.Below("files") {
		writeFile(t, filepath.Join(w.Root, name), text)
	}
	p := &player{t: t, world: w, windows: map[string]*window{}, kept: map[string]string{},
		form: normalForm{root: w.Root, names: map[string]string{}}}
	defer p.end() // also if a step fails: a bubble waits for its goroutines
	for line := range strings.Lines(s.File("steps")) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			p.step(line)
		}
	}
	return p.out.String()
}

// Check compares a transcript with that of the archive, or writes it there.
func (s *Scenario) Check(t testing.TB, got string, update bool) {
	t.Helper()
	want := s.File("transcript")
	if got == want {
		return
	}
	if !update {
		t.Errorf("%s has another transcript; read it, and run with -update if it is right:\n%s", s.path,
			udiff.Unified("the archive", "now", want, got))
		return
	}
	for i, f := range s.archive.Files {
		if f.Name == "transcript" {
			s.archive.Files[i].Data = []byte(got)
		}
	}
	if err := os.WriteFile(s.path, txtar.Format(s.archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A player plays a scenario.
type player struct {
	t       testing.TB
	world   World
	windows map[string]*window
	current *window
	form    normalForm
	out     strings.Builder
	failing bool   // the step must fail
	answer  string // to permission requests

	conversation, proposal, last string            // the last ones; last is an answer
	kept                         map[string]string // answers by name
}

// A window is an editor with its server.
type window struct {
	*Editor
	name       string
	transcript *Transcript
	served     <-chan error
}

// step plays one step, and writes what it causes.
func (p *player) step(line string) {
	p.t.Helper()
	fmt.Fprintf(&p.out, "=== %s\n", line)
	rest, failing := strings.CutPrefix(line, "! ")
	p.failing = failing
	verb, arguments, _ := strings.Cut(rest, " ")
	play := steps[verb]
	if play == nil {
		p.t.Fatalf("there is no step %q", verb)
	}
	if p.current == nil && verb != "start" && verb != "answer" {
		p.start("editor")
		p.current.transcript.take()
	}
	play(p, arguments)
	if p.world.Settle != nil {
		p.world.Settle()
	}
	if p.current == nil {
		return
	}
	if p.world.Settle == nil {
		p.form.write(&p.out, p.current.transcript.takeAsked())
	} else {
		p.form.write(&p.out, p.current.transcript.take())
	}
}

// start starts a server and its editor.
func (p *player) start(name string) {
	w := &window{name: name, transcript: &Transcript{}}
	capabilities, plain := Capabilities(), name == "plain"
	if plain {
		capabilities.Experimental = nil
	}
	w.Editor, w.served = StartUntilExit(p.t, p.world.Serve(p.world.Root, p.world.State), Options{
		Roots: []string{p.world.Root}, Capabilities: capabilities, Transcript: w.transcript,
		OnPermission: func(context.Context, string) string { return p.answer },
	})
	p.windows[name], p.current = w, w
	if !plain { // a plain editor is not told of the index
		w.AwaitIndex()
	}
	p.world.Started()
	if p.world.Settle != nil {
		p.world.Settle()
	}
}

// crash ends the server of the current window. The next one starts with what is stored now.
func (p *player) crash() {
	stored := p.t.TempDir()
	if err := os.CopyFS(stored, os.DirFS(p.world.State)); err != nil {
		p.t.Fatal(err)
	}
	p.current.conn.Close()
	<-p.current.served
	delete(p.windows, p.current.name)
	p.world.State, p.current = stored, nil
}

// end ends all servers.
func (p *player) end() {
	for _, w := range p.windows {
		w.Shutdown()
		if err := <-w.served; err != nil {
			p.t.Errorf("the server of %s ended with: %v", w.name, err)
		}
	}
}

// request sends a request, which must fail if the step must.
func (p *player) request(method string, params, result any) {
	p.t.Helper()
	err := p.current.Try(p.t.Context(), method, params, result)
	var wire *jsonrpc2.Error
	switch {
	case p.failing && errors.As(err, &wire):
	case p.failing:
		p.t.Fatalf("%s: %v, want an error of the server", method, err)
	case err != nil:
		p.t.Fatalf("%s: %v", method, err)
	}
}

// ask sends a message and waits for the end of its turn.
func (p *player) ask(m *ploke.ChatSendParams) {
	var result ploke.ChatSendResult
	p.request(ploke.MethodChatSend, m, &result)
	p.conversation, p.last = result.ConversationID, result.AssistantMessageID
	if len(result.Proposals) > 0 {
		p.proposal = result.Proposals[0]
	}
}

// message returns a message in the conversation. A text in quotes may have several lines.
func (p *player) message(text string) *ploke.ChatSendParams {
	if lines, err := strconv.Unquote(text); err == nil {
		text = lines
	}
	p.current.mu.Lock()
	defer p.current.mu.Unlock()
	p.current.sent++
	return &ploke.ChatSendParams{ConversationID: p.conversation, Text: text,
		PartialResultToken: marshal(fmt.Sprintf("partial/%d", p.current.sent))}
}

// call sends any request.
func (p *player) call(arguments string) {
	method, params, _ := strings.Cut(arguments, " ")
	values := []string{"$proposal", p.proposal, "$conversation", p.conversation, "$answer", p.last, "$root", p.world.Root}
	for name, id := range p.kept {
		values = append(values, "$"+name, id)
	}
	params = strings.NewReplacer(values...).Replace(params)
	var raw any
	if params != "" {
		if err := json.Unmarshal([]byte(params), &raw); err != nil {
			p.t.Fatalf("%s: %v", params, err)
		}
	}
	p.request(method, raw, nil)
}
