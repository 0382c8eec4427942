package lsp_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/chatdoc"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestTypingInAChatDocumentWhileItIsAnswered types at the start, in the answer and in the next message.
func TestTypingInAChatDocumentWhileItIsAnswered(t *testing.T) {
	f := newFixture(t)
	var lines []string
	for i := range 60 {
		lines = append(lines, fmt.Sprintf("Line %d of it.\n", i))
	}
	f.useModel(llmtest.Turn{Text: lines})
	e := f.start(lsptest.Options{})
	e.AwaitIndex()
	path := f.openChat(e)
	write(e, path, "\nGo on.\n")
	sendChat(t, e, path, 0)
	typed := 0
	e.Await("the end of the answer", func() bool {
		if typed < 90 {
			e.Change(path, func(text string) (start, end int, letter string) {
				at := len(text)
				if s, ok := chatdoc.Parse(text).Section(chatdoc.Ploke, 1); ok && typed%3 == 1 {
					at = (s.Body + s.End) / 2
				} else if typed%3 == 2 {
					at = strings.Index(text, "\n") + 1
				}
				return at, at, "Z"
			})
			typed++
		}
		s, ok := chatdoc.Parse(e.Text(path)).Section(chatdoc.Ploke, 1)
		return ok && s.Detail != chatdoc.Answering
	})
	text := e.Text(path)
	if got := strings.Count(text, "Z"); got != typed {
		t.Errorf("%d of %d letters are left", got, typed)
	}
	if got := strings.ReplaceAll(text, "Z", ""); !strings.Contains(got, strings.TrimSpace(strings.Join(lines, ""))) {
		t.Errorf("the answer is not complete:\n%s", got)
	}
}

// TestAnEarlierQuestionIsABranch edits and sends the first question of two, with notes and a draft below.
func TestAnEarlierQuestionIsABranch(t *testing.T) {
	f := newFixture(t)
	f.useModel(llmtest.Turn{Text: []string{"One."}}, llmtest.Turn{Text: []string{"Two."}}, llmtest.Turn{Text: []string{"Other."}})
	e := f.startIndexed()
	path := f.openChat(e)
	for n, question := range []string{"first", "second"} {
		write(e, path, "\n"+question+"\n")
		sendChat(t, e, path, 0)
		awaitChat(e, path, n+1)
	}
	write(e, path, "\nA draft.\n")
	text := e.Text(path)
	at := strings.Index(text, "Two.")
	e.Type(path, at, at, "My note.\n\n")
	at = strings.Index(text, "first")
	e.Type(path, at, at+len("first"), "another")
	sendChat(t, e, path, 1)
	e.Await("the branch", func() bool { // the answer may come before what followed is gone
		text := e.Text(path)
		s, ok := chatdoc.Parse(text).Section(chatdoc.Ploke, 1)
		return ok && strings.Contains(text[s.Body:s.End], "Other.") && s.Detail != chatdoc.Answering && !strings.Contains(text, "## ploke 2")
	})
	d := chatdoc.Parse(e.Text(path))
	draft, _ := d.Draft()
	if got := d.Text(draft); draft.Number != 2 || got != "My note.\n\nA draft." {
		t.Errorf("the draft is %d, %q in\n%s", draft.Number, got, e.Text(path))
	}
	var history ploke.ChatHistoryResult
	e.Call(ploke.MethodChatHistory, ploke.ChatHistoryParams{ConversationID: d.Conversation, LeafID: d.Leaf}, &history)
	if len(history.Messages) != 2 || history.Messages[0].Text != "another" || history.Messages[0].ParentID != "" {
		t.Errorf("the branch is %+v", history.Messages)
	}
}

