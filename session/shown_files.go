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
func (s *requestSession) giveFileChangesWithMessage(ctx context.Context, told map[string]bool) {
	if s.e.opts.Workspace.FileChanges == nil {
		return
	}
	changes, err := s.e.opts.Workspace.FileChanges(ctx, s.knownFiles())
	if err != nil {
		s.noticeUnlessOver(ctx, "the files of the conversation could not be compared: ", err)
	}
	s.noteSentFiles(ctx)
	for _, c := range changes {
		s.user.Files = append(s.user.Files, c.FileState)
	}
	changes = slices.DeleteFunc(changes, func(c FileChange) bool { return told[c.Path] })
	if line := fileChangesText(changes); line != "" {
		s.user.Notice = strings.TrimPrefix(s.user.Notice+"\n"+line, "\n")
	}
}

// noteSentFiles notes the files that are sent with the user's message.
func (s *requestSession) noteSentFiles(ctx context.Context) {
	files := tools.ShownFiles(s.user.Found.Text)
	for _, a := range s.user.Attachments {
		files = append(files, a.Path)
	}
	s.user.Files = append(s.user.Files, s.fileStates(ctx, files)...)
}

// noteFilesOf notes the files whose code calls have shown or changed. It is called right after the results were added.
func (s *requestSession) noteFilesOf(ctx context.Context, calls []records.ToolCall) {
	var files []string
	for _, c := range calls {
		files = append(files, tools.TouchedFiles(s.setup.set.Ran(c.Tool, c.Arguments), c.Content)...)
	}
	last := &s.answer.Responses[len(s.answer.Responses)-1]
	last.Files = s.fileStates(ctx, files)
}

func (s *requestSession) fileStates(ctx context.Context, files []string) []records.FileState {
	if s.e.opts.Workspace.FileStates == nil || len(files) == 0 {
		return nil
	}
	slices.Sort(files)
	call := tools.Call{RequestID: s.turn.RequestID, ConversationID: s.turn.ConversationID, Earlier: s.decided.earlier}
	return s.e.opts.Workspace.FileStates(ctx, call, slices.Compact(files))
}

// knownFiles returns what the model knows of files: the last state of each, those that it was shown last first. It
// looks at the messages that are sent.
func (s *requestSession) knownFiles() (states []records.FileState) {
	past := &s.view.frame.past
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
