package query

import (
	"path"
	"slices"
	"strings"

	"ploke-lsp/index/graph"
	"ploke-lsp/index/shards"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/syntax"
)

// Editor is the state of a person's editor. Paths are absolute; paths that are not in the
// index are ignored.
type Editor struct {
	Current string   // the file with the cursor; "": none
	Offset  int      // of the cursor in the current text, in bytes
	Visible []string // files on the screen
	Open    []string
	Recent  []string // edited files, the last one first
}

func (e *Editor) empty() bool {
	return e.Current == "" && len(e.Visible)+len(e.Open)+len(e.Recent) == 0
}

// The prior of a file is how likely the query means it, given the editor's state. It is 1
// for the file with the cursor; otherwise the highest of these applies.
const (
	visiblePrior  = 0.5
	recentPrior   = 0.5
	importedPrior = 0.5  // by the file with the cursor
	siblingPrior  = 0.25 // in the folder of that file
	openPrior     = 0.25
)

// cursorWeight is the weight of the unit at the cursor if the query says "this function".
const cursorWeight = 2.0

// cursorPattern matches phrases that mean the place of the cursor.
var cursorPattern = lazyregexp.New(`(?i)\b(?:this|(?:the )?(?:current|selected))\s+(?:\pL+\s+)?` +
	`(?:file|function|method|class|type|struct|interface|trait|enum|module|package|component|test|code|line|loop|` +
	`symbol|selection)\b|\b(?:around|right|in|over) here\b`)

// cursorWords are the words of which each match of cursorPattern has one. They spare a
// long text the slow pattern.
var cursorWords = []string{"this", "current", "selected", "here"}

// refersToCursor reports whether a text means the place of the cursor.
func refersToCursor(text string) bool {
	lower := strings.ToLower(text)
	has := func(word string) bool { return strings.Contains(lower, word) }
	return slices.ContainsFunc(cursorWords, has) && cursorPattern.MatchString(text)
}

// editorPrior is the likelihood of files by an Editor; nil is 0 for all.
type editorPrior struct {
	files    map[filePath]float64
	folder   filePath // of the file with the cursor
	imported []string // slash-separated
}

// filePath identifies a file or a folder of a shard.
type filePath struct {
	shard *shards.Shard
	rel   string
}

// forFile returns how likely the query means a file, from 0 to 1.
func (p *editorPrior) forFile(s *shards.Shard, rel string) float64 {
	if p == nil {
		return 0
	}
	likely := p.files[filePath{s, rel}]
	if likely < importedPrior && p.importsFile(rel) {
		likely = importedPrior
	}
	if p.folder == (filePath{s, path.Dir(rel)}) {
		likely = max(likely, siblingPrior)
	}
	return likely
}

// importsFile reports whether the file with the cursor imports a file or its folder.
// Either address may lack the beginning of the other.
func (p *editorPrior) importsFile(rel string) bool {
	for _, a := range []string{moduleOf(rel), path.Dir(rel)} {
		for _, b := range p.imported {
			if n := commonTail(a, b); n == nameCount(a) || n == nameCount(b) {
				return true
			}
		}
	}
	return false
}

// editorPrior returns the prior of files by an Editor, and the location of the unit at the
// cursor, nil if that is not in the index. refersToCursor says that the query means the
// cursor.
func (l *locator) editorPrior(e Editor, meansCursor bool) (p *editorPrior, cursor *location, err error) {
	p = &editorPrior{files: map[filePath]float64{}}
	for _, group := range []struct {
		files []string
		prior float64
	}{{e.Open, openPrior}, {e.Recent, recentPrior}, {e.Visible, visiblePrior}, {[]string{e.Current}, 1}} {
		for _, name := range group.files {
			if s := l.ShardOf(name); s != nil {
				p.files[filePath{s, s.Rel(l.Canonical(name))}] = group.prior
			}
		}
	}
	m, err := graph.ModuleAt(l.ctx, l.CurrentTexts, l.corpus.views, e.Current)
	if m != nil {
		p.folder = filePath{m.Shard, m.Dir.Rel}
		p.imported = m.ImportAddresses()
		cursor = l.cursorLocation(m, e.Offset, meansCursor)
	}
	return p, cursor, err
}

// cursorLocation returns the unit of a module that contains an offset. It is nil if no view serves
// it, or if it is the rest of the file, unless the query means the cursor.
func (l *locator) cursorLocation(m *graph.Module, offset int, meansCursor bool) *location {
	inside := func(s syntax.Symbol) bool { return shards.StartWithDoc(s) <= offset && offset <= s.End }
	weight, nameMatch := l.corpus.weights.editor, 0.0
	if meansCursor {
		weight, nameMatch = cursorWeight, 1
	}
	for i, v := range l.corpus.views {
		doc, ok := m.Doc, v == m.View
		if b := v.Buffer; b != nil {
			doc, ok = 0, v.Shard == m.Shard && b.Rel == m.Rel && v.Docs() > 0
		}
		if !ok || !v.Serves(doc) {
			continue
		}
		unit := v.UnitOf(doc, m.AllSymbols(), inside)
		if unit == 0 && !meansCursor { // in no symbol, such as in the first line, where editors open files
			return nil
		}
		return &location{view: i, doc: doc, unit: unit, weight: weight, nameMatch: nameMatch}
	}
	return nil
}
