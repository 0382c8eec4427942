package lspclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/display"
)

const (
	maxProblems       = 1000    // of a file
	maxProblemMessage = 2 << 10 // characters
	maxPublished      = 4 << 20 // bytes of what the server reports of one file
	publishTime       = 3 * time.Second
)

// A Problem is what a server reports of a range of a file.
type Problem struct {
	Start, End         int // in bytes
	Line, Column       int // of the start; 1-based, in bytes
	EndLine, EndColumn int
	Severity           int // 1 is an error, 2 a warning; 3 and 4 are less
	Source, Code       string
	Message            string
}

// ErrNoProblems says that the server has not reported the problems of a text in time, or not of which text they are.
var ErrNoProblems = errors.New("the language server has not reported the problems of this text")

// published is what the server has reported of a document by itself.
type published struct {
	version int
	items   json.RawMessage
	given   bool // by Problems
}

// Problems returns the problems of an open document for the text that the server has of it. It asks, or waits until the
// server reports them for the document's version if that answers no such questions.
func (c *Client) Problems(ctx context.Context, path string) ([]Problem, error) {
	c.mu.Lock()
	open, ok := c.open[path]
	pushes := c.pushes
	c.mu.Unlock()
	if !ok {
		return nil, fmt.Errorf("%s is not open", path)
	}
	if !pushes {
		var report struct {
			Items json.RawMessage `json:"items"`
		}
		err := c.call(ctx, c.options.CallTime, "textDocument/diagnostic",
			object{"textDocument": object{"uri": uri.File(path)}}, &report)
		if err == nil {
			return c.problemsIn(open.text, report.Items)
		}
		// gopls answers and does not announce it, so others are asked once, too.
		if refused := (*RefusedError)(nil); !errors.As(err, &refused) || refused.Code != jsonrpc2.MethodNotFound {
			return nil, err
		}
		c.mu.Lock()
		c.pushes = true
		c.mu.Unlock()
	}
	items, err := c.awaitPublished(ctx, path)
	if err != nil {
		return nil, err
	}
	return c.problemsIn(open.text, items)
}

// awaitPublished waits for what the server reports of the present version of a document. Once that was given, other
// files may have changed: the document gets another version, which the server is to report about.
func (c *Client) awaitPublished(ctx context.Context, path string) (items json.RawMessage, err error) {
	c.mu.Lock()
	open := c.open[path]
	if p := c.published[path]; p != nil && p.version == open.version && p.given {
		open.version++
		c.open[path] = open
		item := object{"uri": uri.File(path), "version": open.version}
		err = c.notify("textDocument/didChange",
			object{"textDocument": item, "contentChanges": []object{{"text": string(open.text)}}})
	}
	c.mu.Unlock()
	if err != nil {
		return nil, err
	}
	found := false
	c.problems.Await(ctx, publishTime, func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		if p := c.published[path]; p != nil && p.version == open.version {
			items, found, p.given = p.items, true, true
		}
		return found || c.program.Ended()
	})
	if !found {
		return nil, ErrNoProblems
	}
	return items, nil
}

// publish takes what the server reports of a document, if it says of which version.
func (c *Client) publish(params []byte) {
	var p struct {
		URI         string
		Version     *int
		Diagnostics json.RawMessage
	}
	if len(params) > maxPublished || json.Unmarshal(params, &p) != nil || p.Version == nil {
		return
	}
	path, _ := filePath(p.URI)
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, open := c.open[path]; open {
		c.published[path] = &published{version: *p.Version, items: p.Diagnostics}
		c.problems.Announce()
	}
}

// problemsIn reads diagnostics of a text.
func (c *Client) problemsIn(text []byte, items json.RawMessage) (all []Problem, err error) {
	var found []struct {
		Range    protocol.Range
		Severity int
		Code     any
		Source   string
		Message  string
	}
	if len(items) > 0 && json.Unmarshal(items, &found) != nil {
		return nil, errors.New("the problems that the language server reports have a wrong form")
	}
	m := newMapper(text, c.encoding)
	for _, f := range found[:min(len(found), maxProblems)] {
		p := Problem{Start: m.offset(f.Range.Start), End: m.offset(f.Range.End), Severity: f.Severity,
			Source: display.Name(display.Clip(f.Source, maxName)), Message: display.Clip(f.Message, maxProblemMessage)}
		if f.Code != nil {
			p.Code = display.Name(display.Clip(fmt.Sprint(f.Code), maxName))
		}
		if p.Severity < 1 || p.Severity > 4 {
			p.Severity = 1
		}
		p.End = max(p.Start, p.End)
		p.Line, p.Column = lineOf(text, p.Start)
		p.EndLine, p.EndColumn = lineOf(text, p.End)
		all = append(all, p)
	}
	return all, nil
}

// lineOf returns the line and the column of an offset.
func lineOf(text []byte, at int) (line, column int) {
	return 1 + bytes.Count(text[:at], []byte("\n")), at - bytes.LastIndexByte(text[:at], '\n')
}