// TestAQuestionIsQueuedWhileAnotherIsAnswered sends twice.
func TestAQuestionIsQueuedWhileAnotherIsAnswered(t *testing.T) {
	f := newFixture(t)
	gate := llmtest.NewGate()
	f.useModel(llmtest.Turn{Text: []string{"One.\n", "Un."}, Hold: gate}, llmtest.Turn{Text: []string{"Two."}})
	e := f.startIndexed()
	path := f.openChat(e)
	write(e, path, "\nfirst\n")
	sendChat(t, e, path, 0)
	e.Await("the beginning of the answer", func() bool { return strings.Contains(e.Text(path), "One.") })
	write(e, path, "\nsecond\n")
	sendChat(t, e, path, 0)
	e.Await("the second section", func() bool { return strings.Contains(e.Text(path), "## You 3") })
	gate.Open()
	if one, two := awaitChat(e, path, 1), awaitChat(e, path, 2); one != "One.\nUn." || two != "Two." {
		t.Errorf("the answers are %q and %q in\n%s", one, two, e.Text(path))
	}
}

// TestAFailureIsADiagnosticThatCanBeTriedAgain asks a model that fails once.
func TestAFailureIsADiagnosticThatCanBeTriedAgain(t *testing.T) {
	f := newFixture(t)
	f.useModel(llmtest.Turn{Status: 401}, llmtest.Turn{Text: []string{"Now it works."}})
	e := f.startIndexed()
	path := f.openChat(e)
	write(e, path, "\nfirst\n")
	sendChat(t, e, path, 0)
	awaitChat(e, path, 1)
	e.Await("the diagnostic", func() bool { return len(e.Published(path)) == 1 })
	problem := e.Published(path)[0]
	if heading := strings.Split(e.Text(path), "\n")[problem.Range.Start.Line]; !strings.HasPrefix(heading, "## ploke 1") {
		t.Errorf("the diagnostic is at %q", heading)
	}
	execute(t, e, codeAction(t, e, path, "## ploke 1", "ploke: try again"))
	e.Await("the next answer", func() bool { return strings.Contains(e.Text(path), "Now it works.") && len(e.Published(path)) == 0 })
	if strings.Contains(e.Text(path), "failed") {
		t.Errorf("the failed answer is still there:\n%s", e.Text(path))
	}
}

// TestAClosedChatDocumentIsCompletedWhenItIsOpenedAgain closes the document in the middle of an answer.
func TestAClosedChatDocumentIsCompletedWhenItIsOpenedAgain(t *testing.T) {
	f := newFixture(t)
	gate := llmtest.NewGate()
	f.useModel(llmtest.Turn{Text: []string{"One.\n", "Two."}, Hold: gate})
	e := f.start(lsptest.Options{})
	e.AwaitIndex()
	path := f.openChat(e)
	write(e, path, "\nfirst\n")
	sendChat(t, e, path, 0)
	e.Await("the beginning of the answer", func() bool { return strings.Contains(e.Text(path), "One.") })
	text := e.Text(path)
	e.CloseDocument(path)
	gate.Open()
	e.Await("the end of the turn", func() bool {
		for _, ev := range e.Events() {
			if ev.Type == ploke.PartTurnFinished {
				return true
			}
		}
		return false
	})
	e.OpenText(path, text+"\nmine")
	if answer := awaitChat(e, path, 1); answer != "One.\nTwo." {
		t.Errorf("the answer is %q", answer)
	}
	if !strings.HasSuffix(e.Text(path), "\nmine") {
		t.Errorf("what was typed is lost:\n%s", e.Text(path))
	}
}

// TestADocumentFromElsewhereAsksFirst has the ids of a real conversation in a text that this server did not
// write.
func TestADocumentFromElsewhereAsksFirst(t *testing.T) {
	f := newFixture(t)
	questions := make(chan string, 1)
	e := f.start(lsptest.Options{OnPermission: func(_ context.Context, question string) string { questions <- question; return "Cancel" }})
	e.AwaitIndex()
	path := f.openChat(e)
	write(e, path, "\nWhat is Circle?\n")
	e.Call(protocol.MethodWorkspaceExecuteCommand, commandParams(ploke.CommandChatSend), nil)
	if question := <-questions; !strings.Contains(question, "not written here") {
		t.Errorf("the question is %q", question)
	}
	var list ploke.ChatListResult
	e.Call(ploke.MethodChatList, nil, &list)
	if len(list.Conversations) != 0 {
		t.Errorf("something was sent: %+v", list)
	}
	execute(t, e, codeAction(t, e, path, "What is", "ploke: send (this document was not written here)"))
	awaitChat(e, path, 1)
}
