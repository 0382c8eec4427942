package llm

import (
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// layout returns messages in the order that the strictest templates of models accept:
//
//   - at most one message of the system, which is the first
//   - then messages of the user and the assistant in turn, beginning with the user's
//   - the results of an assistant's calls right behind it, and no message of the user behind a result
//   - no message of the assistant that says nothing and calls nothing
//
// A later message of the system, and one of the project, becomes marked text at the end of the result or message of the
// user before it, else at the beginning of the next one. So does a message of the user behind a result, which joins a
// running turn. The messages keep their bytes when others are added, up to the last one. Nothing else in a result or in
// a message of the user looks like a mark: it may show files, which have no say in notices.
//
// Sources: the chat templates of Qwen 3.5 ("System message must be at the beginning"), of Mistral's
// and Google's models ("roles must alternate user/assistant/user/assistant"), and Mistral's API
// ("Unexpected role 'user' after role 'tool'", "Assistant message must have either content or
// tool_calls").
func layout(messages []Message) []Message {
	l := laidOut{messages: make([]Message, 0, len(messages))}
	for i := range messages {
		l.add(&messages[i])
	}
	l.settle()
	return l.messages
}

// laidOut are the messages so far, with the notices that have no place yet.
type laidOut struct {
	messages []Message
	notices  []string
}

// last returns the role of the last message, "" if there is none.
func (l *laidOut) last() Role {
	if n := len(l.messages); n > 0 {
		return l.messages[n-1].Role
	}
	return ""
}

func (l *laidOut) add(m *Message) {
	switch {
	case m.Role == System && len(l.messages)+len(l.notices) == 0:
		l.messages = append(l.messages, *m)
	case m.Role == System, m.Role == Project:
		l.notices = append(l.notices, marked(m))
	case m.Role == User:
		l.addUser(m)
	case m.Role == Assistant && len(m.Calls) == 0 && strings.TrimSpace(m.Text) == "":
	case m.Role == Assistant:
		l.addAssistant(m)
	default:
		l.messages = append(l.messages, *m)
		l.messages[len(l.messages)-1].Text = withoutMarks(m.Text)
	}
}

func (l *laidOut) addUser(m *Message) {
	text := withoutMarks(m.Text)
	switch l.last() {
	case Tool:
		l.notices = append(l.notices, marked(m))
	case User:
		l.settle()
		l.extend(text)
	default:
		l.messages = append(l.messages, *m)
		l.messages[len(l.messages)-1].Text = joined(append(l.notices, text)...)
		l.notices = nil
	}
}

func (l *laidOut) addAssistant(m *Message) {
	l.settle()
	n := len(l.messages)
	switch last := l.last(); {
	case last == Assistant && len(l.messages[n-1].Calls) == 0:
		before := &l.messages[n-1]
		before.Text, before.Calls = joined(before.Text, m.Text), m.Calls
		if m.Opaque != nil {
			before.Opaque = m.Opaque
		}
		return
	case last == "", last == System:
		l.messages = append(l.messages, Message{Role: User, Text: beginning})
	}
	l.messages = append(l.messages, *m)
}

// beginning stands for the messages before the first one of an assistant.
const beginning = "(The conversation goes on here.)"

// settle gives the notices a place: behind the last message, or in one of the user.
func (l *laidOut) settle() {
	if len(l.notices) == 0 {
		return
	}
	text := joined(l.notices...)
	l.notices = nil
	if last := l.last(); last == Tool || last == User {
		l.extend(text)
		return
	}
	l.messages = append(l.messages, Message{Role: User, Text: text})
}

// extend adds a text to the last message.
func (l *laidOut) extend(text string) {
	m := &l.messages[len(l.messages)-1]
	m.Text = joined(m.Text, text)
}

// joined joins the texts that are not empty.
func joined(texts ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(texts), func(t string) bool { return t == "" }), "\n\n")
}

// marks are the names of the marks around text that is not of the message that holds it, by its author.
var marks = map[Role]string{System: "system-notice", User: "user-message", Project: "project-rules"}

// marked returns the text of a message with the mark of its author.
func marked(m *Message) string {
	name := marks[m.Role] // also the program's own words may have the name of a file
	return "<" + name + ">\n" + withoutMarks(m.Text) + "\n</" + name + ">"
}

var anyMark = lazyregexp.New(`<(/?(?:system-notice|user-message|project-rules)>)`)

// withoutMarks returns a text in which nothing can be taken for a mark.
func withoutMarks(text string) string { return anyMark.ReplaceAllString(text, "&lt;$1") }
