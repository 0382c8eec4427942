package shards

import (
	"bytes"
	"context"
	"path"
	"strings"
	"sync"

	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// Unit is a symbol, or a whole file, in the text that the workspace currently serves.
type Unit struct {
	Path      string // absolute
	Rel       string // as workspace.Rel
	Language  string
	Canon     string // of a file, its base name
	Name      string
	Kind      syntax.Kind
	Detail    string
	Signature string
	Doc       string
	Hash      string // of the unit's text
	Lines     string // the full lines of the unit if they were wanted, and read with it; otherwise empty
	Extent
}

// Extent is where a unit is in its text. Lines are 1-based and inclusive; offsets are bytes, and an end is behind
// the last one.
type Extent struct {
	StartLine, EndLine int
	StartByte, EndByte int
	NameStart, NameEnd int
}

// CurrentText is a file's current text, with what is known about its symbols.
type CurrentText struct {
	Path, Rel string
	Language  string
	Text      []byte
	Hash      string
	// parsed is set if the database's rows are about another text.
	Parsed *syntax.File
}

// CurrentTexts reads the current text of files, each once. It is safe for concurrent use.
type CurrentTexts struct {
	Reader
	WithLines bool // whether the units that are described have their lines
	mu        sync.Mutex
	Open      map[string]*CurrentText
}

// Indexed returns the current text of an indexed file, nil if it can't be read any more.
func (o *CurrentTexts) Indexed(ctx context.Context, s *Shard, row FileRow) (*CurrentText, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	path := s.Path(row.Rel)
	if src, ok := o.Open[path]; ok {
		return src, nil
	}
	f, err := o.Reader.x.ws.Read(ctx, path)
	if err != nil {
		o.Open[path] = nil
		return nil, ctx.Err()
	}
	src := o.Reader.x.newText(path, row.Language, f)
	if f.Hash != row.Hash {
		src.Language = syntax.Detect(path, f.Text)
		src.Parsed = ParseOrNothing(src.Language, f.Text)
	}
	o.Open[path] = src
	return src, nil
}

func (c *catalog) newText(path, language string, f *workspace.File) *CurrentText {
	return &CurrentText{Path: path, Rel: c.ws.Rel(path), Language: language, Text: f.Text, Hash: f.Hash}
}

// ParseOrNothing returns the symbols and references of a text; none if it can't be parsed.
func ParseOrNothing(language string, text []byte) *syntax.File {
	f, err := syntax.Parse(language, text)
	if err != nil {
		return &syntax.File{Language: language}
	}
	return f
}

// find returns the symbol that a row describes, as it is in the current text.
func (src *CurrentText) find(row syntax.Symbol) (syntax.Symbol, bool) {
	if src.Parsed == nil {
		return row, row.End <= len(src.Text)
	}
	for _, s := range src.Parsed.Symbols {
		if s.Canon == row.Canon && s.Kind == row.Kind {
			return s, true
		}
	}
	return syntax.Symbol{}, false
}

// Unit describes a symbol of the text.
func (src *CurrentText) Unit(s syntax.Symbol) Unit { return src.unitOf(s, src.Text, 0) }

// UnitOf describes a symbol. part is a part of the text that begins at offset at and
// contains the symbol and its doc comment.
func (src *CurrentText) unitOf(s syntax.Symbol, part []byte, at int) Unit {
	in := s
	for _, place := range []*int{&in.Start, &in.End, &in.BodyStart, &in.DocStart, &in.DocEnd} {
		*place = max(*place-at, 0)
	}
	return Unit{
		Path: src.Path, Rel: src.Rel, Language: src.Language, Canon: s.Canon, Name: s.Name, Kind: s.Kind, Detail: s.Detail,
		Signature: in.Signature(part), Doc: in.Doc(part), Hash: workspace.Hash(part[in.Start:in.End]),
		Extent: Extent{StartLine: s.StartLine, EndLine: s.EndLine, StartByte: s.Start, EndByte: s.End,
			NameStart: s.NameStart, NameEnd: s.NameEnd},
	}
}

// FileUnit describes the file itself.
func (src *CurrentText) fileUnit() Unit { return src.fileUnitOf(countLines(src.Text), len(src.Text)) }

func (src *CurrentText) fileUnitOf(lines, length int) Unit {
	name := path.Base(src.Rel)
	return Unit{
		Path: src.Path, Rel: src.Rel, Language: src.Language, Canon: name, Name: name, Kind: syntax.KindFile,
		Signature: src.Rel, Hash: src.Hash, Extent: Extent{StartLine: 1, EndLine: lines, EndByte: length},
	}
}

// countLines returns the number of a text's lines. An empty line after the last line break
// does not count.
func countLines(text []byte) int {
	lines := bytes.Count(text, []byte{'\n'})
	if n := len(text); n == 0 || text[n-1] != '\n' {
		lines++
	}
	return lines
}

// Line returns the line at an offset, without surrounding space.
func (src *CurrentText) Line(at int) string {
	start := bytes.LastIndexByte(src.Text[:at], '\n') + 1
	line, _, _ := bytes.Cut(src.Text[start:], []byte{'\n'})
	return strings.ToValidUTF8(string(bytes.TrimSpace(line)), "\uFFFD")
}

// File returns an indexed file with its current symbols, nil if the index has none.
func (o *CurrentTexts) File(ctx context.Context, views []*View, path string) (*CurrentText, []syntax.Symbol, error) {
	path = o.Reader.x.canonical(path)
	if b := o.Reader.x.unsavedBuffers()[path]; b != nil {
		return &b.Source, b.Source.Parsed.Symbols, nil
	}
	s := o.Reader.x.shardOf(path)
	if s == nil {
		return nil, nil, nil
	}
	v, doc, ok := DocumentAt(views, s, s.Rel(path))
	if !ok {
		return nil, nil, nil
	}
	c, err := v.Content(doc)
	if err != nil {
		return nil, nil, err
	}
	src, err := o.Indexed(ctx, s, c.Row)
	if err != nil || src == nil {
		return nil, nil, err
	}
	if src.Parsed != nil {
		return src, src.Parsed.Symbols, nil
	}
	return src, c.Symbols, nil
}

// DocumentAt returns the document of a file on disk, with its view.
func DocumentAt(views []*View, s *Shard, rel string) (v *View, doc int, ok bool) {
	for _, v := range views {
		if v.Shard == s && v.Buffer == nil {
			if doc, ok := v.DocAt(rel, v.IsLive); ok {
				return v, doc, true
			}
		}
	}
	return nil, 0, false
}
