package index

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/internal/syntax"
)

// Editor is where a person is in an editor. Paths are absolute; what the index does not
// have counts for nothing.
type Editor struct {
	Current string   // the file with the cursor; "": there is none
	Offset  int      // of the cursor in the file's text of now, in bytes
	Visible []string // files on the screen
	Open    []string
	Recent  []string // files that were edited, the last one first
}

func (e *Editor) empty() bool {
	return e.Current == "" && len(e.Visible)+len(e.Open)+len(e.Recent) == 0
}

// How likely it is that a file is meant, for where the person is, beside the file with the
// cursor; the most of what holds for a file counts.
const (
	visiblePrior  = 0.5
	recentPrior   = 0.5
	importedPrior = 0.5  // by the file with the cursor
	besidePrior   = 0.25 // in the folder of that
	openPrior     = 0.25
)

// hereWeight is of being around the cursor when the query says "this function".
const cursorWeight = 2.0

// herePattern matches what means the place of the cursor.
var cursorPattern = regexp.MustCompile(`(?i)\b(?:this|(?:the )?(?:current|selected))\s+(?:\pL+\s+)?(?:file|function|method|class|type|struct|interface|trait|enum|module|package|component|test|code|line|loop|symbol|selection)\b|\b(?:around|right|in|over) here\b`)

// hereWords are in what herePattern matches; to try that on a long text takes long.
var cursorWords = []string{"this", "current", "selected", "here"}

// meansHere says whether a text means the place of the cursor.
func refersToCursor(text string) bool {
	lower := strings.ToLower(text)
	has := func(word string) bool { return strings.Contains(lower, word) }
	return slices.ContainsFunc(cursorWords, has) && cursorPattern.MatchString(text)
}

// prior is what an Editor says of files; nil says nothing.
type prior struct {
	files    map[file]float64
	folder   file     // of the file with the cursor
	imported []string // addresses in slashes
}

// of says how likely it is that a file is meant.
func (p *prior) of(s *shard, rel string) float64 {
	if p == nil {
		return 0
	}
	likely := p.files[file{s, rel}]
	if likely < importedPrior && p.importsFile(rel) {
		likely = importedPrior
	}
	if p.folder == (file{s, path.Dir(rel)}) {
		likely = max(likely, besidePrior)
	}
	return likely
}

// imports says whether the file with the cursor imports a file, or its folder: either
// address may lack the beginning of the other.
func (p *prior) importsFile(rel string) bool {
	for _, a := range []string{moduleOf(rel), path.Dir(rel)} {
		for _, b := range p.imported {
			if n := commonTail(a, b); n == nameCount(a) || n == nameCount(b) {
				return true
			}
		}
	}
	return false
}

// editor finds what an Editor says of files, and of the unit at the cursor, which here says
// that the query means. The spot is nil where that is not in the index.
func (l *locator) editor(e Editor, refersToCursor bool) (p *prior, cursor *location, err error) {
	p = &prior{files: map[file]float64{}}
	for _, group := range []struct {
		files []string
		prior float64
	}{{e.Open, openPrior}, {e.Recent, recentPrior}, {e.Visible, visiblePrior}, {[]string{e.Current}, 1}} {
		for _, name := range group.files {
			if s := l.x.shardOf(name); s != nil {
				p.files[file{s, s.rel(l.x.canonical(name))}] = group.prior
			}
		}
	}
	r := l.x.resolver(l.ctx, l.corpus.views)
	r.sources = l.sources
	if m, src := r.at(e.Current); src != nil {
		p.folder = m.dir
		for _, t := range m.targets() {
			p.imported = append(p.imported, t.address)
		}
		cursor = l.cursor(m, e.Offset, refersToCursor)
	}
	return p, cursor, r.err
}

// cursor is the unit of a module that an offset is in.
func (l *locator) cursor(m *module, offset int, refersToCursor bool) *location {
	inside := func(s syntax.Symbol) bool { return startWithDoc(s) <= offset && offset <= s.End }
	weight, nameMatch := l.corpus.weights.editor, 0.0
	if refersToCursor {
		weight, nameMatch = cursorWeight, 1
	}
	for i, v := range l.corpus.views {
		if v.shard != m.shard {
			continue
		}
		doc, ok := v.DocOf(m.id)
		if b := v.buffer; b != nil {
			doc, ok = 0, b.rel == m.rel && v.Docs() > 0
		}
		if ok && v.serves(doc) {
			return &location{view: i, doc: doc, unit: v.unitOf(doc, m.symbols, inside), weight: weight, nameMatch: nameMatch}
		}
	}
	return nil
}
