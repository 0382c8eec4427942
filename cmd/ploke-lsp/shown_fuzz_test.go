package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"ploke-lsp/acp"
	"ploke-lsp/acp/acptest"
	"ploke-lsp/acp/protocol"
	"ploke-lsp/edits"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/lsp"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/mcp"
	"ploke-lsp/project"
)

// FuzzDecisionsInThreeDoors amends, shows and decides on one proposal in an order that the input gives, over LSP, ACP and MCP. What is
// written is what was last shown to the one who decides; everything else is refused.
func FuzzDecisionsInThreeDoors(f *testing.F) {
	for _, order := range []string{"sa", "SA", "mM", "saA", "sxa", "SxA", "mxM", "msSaxA", "mSsxMAa", "SxAxSA", "sxasa", "mxMmM", "sr", "SR", "mR", "sxr", "SxR", "mxN", "sSmxarSAMN",
		"sv", "sw", "sxv", "sxw", "xsv", "sSxAv", "msvxw", "smv"} {
		f.Add(order)
	}
	f.Fuzz(func(t *testing.T, order string) {
		d := openDoors(t)
		for _, step := range []byte(order[:min(len(order), 12)]) {
			if !strings.ContainsRune(steps, rune(step)) {
				step = steps[int(step)%len(steps)]
			}
			if d.step(step); d.over {
				break
			}
		}
		d.end()
	})
}

// doors are three servers of a folder with one proposal, and what each of them has shown of it last.
type doors struct {
	t     *testing.T
	root  string
	edits *edits.Manager
	db    *store.DB
	id    string // of the proposal
	now   int    // what the proposal writes
	over  bool   // it was decided on

	editor  *lsptest.Editor
	version string
	seen    int // by the person at the editor; 0 if nothing was shown

	agent           *acptest.Client
	session         string
	asked           chan protocol.RequestPermissionRequest
	answers         chan string
	prompt          <-chan string // that waits for an answer
	seenByAgent     int
	client          *sdk.ClientSession
	state           string
	seenByMCPClient int
}

func openDoors(t *testing.T) *doors {
	root, err := filepath.EvalSymlinks(t.TempDir())
	check(t, err)
	state := t.TempDir()
	d := &doors{t: t, root: root, asked: make(chan protocol.RequestPermissionRequest, 8), answers: make(chan string)}
	d.write("Makefile", makefileOf(0))
	d.write("x.go", "package x\n\nfunc f() {}\n")
	capabilities := lsptest.Capabilities()
	capabilities.Workspace.ApplyEdit = nil // so that the server writes the files
	d.editor = lsptest.Start(t, lsp.NewServer(lsp.Options{StateDir: state, Version: "test"}).Serve,
		lsptest.Options{Roots: []string{root}, Capabilities: capabilities})
	d.agent = acptest.Start(t, acp.NewAgent(acp.Options{StateDir: state, Version: "test"}).Serve,
		acptest.Options{OnPermission: d.onPermission})
	d.agent.Initialize()
	d.session = d.agent.New(root)
	d.connectMCP(state)
	d.db, err = store.Open(t.Context(), filepath.Join(store.Folder(state, root), "state.db"))
	check(t, err)
	t.Cleanup(func() { d.db.Close() })
	ws, err := workspace.New([]string{root}, workspace.Options{})
	check(t, err)
	d.edits = edits.New(d.db, ws, edits.Options{})
	d.propose()
	return d
}

func (d *doors) connectMCP(state string) {
	server := mcp.NewServer(d.t.Context(), mcp.Options{Folder: d.root, FrontEnd: &frontEnd{stderr: io.Discard}, Apply: true,
		Project: project.Options{StateDir: state, Version: "test", Settings: project.NewSettings(), Getenv: func(string) string { return "" },
			KeepVectors: true}})
	d.t.Cleanup(server.Close)
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- server.ServeStdio(context.Background(), fromClient, toClient) }()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"},
		&sdk.ClientOptions{MultiRoundTrip: &sdk.MultiRoundTripOptions{Disabled: true},
			ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
				return nil, errors.New("not asked")
			}})
	var err error
	d.client, err = client.Connect(d.t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	check(d.t, err)
	d.t.Cleanup(func() { d.client.Close(); testbed.Receive(d.t, ended, "the end of the server") })
}

func makefileOf(n int) string { return fmt.Sprintf("all:\n\techo %d\n", n) }

func (d *doors) write(name, text string) {
	check(d.t, os.WriteFile(filepath.Join(d.root, name), []byte(text), 0o600))
}

// propose makes the proposal: one of MCP, which waits for its syntax error, and which the conversation of ACP has, too.
func (d *doors) propose() {
	d.editMCP([]any{map[string]any{"file": "x.go", "old": "func f() {}", "new": "func f( {}"}})
	all, err := d.edits.Proposals.List(d.t.Context(), edits.Staged)
	check(d.t, err)
	d.id = all[0].ID
	check(d.t, d.db.Write(d.t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(`UPDATE proposals SET conversation_id = ? WHERE id = ?`, d.session, d.id)
		return err
	}))
	d.amend()
}

func (d *doors) editMCP(list []any) *sdk.CallToolResult {
	d.t.Helper()
	result, err := d.client.CallTool(d.t.Context(), &sdk.CallToolParams{Name: "edit", Arguments: map[string]any{"edits": list}})
	if err != nil || result.IsError {
		d.t.Fatalf("edit: %+v, %v", result, err)
	}
	return result
}

