package lsp_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestAFolderIsAttachedAsItsOutline has a file that is left out, one that is ignored, and an unsaved symbol.
func TestAFolderIsAttachedAsItsOutline(t *testing.T) {
	f := newFixture(t)
	server := f.useModel(llmtest.Turn{Text: []string{"ok"}})
	f.write("shapes/deep/er/cone.go", "package er\n\ntype Cone struct{}\n\nfunc (Cone) Volume() {}\n")
	f.write("shapes/.env", "KEY=x\n")
	f.write("shapes/.gitignore", "*.out\n")
	f.write("shapes/a.out", "x\n")
	e := f.startIndexed()
	e.OpenText(f.path("shapes/rect.go"), "package shapes\n\nfunc unsaved() {}\n")
	folder := ploke.Attachment{URI: fileURI(f.path("shapes"))}
	e.Send(t.Context(), ploke.ChatSendParams{Text: "what is here?", Attachments: []ploke.Attachment{folder}})
	const want = `.env (left out: secret)
.gitignore
circle.go: Circle, square
deep/
  er/
    cone.go: Cone
rect.go: unsaved`
	sent := server.Requests()[0].Last().Content
	for line := range strings.Lines(want) {
		if !strings.Contains(sent, line) {
			t.Errorf("%q is not sent: %s", line, sent)
		}
	}
	var got ploke.AttachmentDetails
	e.Call(ploke.MethodChatAttachment, folder, &got)
	if d := cmp.Diff(ploke.AttachmentDetails{Path: "shapes", Folder: true, Lines: 7, Bytes: len(want)}, got); d != "" {
		t.Error(d)
	}
}

// TestAnOutlineOfALargeFolderIsBounded has more files than are shown, and levels below them.
func TestAnOutlineOfALargeFolderIsBounded(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for i := range 450 {
		f.write(fmt.Sprintf("many/f%03d.txt", i), "x\n")
	}
	f.write("wide/top.txt", "x\n")
	for i := range 450 {
		f.write(fmt.Sprintf("wide/sub/f%03d.txt", i), "x\n")
	}
	var functions strings.Builder
	for i := range 40 {
		fmt.Fprintf(&functions, "def f%d%s(): pass\n", i, strings.Repeat("x", 60))
	}
	for i := range 30 {
		f.write(fmt.Sprintf("long/f%d.py", i), functions.String())
	}
	server := f.useModel(llmtest.Turn{Text: []string{"ok"}}, llmtest.Turn{Text: []string{"ok"}}, llmtest.Turn{Text: []string{"ok"}})
	e := f.startIndexed()
	for i, tt := range []struct{ folder, want string }{
		{"many", "(50 more are left out)"},
		{"wide", "(what is in deeper folders is left out)"},
		{"long", " more are left out)"},
	} {
		folder := ploke.Attachment{URI: fileURI(f.path(tt.folder))}
		e.Send(t.Context(), ploke.ChatSendParams{Text: "look", Attachments: []ploke.Attachment{folder}})
		if sent := server.Requests()[i].Last().Content; !strings.Contains(sent, tt.want) || len(sent) > 40<<10 {
			t.Errorf("%s: %d bytes without %q", tt.folder, len(sent), tt.want)
		}
	}
}

// TestWhatCantBeAttachedIsRefusedBeforeAnythingIsStored checks that a client learns the reason when it attaches, and
// again when it sends.
func TestWhatCantBeAttachedIsRefusedBeforeAnythingIsStored(t *testing.T) {
	f := newFixture(t)
	f.write("logo.PNG", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
	f.write("tool.bin", "a\x00b")
	f.write("huge.txt", strings.Repeat("a line of words\n", 20<<10))
	f.write("vast.txt", strings.Repeat("a line of words\n", 400<<10))
	f.write(".env", "KEY=x\n")
	e := f.start(lsptest.Options{})
	gone := f.path("gone.go")
	if err := os.WriteFile(gone, []byte("package gone\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e.Call(ploke.MethodChatAttachment, ploke.Attachment{URI: fileURI(gone)}, new(ploke.AttachmentDetails))
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		f.path("logo.PNG"): "logo.PNG can't be attached: it is an image, and only text is sent to a model",
		f.path("tool.bin"): "tool.bin can't be attached: it is binary",
		f.path("huge.txt"): "huge.txt can't be attached: it is too large with 320 KB; attach the lines that matter, at most 256 KB",
		f.path("vast.txt"): "too large",
		f.path(".env"):     "holds secrets",
		gone:               "gone.go can't be attached: there is no such file any more",
		"/etc/passwd":      "outside",
	} {
		a := ploke.Attachment{URI: fileURI(path)}
		for _, err := range []string{
			e.Error(ploke.MethodChatAttachment, a).Message,
			e.Error(ploke.MethodChatSend, ploke.ChatSendParams{Text: "x", Attachments: []ploke.Attachment{a}}).Message,
		} {
			if !strings.Contains(err, want) {
				t.Errorf("%s: %s, want %q", path, err, want)
			}
		}
	}
	many := make([]ploke.Attachment, 201)
	for i := range many {
		many[i].URI = fileURI(f.path("shapes/rect.go"))
	}
	if err := e.Error(ploke.MethodChatSend, ploke.ChatSendParams{Text: "x", Attachments: many}); !strings.Contains(err.Message,
		"201 attachments: attach at most 200") {
		t.Error(err)
	}
	var list ploke.ChatListResult
	if e.Call(ploke.MethodChatList, nil, &list); len(list.Conversations) != 0 {
		t.Errorf("a refused message left %d conversations", len(list.Conversations))
	}
	lines := ploke.Attachment{URI: fileURI(f.path("huge.txt")),
		Range: &protocol.Range{Start: protocol.Position{Line: 4}, End: protocol.Position{Line: 5, Character: 1}}}
	var got ploke.AttachmentDetails
	e.Call(ploke.MethodChatAttachment, lines, &got)
	if d := cmp.Diff(ploke.AttachmentDetails{Path: "huge.txt", Lines: 2, Bytes: 31}, got); d != "" {
		t.Errorf("the lines of a large file: %s", d)
	}
}
