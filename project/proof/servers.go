package proof

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ploke-lsp/edits/evidence"
	"ploke-lsp/internal/trial"
	languages "ploke-lsp/project/compiler"
)

// LanguageServers know the problems of files. They are asked about the folder as it is: nothing runs for the proposal.
type LanguageServers interface {
	// ServerOf names the server that is asked about a file with a text; "" if there is none.
	ServerOf(path string, text []byte) string
	// LayOver returns what one server reports of files as they are, and with texts laid over them.
	LayOver(ctx context.Context, texts []languages.Text, files []string) (before, after *languages.Report, err error)
}

// serverPatience is how long a language server may take. One that takes longer to start goes on with that.
const serverPatience = 15 * time.Second

// maxAsked bounds the files that a language server is asked about: those that change, and then those that import them.
const maxAsked = 40

// servers returns a step for each language server that knows files which the proposal leaves changed.
func (c *Checker) servers(f *folder, texts []trial.Text, misfit string) (steps []planned) {
	for _, file := range f.changed {
		if !f.has(file) {
			continue
		}
		name := c.serverOf(f, file)
		if name != "" && !slices.ContainsFunc(steps, func(s planned) bool { return s.server == name }) {
			steps = append(steps, planned{Step: Step{Source: name, Dir: ".", kind: evidence.Problems}, folder: f, texts: texts,
				misfit: misfit, server: name})
		}
	}
	return steps
}

// askServer returns what a language server says of a proposal.
func (c *Checker) askServer(ctx context.Context, s planned) (evidence.Evidence, error) {
	f, e := s.folder, s.evidence(s.folder, evidence.Passed, "")
	unknown := func(why string) (evidence.Evidence, error) {
		e.State, e.Reason = evidence.Unknown, why
		return e, nil
	}
	var laid []languages.Text
	for _, t := range s.texts {
		switch at := filepath.Join(f.root, filepath.FromSlash(t.Path)); {
		case t.Gone && c.serverOf(f, t.Path) == s.server:
			return unknown("it can't be shown that " + t.Path + " is removed")
		case !t.Gone && c.serverOf(f, t.Path) == s.server:
			laid = append(laid, languages.Text{Path: at, Data: []byte(f.read(t.Path))})
		}
	}
	for _, rel := range f.changed {
		if isManifest(rel) {
			return unknown("it is shown no other " + path.Base(rel))
		}
	}
	var files []string
	add := func(rel string) {
		at := filepath.Join(f.root, filepath.FromSlash(rel))
		if len(files) < maxAsked && f.has(rel) && c.serverOf(f, rel) == s.server && !slices.Contains(files, at) {
			files = append(files, at)
		}
	}
	for _, rel := range f.changed {
		add(rel)
	}
	for _, rel := range f.changed {
		for _, importer := range f.importers(rel) {
			add(importer)
		}
	}
	limited, cancel := context.WithTimeout(ctx, serverPatience)
	defer cancel()
	began := time.Now()
	before, after, err := c.deps.Servers().LayOver(limited, laid, files)
	e.Took = time.Since(began)
	switch {
	case ctx.Err() != nil:
		return e, ctx.Err()
	case limited.Err() != nil:
		return unknown(fmt.Sprintf("it has not answered within %v", serverPatience))
	case err != nil:
		return unknown(err.Error())
	case before.Unread() != "" || after.Unread() != "":
		return unknown(cmp.Or(before.Unread(), after.Unread()))
	}
	fresh, old := newProblems(errorsOfReport(after), errorsOfReport(before))
	e.Before = old
	if len(fresh) == 0 {
		return e, nil
	}
	e.State = evidence.Failed
	for _, p := range fresh[:min(len(fresh), evidence.MaxProblems)] {
		e.Problems = append(e.Problems, evidence.Problem{Path: p.file, Line: p.line, Column: p.column, EndLine: p.endLine,
			EndColumn: p.endColum, Message: p.message, Code: p.code})
	}
	e.Omitted = len(fresh) - len(e.Problems)
	return e, nil
}

// isManifest reports whether a file says how a project is built.
func isManifest(file string) bool {
	return slices.ContainsFunc(table, func(r rule) bool { return matches(r.manifests, file) })
}

// serverOf names the server of a file of a folder.
func (c *Checker) serverOf(f *folder, rel string) string {
	return c.deps.Servers().ServerOf(filepath.Join(f.root, filepath.FromSlash(rel)), []byte(f.read(rel)))
}

// errorsOfReport returns the problems of a report that are no warnings.
func errorsOfReport(r *languages.Report) (problems []found) {
	for _, p := range r.Problems {
		if p.Severity == 1 {
			problems = append(problems, found{file: p.Path, line: p.Line, column: p.Column, endLine: p.EndLine,
				endColum: p.EndColumn, message: strings.Join(strings.Fields(p.Message), " "), code: p.Code})
		}
	}
	return problems
}
