package acp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"go.lsp.dev/jsonrpc2"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/edits"
)

const (
	// readTimeout is how long the client has to send the text of a file. Without an answer, the text that
	// is known counts.
	readTimeout = 2 * time.Second
	// maxReadBytes is the size of the largest file that the client is asked for.
	maxReadBytes = 4 << 20
)

// editorFiles keeps the texts of the client that are not saved. The client tells of no changes, so that
// it is asked for a file before the file is read, attached or edited.
type editorFiles struct {
	agent  *Agent
	folder *folder

	asking pathLocks // held while the client is asked for a file, so that a later answer is not replaced by an earlier one

	mu      sync.Mutex // guards the fields below, and orders what the project is told
	version int32      // of the latest text
	unsaved map[string]bool

	hearing sync.Mutex                   // guards heard, and is never held for long
	heard   map[string][sha256.Size]byte // hashes of the texts that the client has last sent
	unknown map[string]bool              // files whose text the client was asked for, and has not sent
}

func newEditorFiles(a *Agent, f *folder) *editorFiles {
	return &editorFiles{agent: a, folder: f, unsaved: map[string]bool{}, heard: map[string][sha256.Size]byte{},
		unknown: map[string]bool{}}
}

// unsavedText is the text of a file that is not saved.
type unsavedText []byte

func (t unsavedText) Len() int      { return len(t) }
func (t unsavedText) Bytes() []byte { return t }

// refresh takes the client's text of a file, if the client can be asked. The path is absolute.
func (e *editorFiles) refresh(ctx context.Context, s *openSession, path string) {
	if !s.client.capabilities.FS.ReadTextFile {
		return
	}
	unlock, err := e.asking.lock(ctx, path)
	if err != nil {
		e.hear(path, "", false, false)
		return
	}
	defer unlock()
	disk, err := e.folder.project.Workspace.ReadDisk(ctx, path, maxReadBytes)
	if isNew := errors.Is(err, fs.ErrNotExist); err != nil && !isNew || !utf8.Valid(disk) {
		return // it is no file to read or edit, or the client may read it in another encoding
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	var result protocol.ReadTextFileResponse
	asked := s.client.request(ctx, protocol.MethodReadTextFile, protocol.ReadTextFileRequest{SessionID: s.id, Path: path},
		&result)
	text := restoreLineEnds(result.Content, string(disk))
	missing := isNotFound(asked)
	e.hear(path, text, asked == nil, missing)
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case asked != nil && !missing:
		e.agent.log.Warn("the client has not sent the text of a file", "path", path, "error", asked)
	case missing || err == nil && sameText(text, string(disk)):
		e.saved(path)
	default:
		e.change(path, text)
	}
}

// refreshUnsaved takes the client's text of each file that was not saved when it was last asked for.
func (e *editorFiles) refreshUnsaved(ctx context.Context, s *openSession) {
	e.mu.Lock()
	paths := slices.Collect(maps.Keys(e.unsaved))
	e.mu.Unlock()
	for _, path := range paths {
		e.refresh(ctx, s, path)
	}
}

// saved makes the text on disk count. The lock is held.
func (e *editorFiles) saved(path string) {
	if e.unsaved[path] {
		delete(e.unsaved, path)
		e.folder.project.Closed(path)
	}
}

// forget makes the disk count for all files.
func (e *editorFiles) forget() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for path := range e.unsaved {
		e.saved(path)
	}
	e.hearing.Lock()
	clear(e.heard)
	clear(e.unknown)
	e.hearing.Unlock()
}

// known returns an error if the client was last asked in vain for its text of a file.
func (e *editorFiles) known(path string) error {
	e.hearing.Lock()
	defer e.hearing.Unlock()
	if e.unknown[path] {
		return fmt.Errorf("the client has not sent its text of %s, which may have changes that are not saved: accept again "+
			"once it answers", path)
	}
	return nil
}

// isNotFound reports whether the client says that there is no such file.
func isNotFound(err error) bool {
	var wire *jsonrpc2.Error
	return errors.As(err, &wire) && wire.Code == protocol.CodeResourceNotFound
}

// hear remembers which text the client has, if it has sent one, and that it is not known if the
// client has neither sent one nor said that the file is missing.
func (e *editorFiles) hear(path, text string, sent, missing bool) {
	e.hearing.Lock()
	defer e.hearing.Unlock()
	delete(e.heard, path)
	delete(e.unknown, path)
	if !sent && !missing {
		e.unknown[path] = true
	}
	if sent {
		e.heard[path] = sha256.Sum256([]byte(text))
	}
}

