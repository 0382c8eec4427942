package compiler

import (
	"context"
	"errors"
	"unicode"
	"unicode/utf8"

	"ploke-lsp/internal/lspclient"
)

// errElsewhere says that a file has a text that the servers of the editor can't have.
var errElsewhere = errors.New("the file is not saved in another editor")

// text returns the present text of a file of the workspace, and notes it.
func (e *exchange) text(ctx context.Context, path string) ([]byte, error) {
	ws := e.bridge.options.Workspace
	file, err := ws.Read(ctx, path)
	if err != nil {
		e.outside = true
		return nil, err
	}
	if _, unsaved := ws.Buffer(file.Path); unsaved && !e.open(file.Path) {
		e.problem = errElsewhere
		return nil, errElsewhere
	}
	e.files[path] = file
	return file.Text, nil
}

// open reports whether the editor has a file open, which it may have done for the question.
func (e *exchange) open(path string) bool {
	_, before := e.versions[path]
	_, now := e.bridge.options.Editor.Versions()[path]
	return before || now
}

// places returns the places of an answer. One that begins or ends within a word, or behind the end, is of another text
// than the present one, and so may be the others.
func (e *exchange) places(found []lspclient.Place) (places []Place, err error) {
	if e.problem != nil {
		return nil, e.problem
	}
	now := e.bridge.options.Editor.Versions()
	for _, p := range found {
		q, file := e.question, e.files[p.Path]
		switch {
		case e.changedSince(file.Path, now):
			return nil, ErrChanged
		case e.method == lspclient.MethodReferences && file.Path == q.Path && p.Start <= q.Offset && q.Offset < p.End:
			continue // the declaration
		case e.method != lspclient.MethodRename &&
			(p.Start == p.End || WithinWord(file.Text, p.Start) || WithinWord(file.Text, p.End)):
			return nil, ErrChanged
		}
		places = append(places, Place{file.Path, p.Start, p.End, file.Hash, p.New})
	}
	return places, nil
}

// changedSince reports whether the text of a file is not any more what it was. An editor may have opened the file for
// the question.
func (e *exchange) changedSince(path string, now map[string]int32) bool {
	before, open := e.versions[path]
	return open && before != now[path]
}

// WithinWord reports whether an offset of a text is inside of a word.
func WithinWord(text []byte, offset int) bool {
	before, _ := utf8.DecodeLastRune(text[:offset])
	after, _ := utf8.DecodeRune(text[offset:])
	return inWord(before) && inWord(after)
}

func inWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) && r != utf8.RuneError || unicode.IsDigit(r)
}