// amend makes the proposal write another number, as a turn of another process.
func (d *doors) amend() {
	d.t.Helper()
	p, err := d.edits.Proposals.Get(d.t.Context(), d.id)
	check(d.t, err)
	d.now++
	before, after := makefileOf(d.now-1), makefileOf(d.now)
	_, err = d.edits.Staging.Stage(d.t.Context(), edits.Batch{ConversationID: d.session, RequestID: p.RequestID, Operations: []edits.Operation{{Op: edits.OpEdit,
		Path: "Makefile", BaseHash: workspace.Hash([]byte(before)), Edits: []edits.Edit{{Start: 0, End: len(before), New: after}}}}})
	check(d.t, err)
}

// steps are what a letter of the input stands for: to amend, and to show, accept and reject over LSP, ACP and MCP.
// v and w accept and reject over LSP, too, and name no version.
const steps = "xsarvwSARmMN"

func (d *doors) step(step byte) {
	switch step {
	case 'x':
		d.amend()
	case 's':
		d.look()
	case 'a', 'r':
		d.decideInEditor(step == 'a', d.version)
	case 'v', 'w':
		d.decideInEditor(step == 'v', "")
	case 'S':
		d.ask()
	case 'A', 'R':
		d.answer(map[byte]string{'A': "accept", 'R': "reject"}[step])
	case 'm':
		d.askOverMCP()
	case 'M', 'N':
		d.answerOverMCP(map[byte]string{'M': "accept", 'N': "decline"}[step])
	}
}

func (d *doors) look() {
	var got ploke.ProposalGetResult
	d.editor.Call(ploke.MethodProposalGet, ploke.ProposalParams{ID: d.id}, &got)
	d.version, d.seen = got.Proposal.Version, numberIn(got.Diff)
}

func (d *doors) decideInEditor(accepts bool, version string) {
	if d.seen == 0 {
		return
	}
	method := ploke.MethodProposalReject
	if accepts {
		method = ploke.MethodProposalAccept
	}
	err := d.editor.Try(d.t.Context(), method, ploke.ProposalParams{ID: d.id, Version: version}, nil)
	d.check("LSP", d.seen, accepts, err == nil)
}

func (d *doors) onPermission(ctx context.Context, r protocol.RequestPermissionRequest) string {
	d.asked <- r
	select {
	case answer := <-d.answers:
		return answer
	case <-ctx.Done():
		return ""
	}
}

func (d *doors) ask() {
	d.answer("")
	d.prompt = d.agent.PromptAsync(d.session, "Hello.")
	question := testbed.Receive(d.t, d.asked, "the question")
	for _, c := range question.ToolCall.Content {
		if strings.HasSuffix(c.Path, "Makefile") {
			d.seenByAgent = numberIn("+" + *c.NewText)
		}
	}
}

// answer answers the question that is open over ACP.
func (d *doors) answer(answer string) {
	if d.prompt == nil {
		return
	}
	d.answers <- answer
	testbed.Receive(d.t, d.prompt, "the end of the prompt")
	d.prompt = nil
	if answer != "" {
		p, err := d.edits.Proposals.Get(d.t.Context(), d.id)
		check(d.t, err)
		d.check("ACP", d.seenByAgent, answer == "accept", p.Status() != edits.Staged)
	}
}

// askOverMCP amends the proposal and is asked about it, since that is the only way.
func (d *doors) askOverMCP() {
	d.now++
	list := []any{map[string]any{"file": "Makefile", "old": fmt.Sprintf("echo %d\n", d.now-1), "new": fmt.Sprintf("echo %d\n", d.now)}}
	result := d.editMCP(list)
	d.state = result.RequestState
	d.seenByMCPClient = numberIn(result.InputRequests["apply"].(*sdk.ElicitParams).Message)
}

func (d *doors) answerOverMCP(action string) {
	if d.state == "" {
		return
	}
	result, err := d.client.CallTool(d.t.Context(), &sdk.CallToolParams{Name: "edit", Arguments: map[string]any{"edits": []any{}},
		InputResponses: sdk.InputResponseMap{"apply": &sdk.ElicitResult{Action: action}}, RequestState: d.state})
	check(d.t, err)
	d.state = ""
	d.check("MCP", d.seenByMCPClient, action == "accept", !result.IsError)
}

// numberIn returns the number that a diff makes the Makefile write.
func numberIn(diff string) (n int) {
	at := strings.LastIndex(diff, "\techo ")
	if _, err := fmt.Sscanf(diff[at+len("\techo "):], "%d", &n); err != nil {
		return 0
	}
	return n
}

// check compares what a decision has done with what the one who decided was shown.
func (d *doors) check(door string, seen int, accepts, done bool) {
	d.t.Helper()
	text, err := os.ReadFile(filepath.Join(d.root, "Makefile"))
	check(d.t, err)
	want := makefileOf(0)
	if done && accepts {
		want = makefileOf(seen)
	}
	if done != (seen == d.now) || string(text) != want {
		d.t.Errorf("%s was shown %d, and decides on %d: done %v; the file reads %q", door, seen, d.now, done, text)
	}
	d.over = done
}

func (d *doors) end() {
	if d.over && d.prompt != nil { // the question was taken back
		testbed.Receive(d.t, d.prompt, "the end of the prompt")
		return
	}
	d.answer("")
}