// HasText implements [project.TextSource].
func (f *frontEnd) HasText(path string, text []byte) bool {
	f.files.hearing.Lock()
	defer f.files.hearing.Unlock()
	heard, sent := f.files.heard[path]
	return sent && heard == sha256.Sum256(text)
}

// change makes a text count that is not saved. The lock is held.
func (e *editorFiles) change(path, text string) {
	if now, open := e.folder.project.Workspace.Buffer(path); open && string(now.Text) == text {
		return
	}
	e.version++
	if e.unsaved[path] {
		e.folder.project.Changed(path, e.version, unsavedText(text))
		return
	}
	e.unsaved[path] = true
	e.folder.project.Opened(path, e.version, unsavedText(text))
}

// sameText compares texts whose line ends a client may have changed.
func sameText(a, b string) bool {
	return a == b || strings.ReplaceAll(a, "\r\n", "\n") == strings.ReplaceAll(b, "\r\n", "\n")
}

// restoreLineEnds gives a text the line ends that its file has on disk, which some clients hide: those of Windows,
// and the last one.
func restoreLineEnds(text, disk string) string {
	if strings.HasSuffix(disk, "\n") && text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if strings.Contains(disk, "\r\n") && !strings.Contains(text, "\r\n") {
		return strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// beforeCall takes the text of the file that a call names.
func (f *frontEnd) beforeCall(ctx context.Context, conversationID, path string) {
	if s := f.sessionFor(conversationID); s != nil {
		f.files.refresh(ctx, s, path)
	}
}

// CanApply implements [project.FrontEnd]: a client can write and create files of text, but not rename or
// delete them.
func (f *frontEnd) CanApply(plan *edits.Plan) bool {
	writes := func(file edits.PlannedFile) bool { return file.Op == edits.OpEdit || file.Op == edits.OpCreate }
	return f.agent.client.capabilities.FS.WriteTextFile &&
		!slices.ContainsFunc(plan.Files, func(file edits.PlannedFile) bool { return !writes(file) })
}

// Apply implements [project.FrontEnd]: the client writes the files. It writes none of which it has
// not sent its text, because what it has not saved would be lost.
func (f *frontEnd) Apply(ctx context.Context, plan *edits.Plan) error {
	p, err := f.files.folder.project.Edits.Proposals.Get(ctx, plan.ProposalID)
	if err != nil {
		return err
	}
	s := f.sessionFor(p.ConversationID)
	if s == nil {
		s = f.sessionFor("")
	}
	if s == nil {
		return fmt.Errorf("the session of the proposal is not open")
	}
	var ignored []error // of files that the client has not written, although it says so
	for _, file := range plan.Files {
		if file.Done {
			continue
		}
		if err := f.files.known(file.Path); err != nil && file.Op == edits.OpEdit {
			return err
		}
		request := protocol.WriteTextFileRequest{SessionID: s.id, Path: file.Path, Content: string(file.After)}
		if err := s.client.request(ctx, protocol.MethodWriteTextFile, request, nil); err != nil {
			return fmt.Errorf("the client could not write %s: %w", file.Path, err)
		}
		f.files.written(ctx, s, file.Path, file.After)
		if f.files.reads(ctx, file.Path, file.Before) {
			ignored = append(ignored,
				fmt.Errorf("%s is unchanged, although the client reported success",
					f.files.folder.project.Workspace.Rel(file.Path)))
		}
	}
	return errors.Join(ignored...)
}

// reads reports whether a file has a text, in the client or else on disk. Without a text it reports
// whether there is no file.
func (e *editorFiles) reads(ctx context.Context, path string, text []byte) bool {
	now, err := e.folder.project.Workspace.Read(ctx, path)
	if text == nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	return err == nil && bytes.Equal(now.Text, text)
}

// written takes the text of a file that the client says it has written: from the disk, or from the
// client if it has not saved the file.
func (e *editorFiles) written(ctx context.Context, s *openSession, path string, text []byte) {
	if disk, err := e.folder.project.Workspace.ReadDisk(ctx, path, int64(len(text))); err == nil &&
		bytes.Equal(disk, text) {
		e.mu.Lock()
		e.saved(path)
		e.mu.Unlock()
	} else {
		e.refresh(ctx, s, path)
	}
	e.folder.project.DiskChanged([]string{path})
}
