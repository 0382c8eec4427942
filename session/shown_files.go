package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/internal/display"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// What has changed in the files that the model knows is told with the next turn's message: the state of a file is
// stored where the model was shown it, and compared when the turn begins. The notice is stored with the message, so
// that later turns send the same bytes.

// FileChange is how a file differs from what the model knows.
type FileChange struct {
	records.FileState        // what it is now
	Name              string // as a model reads it
	What              string // such as "lines 10-14"; "" if that is unknown
}

const (
	comparedFiles = 50 // how many files are compared, those that the model was shown last
	namedFiles    = 5  // how many are named in a notice
)

// giveFileChangesWithMessage notes the files that are sent with the user's message, and adds to its notice what has
// changed in those that the model was shown before, except in the files of which the notice tells already.
func (b *contextBuilder) giveFileChangesWithMessage(ctx context.Context, told map[string]bool) {
	if b.e.opts.Workspace.FileChanges == nil {
		return
	}
	changes, err := b.e.opts.Workspace.FileChanges(ctx, b.knownFiles())
	if err != nil {
		b.noticeUnlessOver(ctx, "the files of the conversation could not be compared: ", err)
	}
	b.noteSentFiles(ctx)
	for _, c := range changes {
		b.user.Files = append(b.user.Files, c.FileState)
	}
	changes = slices.DeleteFunc(changes, func(c FileChange) bool { return told[c.Path] })
	if line := fileChangesText(changes); line != "" {
		b.user.Notice = strings.TrimPrefix(b.user.Notice+"\n"+line, "\n")
	}
}

// noteSentFiles notes the files that are sent with the user's message.
func (b *contextBuilder) noteSentFiles(ctx context.Context) {
	files := tools.ShownFiles(b.user.Found.Text)
	for _, a := range b.user.Attachments {
		files = append(files, a.Path)
	}
	b.user.Files = append(b.user.Files, b.fileStates(ctx, files)...)
}

// noteFilesOf notes the files whose code calls have shown or changed. It is called right after the results were added.
func (b *contextBuilder) noteFilesOf(ctx context.Context, calls []records.ToolCall) {
	var files []string
	for _, c := range calls {
		files = append(files, tools.TouchedFiles(b.setup.set.Ran(c.Tool, c.Arguments), c.Content)...)
	}
	last := &b.answer.Responses[len(b.answer.Responses)-1]
	last.Files = b.fileStates(ctx, files)
}

func (b *contextBuilder) fileStates(ctx context.Context, files []string) []records.FileState {
	if b.e.opts.Workspace.FileStates == nil || len(files) == 0 {
		return nil
	}
	slices.Sort(files)
	call := tools.Call{RequestID: b.turn.RequestID, ConversationID: b.turn.ConversationID, Earlier: b.decided.earlier}
	return b.e.opts.Workspace.FileStates(ctx, call, slices.Compact(files))
}

// knownFiles returns what the model knows of files: the last state of each, those that it was shown last first. It
// looks at the messages that are sent.
func (b *contextBuilder) knownFiles() (states []records.FileState) {
	past := &b.view.frame.past
	first, seen := past.FirstSent(past.LastCompaction()), map[string]bool{}
	add := func(files []records.FileState) {
		for _, f := range files {
			if !seen[f.Path] && len(states) < comparedFiles {
				states = append(states, f)
			}
			seen[f.Path] = true
		}
	}
	for _, i := range slices.Backward(past.Showing) {
		if i < first || len(states) == comparedFiles {
			break
		}
		m := &past.Messages[i]
		for _, st := range slices.Backward(m.Responses) {
			add(st.Files)
		}
		add(m.Files)
	}
	return states
}

// fileChangesText returns the line for the model; "" without changes.
func fileChangesText(changes []FileChange) string {
	if len(changes) == 0 {
		return ""
	}
	var names []string
	for _, c := range changes[:min(len(changes), namedFiles)] {
		name := display.Name(c.Name)
		if c.What != "" {
			name += " (" + c.What + ")"
		}
		names = append(names, name)
	}
	line := "Since your last answer these files changed, besides by your proposals: " + strings.Join(names, ", ")
	if more := len(changes) - len(names); more > 0 {
		line += fmt.Sprintf(", and %d more", more)
	}
	return line + ". Read again what you need of them."
}
