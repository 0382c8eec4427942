package lsp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// numbered returns lines that differ.
func numbered(count int) (text string) {
	for i := range count {
		text += fmt.Sprintf("line %d\n", i+1)
	}
	return text
}

// fileChangesIn returns what the notices of a request say about changed files, one line for each.
func fileChangesIn(r llmtest.Request) (lines []string) {
	for _, notice := range notices(r) {
		for line := range strings.Lines(notice) {
			if told, ok := strings.CutPrefix(strings.TrimSpace(line),
				"Since your last answer these files changed, besides by your proposals: "); ok {
				lines = append(lines, strings.TrimSuffix(told, ". Read again what you need of them."))
			}
		}
	}
	return lines
}

// betweenTurns plays a turn of two conversations that both make these calls, lets the person do something after it, and
// returns what the next message of the first one tells about files.
func betweenTurns(t *testing.T, f *fixture, calls llmtest.Turn, do func(e *lsptest.Editor, conversation string)) []string {
	t.Helper()
	for i := range 30 {
		f.write(fmt.Sprintf("f%d.txt", i), numbered(30))
	}
	model := f.useModel(calls, answers("one"), answers("two"), answers("three"))
	e := f.startIndexed()
	conversation := sendDone(t, e, ploke.ChatSendParams{ConversationID: newConversation(e), Text: "zzzz"}).ConversationID
	do(e, conversation)
	sendDone(t, e, ploke.ChatSendParams{ConversationID: conversation, Text: "zzzz again"})
	sendDone(t, e, ploke.ChatSendParams{ConversationID: conversation, Text: "zzzz once more"})
	requests := model.Requests()
	checkGrowing(t, requests)
	told := fileChangesIn(requests[2])
	if again := fileChangesIn(requests[3]); len(again) != len(told) {
		t.Errorf("the message after it tells %q; want %q", again, told)
	}
	return told
}

// editsOf is a response that edits files, as lines of their texts.
func editsOf(id string, files ...string) llmtest.Turn {
	var list []string
	for _, file := range files {
		list = append(list, fmt.Sprintf(`{"file":%q,"old":"line 3\n","new":"line three\n"}`, file))
	}
	return llmtest.Turn{Calls: []llmtest.Call{{ID: id, Name: "apply_code_edit", Arguments: `{"edits":[` + strings.Join(list, ",") + `]}`}}}
}

