package project

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"unicode/utf8"

	"ploke-lsp/internal/workspace"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/records"
)

// rulesBytes is the maximum size of the rules that are sent, of all roots together, in any window.
const rulesBytes = 32 << 10

// projectRules reads the rules of the projects for assistants.
type projectRules struct {
	ws       *workspace.Workspace
	settings *Settings
	bus      *bus.Bus
	frontEnd FrontEnd

	mu    sync.Mutex
	noted map[string]bool // what the person was told, by its key
}

// rules returns the AGENTS.md of each root, in all at most limit bytes, unless the settings turn that off.
func (g *projectRules) rules(ctx context.Context, limit int) (rules []records.Rules, err error) {
	if !g.sendsRules() {
		return nil, nil
	}
	left := min(limit, rulesBytes)
	for _, root := range g.ws.Roots() {
		file, size, err := g.ws.ReadBeginning(ctx, filepath.Join(root, rulesFile))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		text := cutLines(file.Text, max(left-len(file.Path), 0))
		if len(text) < len(file.Text) {
			g.noteCut(file.Path, int(size), len(text))
		}
		left -= len(text) + len(file.Path)
		leftOut := linesLeftOut(file.Text, text)
		if text = bytes.TrimSpace(text); len(text)+leftOut > 0 {
			rules = append(rules, records.Rules{Path: file.Path, Text: string(text), LeftOut: leftOut})
		}
	}
	return rules, nil
}

// sendsRules reports whether the settings let rules be sent.
func (g *projectRules) sendsRules() bool {
	enabled := g.settings.Now().ProjectRules
	return enabled == nil || *enabled
}

// cutLines returns the lines at the beginning of text that fit into limit bytes, or a part
// of the first line if that is longer.
func cutLines(text []byte, limit int) []byte {
	if len(text) <= limit {
		return text
	}
	text = text[:limit]
	if end := bytes.LastIndexByte(text, '\n'); end >= 0 {
		return text[:end+1]
	}
	for len(text) > 0 && !utf8.Valid(text[max(0, len(text)-utf8.UTFMax):]) {
		text = text[:len(text)-1]
	}
	return text
}

// linesLeftOut returns how many lines of a text its beginning lacks, at least in part.
func linesLeftOut(text, beginning []byte) int {
	rest := bytes.TrimSpace(text[len(beginning):])
	if len(rest) == 0 {
		return 0
	}
	return bytes.Count(rest, []byte("\n")) + 1
}

// noteCut tells the person, once for each file, that not all of it is sent.
func (g *projectRules) noteCut(path string, size, sent int) {
	g.noteOnce(path, fmt.Sprintf("%s has %s, but only %s of it are sent to the model; shorten it, or turn the rules off "+
		"with the setting projectRules",
		g.ws.Rel(path), kilobytes(size), kilobytes(sent)))
}

func kilobytes(n int) string { return fmt.Sprintf("%d KB", (n+1023)>>10) }

// noteOnce tells the person something about rules, once for each key.
func (g *projectRules) noteOnce(key, text string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.noted[key] {
		return
	}
	g.noted[key] = true
	g.bus.Publish(bus.Notice{Text: text})
}
