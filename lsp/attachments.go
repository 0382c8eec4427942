package lsp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"ploke-lsp/internal/secretscan"
	"ploke-lsp/internal/workspace"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session"
)

const (
	// maxAttachmentBytes is the size of the largest attachment: some 64,000 tokens, which leaves room for an
	// answer in the windows of most models.
	maxAttachmentBytes = 256 << 10
	// maxAttachments is how many attachments a message may have.
	maxAttachments = 200
)

// attachments reads the current text of the files and folders that are attached to a message.
func (s *Server) attachments(ctx context.Context, list []ploke.Attachment) (out []session.Attachment, err error) {
	if len(list) > maxAttachments {
		return nil, fmt.Errorf("the message has %d attachments: attach at most %d, such as their folder", len(list), maxAttachments)
	}
	for _, a := range list {
		read, err := s.attachment(ctx, a)
		if err != nil {
			return nil, err
		}
		out = append(out, read)
	}
	return out, nil
}

// attachment reads the current text of what is attached. The error says why it can't be sent.
func (s *Server) attachment(ctx context.Context, a ploke.Attachment) (session.Attachment, error) {
	path, err := s.project.Workspace.Resolve(string(a.URI))
	if err != nil {
		return session.Attachment{}, err
	}
	rel := s.project.Workspace.Rel(path)
	out := session.Attachment{Path: path, StartLine: 1, Whole: a.Range == nil}
	file, err := s.project.Workspace.Read(ctx, path)
	var folder *workspace.FolderError
	switch {
	case errors.As(err, &folder):
		if out.Text, err = s.project.FolderOutline(ctx, path); err != nil {
			return out, fmt.Errorf("the folder %s can't be attached: %w", rel, err)
		}
		out.Folder, out.EndLine = true, strings.Count(out.Text, "\n")+1
		return out, nil
	case errors.Is(err, fs.ErrNotExist):
		return out, fmt.Errorf("%s can't be attached: there is no such file any more", rel)
	case err != nil:
		return out, fmt.Errorf("%s can't be attached: %w", rel, err)
	}
	switch skip := workspace.Classify(file.Text); skip {
	case workspace.Secret:
		return out, &workspace.SkippedError{Rel: rel, Skip: skip}
	case workspace.Binary:
		return out, fmt.Errorf("%s can't be attached: it is %s, and only text is sent to a model", rel, binaryKind(path))
	}
	return s.lines(out, a, file)
}

// lines adds the lines of a file that are attached.
func (s *Server) lines(out session.Attachment, a ploke.Attachment, file *workspace.File) (session.Attachment, error) {
	rel := s.project.Workspace.Rel(out.Path)
	m := ploke.NewMapper(file.Text, s.client.encoding)
	out.EndLine = m.LineAt(len(file.Text))
	if a.Range != nil {
		out.StartLine, out.EndLine = m.LineAt(m.Offset(a.Range.Start)), m.LineAt(m.Offset(a.Range.End))
	}
	r, ok := m.Lines(out.StartLine, out.EndLine)
	if !ok {
		return out, fmt.Errorf("%s can't be attached: it has no lines %d to %d", rel, out.StartLine, out.EndLine)
	}
	out.Text = string(file.Text[m.Offset(r.Start):m.Offset(r.End)])
	if len(out.Text) > maxAttachmentBytes {
		return out, fmt.Errorf("%s can't be attached: it is too large with %d KB; attach the lines that matter, at most %d KB", rel, len(out.Text)>>10, maxAttachmentBytes>>10)
	}
	out.Secrets = secretscan.In(out.Text, secretscan.OfText(file.Hash, file.Text))
	return out, nil
}

// binaryKind returns what a person would call a file that is not text.
func binaryKind(path string) string {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".ico", ".tif", ".tiff", ".avif", ".heic":
		return "an image"
	}
	return "binary"
}

// chatAttachment says what would be sent for an attachment.
func (s *Server) chatAttachment(ctx context.Context, p *ploke.Attachment) (*ploke.AttachmentDetails, error) {
	a, err := s.attachment(ctx, *p)
	if err != nil {
		return nil, err
	}
	return &ploke.AttachmentDetails{
		Path: s.project.Workspace.Rel(a.Path), Folder: a.Folder, Lines: lineCount(a.Text), Bytes: len(a.Text),
	}, nil
}

// lineCount returns how many lines a person would count in a text, whether or not its last one has a line break.
func lineCount(text string) int {
	if text == "" {
		return 0
	}
	return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
}
