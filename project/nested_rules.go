package project

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"ploke-lsp/internal/display"
	"ploke-lsp/internal/secretscan"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/session/records"
)

// rulesFile is the name of the files with rules.
const rulesFile = "AGENTS.md"

// foreignFolders hold the code of others, whose rules are not for this project.
var foreignFolders = []string{"node_modules", "bower_components", "vendor", "third_party", "third-party", "thirdparty", "site-packages", "pods", "carthage", "godeps"}

// currentFile returns the absolute path of the file that the person is in; "" if it is unknown,
// or if no rules are sent.
func (g *projectRules) currentFile(ctx context.Context) string {
	if !g.sendsRules() {
		return ""
	}
	return g.frontEnd.EditorState(ctx).Current
}

// nestedRules returns the rules of the folders between files and their roots, outer folders
// first. If not all fit into limit bytes, those nearest to the files are preferred.
func (g *projectRules) nestedRules(ctx context.Context, files []string, limit int,
	known func(path, hash string) bool) (rules []records.Rules, err error) {
	if !g.sendsRules() {
		return nil, nil
	}
	for _, dir := range g.foldersAround(files) {
		r, size, err := g.readNestedRules(ctx, filepath.Join(dir, rulesFile))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			g.noteOnce(dir, fmt.Sprintf("the rules in %s are left out: %v", r.Name, err))
			continue
		}
		if known(r.Path, r.Hash) {
			continue
		}
		fits := cutLines([]byte(r.Text), max(0, limit-len(r.Name)))
		if len(fits) == 0 && r.Hash != "" {
			g.noteOnce("", fmt.Sprintf("there is no more room for rules of folders in a conversation: %s and perhaps others "+
				"are left out", r.Name))
			continue
		}
		if len(fits) < size {
			g.noteCut(r.Path, size, len(fits))
			r.LeftOut += linesLeftOut([]byte(r.Text), fits)
		}
		r.Text = string(fits)
		limit -= r.Size()
		rules = append(rules, r)
	}
	slices.Reverse(rules)
	return rules, nil
}

// readNestedRules reads a file of rules as far as rulesBytes, and returns its complete size
// without the white space around it. Without the file, or if it only repeats a root's, the
// rules have no hash.
func (g *projectRules) readNestedRules(ctx context.Context, path string) (r records.Rules, size int, err error) {
	r = records.Rules{Path: path, Name: display.Name(g.ws.Rel(path))}
	file, whole, err := g.ws.ReadBeginning(ctx, path)
	var skipped *workspace.SkippedError
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.As(err, &skipped) &&
		skipped.Skip == workspace.Ignored:
		return r, 0, nil
	case err != nil:
		return r, 0, err
	}
	switch workspace.Classify(file.Text) {
	case workspace.Binary:
		return r, 0, errors.New("the file is not text")
	case workspace.Secret:
		return r, 0, &workspace.SkippedError{Rel: r.Name, Skip: workspace.Secret}
	}
	text := bytes.TrimSpace(file.Text)
	if len(text) == 0 || filepath.Base(file.Path) == rulesFile &&
		slices.Contains(g.ws.Roots(), filepath.Dir(file.Path)) {
		return r, 0, nil
	}
	fits := cutLines(text, rulesBytes)
	r.Hash, r.Text, r.LeftOut = file.Hash, string(fits), linesLeftOut(text, fits)
	r.Secrets = secretscan.In(r.Text, secretscan.OfText(file.Hash, file.Text))
	return r, max(len(text), int(whole)-(len(file.Text)-len(text))), nil
}

// foldersAround returns the folders between files, in any form of name, and their roots, each once, the deepest first.
// It leaves out the roots and what is in foreign folders.
func (g *projectRules) foldersAround(files []string) (dirs []string) {
	seen := map[string]bool{}
	for _, file := range files {
		path, err := g.ws.Resolve(file)
		if err != nil {
			continue // outside of the roots
		}
		root, _ := g.ws.RootOf(path)
		folder := strings.TrimPrefix(filepath.Dir(path), root)
		at := root
		for part := range strings.SplitSeq(folder, string(filepath.Separator)) {
			if part == "" {
				continue
			}
			if slices.Contains(foreignFolders, strings.ToLower(part)) {
				break
			}
			at = filepath.Join(at, part)
			if !seen[at] {
				seen[at] = true
				dirs = append(dirs, at)
			}
		}
	}
	slices.SortFunc(dirs, func(a, b string) int {
		if d := strings.Count(b, string(filepath.Separator)) - strings.Count(a, string(filepath.Separator)); d != 0 {
			return d
		}
		return strings.Compare(b, a)
	})
	return dirs
}
