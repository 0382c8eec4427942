package tools

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/placing"
	"ploke-lsp/tools/wording"
)

//go:embed get_diagnostics.md
var getDiagnosticsDescription string

const (
	shownDiagnostics = 100
	diagnosticBytes  = 500 // of one message
)

// Diagnostics are the diagnostics of other language servers and linters, as far as the editor
// reports them.
type Diagnostics struct {
	List []Diagnostic
	// Partial says that the editor cannot be queried. Then List has only the diagnostics that
	// the editor has reported so far.
	Partial bool
	By      string // the language server that has told all of the present text of the file; "" if none has
	Why     string // why one that was asked has not; "" if none was, or it has
}

// Diagnostic is one diagnostic. Hash is the hash of the text that it is about: the editor's
// text or, for a file that is not open, the one on disk.
type Diagnostic struct {
	Path               string
	Hash               string
	StartLine, EndLine int // 1-based, inclusive
	StartByte, EndByte int
	Severity           Severity
	Source, Code       string // such as "compiler" and "UndeclaredName"; may be empty
	Message            string
	SeenAt             time.Time
}

// Severity says how bad a diagnostic is, the worst first.
type Severity int

const (
	SeverityError Severity = iota + 1
	SeverityWarning
	SeverityInformation
	SeverityHint
)

func (s Severity) String() string {
	switch s {
	case SeverityWarning:
		return "warning"
	case SeverityInformation:
		return "information"
	case SeverityHint:
		return "hint"
	}
	return "error"
}

type getDiagnosticsArgs struct {
	File string `json:"file,omitempty" secrets:"named"`
}

type diagnosticItem struct {
	File       string `json:"file"`
	Line       int    `json:"line"`
	EndLine    int    `json:"end_line,omitempty"` // if it differs
	StartByte  int    `json:"start_byte"`
	EndByte    int    `json:"end_byte"`
	Severity   string `json:"severity"`
	Source     string `json:"source,omitempty"`
	Code       string `json:"code,omitempty"`
	Message    string `json:"message"`
	Text       string `json:"text,omitempty"` // the line
	AgeSeconds int    `json:"age_seconds,omitempty"`
	Outdated   bool   `json:"outdated,omitempty"`
}

type getDiagnosticsResult struct {
	OK          bool             `json:"ok"`
	Diagnostics []diagnosticItem `json:"diagnostics"`
	Omitted     int              `json:"omitted"`
	Partial     bool             `json:"partial,omitempty"`
	By          string           `json:"by,omitempty"` // the language server that has told all of this text
	Hint        string           `json:"hint,omitempty"`
}

func (d Deps) getDiagnostics(ctx context.Context, env Env, args getDiagnosticsArgs) (Result, error) {
	path, where := "", "the workspace"
	if args.File != "" {
		src, err := d.sources(env).Named(ctx, "file", args.File)
		if err != nil {
			return Result{}, err
		}
		path, where = src.Path, src.Rel
	}
	found, err := d.Diagnostics(ctx, path)
	if err != nil {
		return Result{}, err
	}
	items, err := d.reportable(ctx, found.List, path)
	if err != nil {
		return Result{}, err
	}
	result := getDiagnosticsResult{OK: true, Diagnostics: items, Partial: found.Partial, By: found.By}
	if result.Omitted = max(0, len(items)-shownDiagnostics); result.Omitted > 0 {
		result.Diagnostics = items[:shownDiagnostics]
		result.Hint = "these are the worst; send file to see the others of one file"
	}
	if found.Partial {
		result.Hint = "this editor can't be queried: these are only the ones that it has reported so far; " +
			"use run_check to find the others"
	}
	if found.Why != "" {
		result.Hint = "what is wrong with this text is not known: " + found.Why + "; use run_check"
	}
	return OK(result, fmt.Sprintf("listed the editor's diagnostics of %s: %s", where,
		wording.Plural(len(items), "diagnostic")))
}

// reportable returns the diagnostics of files that the workspace serves, the worst first, then
// by path and place. An empty path stands for all files.
func (d Deps) reportable(ctx context.Context, list []Diagnostic, path string) ([]diagnosticItem, error) {
	list = slices.DeleteFunc(slices.Clone(list), func(x Diagnostic) bool { return path != "" && x.Path != path })
	slices.SortStableFunc(list, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Path, b.Path), cmp.Compare(a.StartByte, b.StartByte),
			cmp.Compare(a.EndByte, b.EndByte), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Message, b.Message))
	})
	items := []diagnosticItem{}
	files := make(map[string]*current.File) // nil for files that are not served
	for _, x := range list {
		src, known := files[x.Path]
		if !known {
			file, err := d.Workspace.Read(ctx, x.Path)
			if err != nil && !current.Unavailable(err) {
				return nil, err
			}
			if err == nil && workspace.Classify(file.Text) == "" {
				current.NoteSecrets(ctx, file)
				src = &current.File{SourceFile: &placing.SourceFile{File: file}}
			}
			files[x.Path] = src
		}
		if src != nil {
			items = append(items, diagnosticItemOf(src, x))
		}
	}
	return items, nil
}

// diagnosticItemOf converts a diagnostic of a file.
func diagnosticItemOf(s *current.File, x Diagnostic) diagnosticItem {
	item := diagnosticItem{File: x.Path, Line: x.StartLine, StartByte: x.StartByte, EndByte: x.EndByte,
		Severity: x.Severity.String(),
		Source:   wording.OneLine(x.Source), Code: wording.OneLine(x.Code),
		Message:    wording.InLine(x.Message, diagnosticBytes),
		AgeSeconds: int(time.Since(x.SeenAt).Seconds()), Outdated: x.Hash != s.Hash}
	if x.EndLine != x.StartLine {
		item.EndLine = x.EndLine
	}
	if !item.Outdated {
		item.Text = s.LineText(x.StartByte)
	}
	return item
}

// Text writes the diagnostics under a heading for each file, each below its line.
func (r getDiagnosticsResult) Text(w *wording.Writer) {
	file := ""
	for _, d := range r.Diagnostics {
		if d.File != file {
			file = d.File
			w.Line(w.Path(file))
		}
		d.write(w)
	}
	if len(r.Diagnostics) == 0 {
		w.Line("no diagnostics")
	}
	if r.By != "" {
		w.Linef("by %s, of this text", r.By)
	}
	if r.Omitted > 0 {
		w.Linef("%s more", wording.Plural(r.Omitted, "diagnostic"))
	}
	w.Note(r.Hint)
}

// write writes a diagnostic below its line.
func (d diagnosticItem) write(w *wording.Writer) {
	if d.Outdated {
		w.Linef(wording.LineNumber+"(the text has changed since)", wording.NumberWidth, d.Line)
	} else {
		w.Line(wording.Numbered(d.Line, d.Text))
	}
	w.Line("     " + d.message())
}

// message returns the diagnostic in one line.
func (d diagnosticItem) message() string {
	line := d.Severity + ": " + d.Message
	if from := strings.TrimSpace(d.Source + " " + d.Code); from != "" {
		line += " (" + from + ")"
	}
	if d.EndLine > 0 {
		line += fmt.Sprintf(", to line %d", d.EndLine)
	}
	if d.AgeSeconds > 0 {
		line += fmt.Sprintf(", %s old", wording.Plural(d.AgeSeconds, "second"))
	}
	return line
}
