package lsptest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"go.lsp.dev/uri"

	ploke "ploke-lsp/lsp/protocol"
)

// steps are the steps of a [Scenario], which says what they do.
var steps = map[string]func(p *player, arguments string){
	"start": (*player).start,
	"window": func(p *player, name string) {
		if p.current = p.windows[name]; p.current == nil {
			p.t.Fatalf("there is no window %q", name)
		}
	},
	"open": func(p *player, name string) {
		path := p.path(name)
		text, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			p.t.Fatal(err)
		}
		p.current.OpenText(path, string(text))
	},
	"type": func(p *player, arguments string) {
		name, old, replacement := p.replacement(arguments)
		text := p.current.Text(p.path(name))
		at := len(text)
		if old != "" {
			at = strings.Index(text, old)
		}
		if at < 0 || old != "" && strings.Count(text, old) > 1 {
			p.t.Fatalf("%s does not have %q once:\n%s", name, old, text)
		}
		p.current.Type(p.path(name), at, at+len(old), replacement)
	},
	"close": func(p *player, name string) { p.current.CloseDocument(p.path(name)) },
	"ask":   func(p *player, text string) { p.ask(p.message(text)) },
	"keep":  func(p *player, name string) { p.kept[name] = p.last },
	"branch": func(p *player, arguments string) {
		name, text, _ := strings.Cut(arguments, " ")
		m := p.message(text)
		if m.ParentID = p.kept[name]; m.ParentID == "" {
			m.ParentID = name
		}
		p.ask(m)
	},
	"send": func(p *player, text string) {
		w, params := p.current, p.message(text)
		go func() { _ = w.Try(p.t.Context(), ploke.MethodChatSend, params, nil) }()
	},
	"accept": func(p *player, _ string) {
		p.request(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: p.proposal}, nil)
	},
	"reject": func(p *player, reason string) {
		p.request(ploke.MethodProposalReject, ploke.ProposalRejectParams{ID: p.proposal, Reason: reason}, nil)
	},
	"undo": func(p *player, _ string) {
		p.request(ploke.MethodProposalUndo, ploke.ProposalParams{ID: p.proposal}, nil)
	},
	"redo": func(p *player, _ string) {
		p.request(ploke.MethodProposalRedo, ploke.ProposalParams{ID: p.proposal}, nil)
	},
	"amend":  (*player).amend,
	"answer": func(p *player, answer string) { p.answer = answer },
	"call":   (*player).call,
	"text":   (*player).text,
	"await": func(p *player, words string) {
		p.current.Await(words, func() bool { return p.current.transcript.has(strings.Fields(words)...) })
	},
	"prompt": func(p *player, _ string) { p.show(p.world.Prompt()) },
	"resume": func(p *player, _ string) {
		var stored ploke.ChatListResult
		p.request(ploke.MethodChatList, nil, &stored)
		if len(stored.Conversations) == 0 {
			p.t.Fatal("no conversation is stored")
		}
		p.conversation = stored.Conversations[0].ID
	},
	"crash": func(p *player, _ string) { p.crash() },
}

func (p *player) path(name string) string {
	return filepath.Join(p.world.Root, filepath.FromSlash(name))
}

// replacement reads a file and two strings of Go.
func (p *player) replacement(arguments string) (name, old, replacement string) {
	name, rest, _ := strings.Cut(arguments, " ")
	for _, s := range []*string{&old, &replacement} {
		quoted, err := strconv.QuotedPrefix(strings.TrimSpace(rest))
		if err != nil {
			p.t.Fatalf("%s: want a file and two strings in quotes", arguments)
		}
		rest = strings.TrimPrefix(strings.TrimSpace(rest), quoted)
		*s, _ = strconv.Unquote(quoted)
	}
	return name, old, replacement
}

// amend changes what the proposal makes of a file.
func (p *player) amend(arguments string) {
	name, old, replacement := p.replacement(arguments)
	var shown ploke.ProposalGetResult
	p.request(ploke.MethodProposalGet, ploke.ProposalParams{ID: p.proposal}, &shown)
	for _, view := range shown.Files {
		if view.URI == uri.File(p.path(name)) {
			p.request(ploke.MethodProposalEdit, ploke.ProposalEditParams{ID: p.proposal, File: view.URI,
				After: strings.ReplaceAll(view.After, old, replacement)}, nil)
			return
		}
	}
	p.t.Fatalf("the proposal does not change %s", name)
}

// text shows the text of a document, or of a file that is not open.
func (p *player) text(name string) {
	path := p.path(name)
	p.current.mu.Lock()
	doc := p.current.documents[uri.File(path)]
	p.current.mu.Unlock()
	what, text := "the document", ""
	if doc != nil {
		text = doc.Text
	} else if data, err := os.ReadFile(path); err == nil {
		what, text = "the file", string(data)
	} else {
		what = "there is none"
	}
	fmt.Fprintf(&p.out, "%s\n", what)
	p.show(text)
}

// show writes a text.
func (p *player) show(text string) {
	for line := range strings.Lines(p.form.text(text)) {
		fmt.Fprintf(&p.out, "%s\n", strings.TrimRight("  | "+line, "\r\n "))
	}
}
