package compiler

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"ploke-lsp/internal/workspace"
)

// A view is the folder of a server as one process sees it: what is on disk, and the texts that are not saved. It is not
// modified.
type view struct {
	ws      *workspace.Workspace
	other   bool                       // it is another process's
	unsaved map[string]*workspace.File // by the key of the path
	key     string                     // two views of a folder are the same if their keys are
}

// own returns the folder as this process sees it now.
func (s *server) own() *view {
	ws := s.options.Workspace
	v := &view{ws: ws, unsaved: map[string]*workspace.File{}}
	for _, path := range ws.Buffers() {
		root, inside := ws.RootOf(path)
		if file, open := ws.Buffer(path); open && inside && root == s.root {
			v.unsaved[ws.Key(path)] = file
		}
	}
	v.key = v.digest()
	return v
}

// maxText is how large a text of another process may be.
const maxText = 16 << 20

// viewOf returns the folder as another process sees it, which has not saved these texts.
func (s *server) viewOf(unsaved []Text) (*view, error) {
	v := &view{ws: s.options.Workspace, other: true, unsaved: map[string]*workspace.File{}}
	for _, t := range unsaved {
		if err := s.check(t); err != nil {
			return nil, err
		}
		v.unsaved[v.ws.Key(t.Path)] = &workspace.File{Path: t.Path, Text: t.Data, Hash: workspace.Hash(t.Data), Open: true}
	}
	v.key = v.digest()
	return v, nil
}

// check refuses what another process says of a file, unless it is a text of the folder.
func (s *server) check(t Text) error {
	ws := s.options.Workspace
	if root, inside := ws.RootOf(t.Path); !inside || root != s.root || ws.Key(ws.Canonical(t.Path)) != ws.Key(t.Path) ||
		ws.Skipped(t.Path) != "" {
		return fmt.Errorf("%q is no file that is served here", t.Path)
	}
	if !utf8.Valid(t.Data) {
		return fmt.Errorf("the text of %q is not UTF-8", t.Path)
	}
	return nil
}

func (v *view) digest() string {
	sum := sha256.New()
	for _, key := range slices.Sorted(maps.Keys(v.unsaved)) {
		fmt.Fprintf(sum, "%q %s\n", key, v.unsaved[key].Hash) // a hash never fails
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// texts returns the unsaved texts.
func (v *view) texts() (all []Text) {
	for _, key := range slices.Sorted(maps.Keys(v.unsaved)) {
		all = append(all, Text{v.unsaved[key].Path, v.unsaved[key].Text})
	}
	return all
}

// read returns a file as the process sees it.
func (v *view) read(ctx context.Context, path string) (*workspace.File, error) {
	if file := v.unsaved[v.ws.Key(v.ws.Canonical(path))]; file != nil {
		return file, nil
	}
	if open, _ := v.ws.IsOpen(path); !open || !v.other {
		return v.ws.Read(ctx, path)
	}
	data, err := v.ws.ReadDisk(ctx, path, maxText)
	if err != nil {
		return nil, err
	}
	text, encoding, unclear := workspace.Decode(path, data)
	return &workspace.File{Path: path, Text: text, Hash: workspace.Hash(text), Encoding: encoding, Unclear: unclear}, nil
}

// changed reports whether a file is not as it was when the view was asked for a place in it.
func (v *view) changed(ctx context.Context, p Place) bool {
	file, err := v.read(ctx, p.Path)
	return err != nil || file.Hash != p.Hash || p.Start < 0 || p.Start > p.End || p.End > len(file.Text)
}