// TestChangesBetweenTurns checks what a model is told of files that the person has changed since it knew them.
func TestChangesBetweenTurns(t *testing.T) {
	decide := func(f *fixture, method string, params func(id string) any) func(e *lsptest.Editor, conversation string) {
		return func(e *lsptest.Editor, conversation string) {
			var list ploke.ProposalListResult
			e.Call(ploke.MethodProposalList, ploke.ProposalListParams{Status: "staged"}, &list)
			e.Call(method, params(list.Proposals[0].ID), nil)
		}
	}
	accept := func(id string) any { return ploke.ProposalAcceptParams{ID: id} }
	reject := func(id string) any { return ploke.ProposalRejectParams{ID: id} }
	for _, test := range []struct {
		name  string
		calls llmtest.Turn
		do    func(f *fixture, e *lsptest.Editor, conversation string)
		want  string // "" for nothing
	}{
		{"on disk", reads("f0.txt", "f1.txt", "f2.txt"), func(f *fixture, e *lsptest.Editor, _ string) {
			f.write("f0.txt", strings.Replace(numbered(30), "line 10\nline 11\n", "ten\neleven\ntwelve\n", 1))
			f.remove("f1.txt")
			f.write("f9.txt", "nobody has read this\n")
		}, "f0.txt (lines 10-12), f1.txt (deleted)"},
		{"in several places", reads("f0.txt"), func(f *fixture, e *lsptest.Editor, _ string) {
			f.write("f0.txt", "new\n"+strings.NewReplacer("line 5\n", "", "line 20\n", "twenty\n").Replace(numbered(30)))
		}, "f0.txt (lines 1, some removed before 6, 20)"},
		{"in the editor, without saving", reads("f0.txt"), func(f *fixture, e *lsptest.Editor, _ string) {
			e.Open(f.path("f0.txt"))
			e.Type(f.path("f0.txt"), 0, 4, "LINE")
		}, "f0.txt (line 1)"},
		{"and back again", reads("f0.txt"), func(f *fixture, e *lsptest.Editor, _ string) {
			e.Open(f.path("f0.txt"))
			e.Type(f.path("f0.txt"), 0, 4, "LINE")
			e.Type(f.path("f0.txt"), 0, 4, "line")
		}, ""},
		{"nothing", reads("f0.txt"), func(*fixture, *lsptest.Editor, string) {}, ""},
		{"many", reads("f0.txt", "f1.txt", "f2.txt", "f3.txt", "f4.txt", "f5.txt", "f6.txt"), func(f *fixture, e *lsptest.Editor, _ string) {
			for i := range 7 {
				f.write(fmt.Sprintf("f%d.txt", i), "x\n"+numbered(30))
			}
		}, "f0.txt (line 1), f1.txt (line 1), f2.txt (line 1), f3.txt (line 1), f4.txt (line 1), and 2 more"},
		{"a decision alone: accepted", editsOf("e", "f0.txt"), func(f *fixture, e *lsptest.Editor, c string) {
			decide(f, ploke.MethodProposalAccept, accept)(e, c)
		}, ""},
		{"a decision alone: rejected", editsOf("e", "f0.txt"), func(f *fixture, e *lsptest.Editor, c string) {
			decide(f, ploke.MethodProposalReject, reject)(e, c)
		}, ""},
		{"no decision", editsOf("e", "f0.txt"), func(*fixture, *lsptest.Editor, string) {}, ""},
		{"accepted, and typed elsewhere", editsOf("e", "f0.txt"), func(f *fixture, e *lsptest.Editor, c string) {
			e.Open(f.path("f0.txt"))
			decide(f, ploke.MethodProposalAccept, accept)(e, c)
			at := strings.Index(e.Text(f.path("f0.txt")), "line 20")
			e.Type(f.path("f0.txt"), at, at+4, "LINE")
		}, "f0.txt (line 20)"},
		{"rejected, and typed elsewhere", editsOf("e", "f0.txt"), func(f *fixture, e *lsptest.Editor, c string) {
			e.Open(f.path("f0.txt"))
			decide(f, ploke.MethodProposalReject, reject)(e, c)
			at := strings.Index(e.Text(f.path("f0.txt")), "line 20")
			e.Type(f.path("f0.txt"), at, at+4, "LINE")
		}, "f0.txt (line 20)"},
		{"accepted and undone", editsOf("e", "f0.txt"), func(f *fixture, e *lsptest.Editor, c string) {
			decide(f, ploke.MethodProposalAccept, accept)(e, c)
			var list ploke.ProposalListResult
			e.Call(ploke.MethodProposalList, ploke.ProposalListParams{}, &list)
			e.Call(ploke.MethodProposalUndo, ploke.ProposalParams{ID: list.Proposals[0].ID}, nil)
		}, ""},
		{"accepted in part", llmtest.Turn{Calls: []llmtest.Call{{ID: "p", Name: "apply_code_edit",
			Arguments: `{"edits":[{"file":"f0.txt","old":"line 3\n","new":"three\n"},{"file":"f0.txt","old":"line 13\n","new":"thirteen\n"}]}`}}},
			func(f *fixture, e *lsptest.Editor, c string) {
				decide(f, ploke.MethodProposalAccept, func(id string) any {
					var shown ploke.ProposalGetResult
					e.Call(ploke.MethodProposalGet, ploke.ProposalParams{ID: id}, &shown)
					return ploke.ProposalAcceptParams{ID: id, Hunks: []string{shown.Files[0].Hunks[0].ID}}
				})(e, c)
			}, ""},
		{"a file that it has created, and the person has made otherwise", createFileTurn("c", "new.go"), func(f *fixture, e *lsptest.Editor, c string) {
			decide(f, ploke.MethodProposalReject, reject)(e, c)
			f.write("new.go", "package mine\n")
		}, "new.go (new)"},
		{"a renaming that is accepted", llmtest.Turn{Calls: []llmtest.Call{{ID: "r", Name: "rename_file", Arguments: `{"file":"f0.txt","to":"g0.txt"}`}}},
			func(f *fixture, e *lsptest.Editor, c string) { decide(f, ploke.MethodProposalAccept, accept)(e, c) }, ""},
		{"a renaming by the person", reads("f0.txt"), func(f *fixture, e *lsptest.Editor, c string) { f.rename("f0.txt", "g0.txt") }, "f0.txt (deleted)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			got := betweenTurns(t, f, test.calls, func(e *lsptest.Editor, conversation string) { test.do(f, e, conversation) })
			if strings.Join(got, "\n") != test.want {
				t.Errorf("told %q; want %q", got, test.want)
			}
		})
	}
}

// TestChangesSinceARestart tells them without lines, once, and the conversation keeps its bytes.
func TestChangesSinceARestart(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write("a.txt", numbered(30))
	model := f.useModel(answers("one"), answers("two"), answers("three"), answers("four"))
	var conversation string
	for i, change := range []string{"", "x\n", "", "y\n"} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			f.t = t
			if change != "" {
				f.write("a.txt", change)
			}
			e := f.startIndexed()
			p := ploke.ChatSendParams{ConversationID: conversation, Text: "zzzz"}
			if i == 0 {
				p.ConversationID = newConversation(e)
				p.Attachments = []ploke.Attachment{{URI: fileURI(f.path("a.txt"))}}
			}
			conversation = sendDone(t, e, p).ConversationID
		})
	}
	f.t = t
	requests := model.Requests()
	checkGrowing(t, requests)
	for i, want := range []int{0, 1, 1, 2} {
		got := fileChangesIn(requests[i])
		if len(got) != want || want > 0 && got[want-1] != "a.txt" {
			told, _ := json.Marshal(got)
			t.Errorf("request %d tells %s", i+1, told)
		}
	}
}

// TestChangesOnABranch tells a branch only of the files that it knows.
func TestChangesOnABranch(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write("a.txt", numbered(30))
	model := f.useModel(reads("a.txt"), answers("one"), answers("two"))
	e := f.startIndexed()
	conversation := sendDone(t, e, ploke.ChatSendParams{ConversationID: newConversation(e), Text: "zzzz"}).ConversationID
	f.write("a.txt", "x\n")
	sendDone(t, e, ploke.ChatSendParams{ConversationID: conversation, ParentID: "root", Text: "zzzz elsewhere"})
	requests := model.Requests()
	if got := fileChangesIn(requests[2]); len(got) > 0 {
		t.Errorf("the other branch is told %q", got)
	}
}
