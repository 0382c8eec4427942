package edits

import (
	"bytes"
	"fmt"

	"ploke-lsp/internal/workspace"
)

// encoding returns how the file is stored after the changes: as it is now. If its text is the
// same bytes in the charset that it had when a change was made, it gets that charset back. The
// text may have lost the characters that told the two apart.
func (f *overlayFile) encoding() workspace.Encoding {
	if f.now == nil {
		return workspace.Encoding{}
	}
	had := workspace.Encoding{BOM: f.now.BOM, Charset: f.charset}
	if f.charset != "" && sameBytes(f.now.Encoding, had, f.now.Text) {
		return had
	}
	return f.now.Encoding
}

// sameBytes reports whether both encodings store the text as the same bytes.
func sameBytes(a, b workspace.Encoding, text []byte) bool {
	if a == b {
		return true
	}
	x, err := a.Encode(text)
	if err != nil {
		return false
	}
	y, err := b.Encode(text)
	return err == nil && bytes.Equal(x, y)
}

// checkEncoding refuses a text that the file can't store. An editor that has the file open
// stores it in its own way.
func (r *currentFiles) checkEncoding(f *overlayFile) error {
	if f.path == "" || len(f.hunks) == 0 || f.now != nil && f.now.Open {
		return nil
	}
	if f.now != nil && f.now.Unclear != "" {
		return refuse("%s is not edited, because its encoding is not clear: %s; ask the user to convert it to UTF-8",
			r.ws.Rel(f.path), f.now.Unclear)
	}
	text, err := Apply(f.base(), editsOf(f.hunks))
	if err == nil {
		_, err = f.encoding().EncodeFor(f.path, text)
	}
	if err != nil {
		return refuse("%s: %v; leave that out, or write it as an escape of the language", r.ws.Rel(f.path), err)
	}
	return nil
}

// checkCharset is like checkEncoding, for the text that a stored change gives its file.
func (r *currentFiles) checkCharset(c *Change, text string) error {
	if c.BaseVersion != nil {
		return nil
	}
	if _, err := (workspace.Encoding{Charset: c.Charset}).EncodeFor(c.target(), []byte(text)); err != nil {
		return fmt.Errorf("%s: %w; leave that out, or write it as an escape of the language", r.ws.Rel(c.Path), err)
	}
	return nil
}

// bytesBefore returns the bytes of the file as the plan found it. now is the file as it is.
func (d *diskWriter) bytesBefore(f *PlannedFile, now *workspace.File) ([]byte, error) {
	if !sameBytes(f.Encoding, now.Encoding, f.Before) {
		return nil, d.stale(f.Path)
	}
	return f.Encoding.Encode(f.Before)
}

// bytesAfter returns the bytes that the plan gives the file.
func (d *diskWriter) bytesAfter(f *PlannedFile) ([]byte, error) {
	if restored := f.Op == OpCreate && f.Mode != nil; restored || f.Op != OpCreate && bytes.Equal(f.Before, f.After) {
		return f.Encode(f.After) // even if its encoding is not clear
	}
	data, err := f.EncodeFor(f.target(), f.After)
	if err != nil {
		return nil, refuse("%s: %v; reject the change, or convert the file to UTF-8", d.ws.Rel(f.Path), err)
	}
	return data, nil
}
