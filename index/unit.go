package index

import (
	"bytes"
	"context"
	"path"
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
	Lines     string // the full lines of the unit if they were read with it; otherwise empty

	StartLine, EndLine int
	StartByte, EndByte int
	NameStart, NameEnd int
}

// source is a file's current text, with what is known about its symbols.
type source struct {
	path, rel string
	language  string
	text      []byte
	hash      string
	// parsed is set if the database's rows are about another text.
	parsed *syntax.File
}

// sources reads the current text of files, each once. It is safe for concurrent use.
type sources struct {
	x    *Index
	mu   sync.Mutex
	open map[string]*source
}

func (x *Index) sources() *sources { return &sources{x: x, open: map[string]*source{}} }

// indexed returns the current text of an indexed file, nil if it can't be read any more.
func (o *sources) indexed(ctx context.Context, s *shard, row fileRow) (*source, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	path := s.path(row.rel)
	if src, ok := o.open[path]; ok {
		return src, nil
	}
	f, err := o.x.ws.Read(ctx, path)
	if err != nil {
		o.open[path] = nil
		return nil, ctx.Err()
	}
	src := o.x.newSource(path, row.language, f)
	if f.Hash != row.hash {
		src.language = syntax.Detect(path, f.Text)
		src.parsed = parseOrNothing(src.language, f.Text)
	}
	o.open[path] = src
	return src, nil
}

func (x *Index) newSource(path, language string, f *workspace.File) *source {
	return &source{path: path, rel: x.ws.Rel(path), language: language, text: f.Text, hash: f.Hash}
}

// parseOrNothing returns the symbols and references of a text; none if it can't be parsed.
func parseOrNothing(language string, text []byte) *syntax.File {
	f, err := syntax.Parse(language, text)
	if err != nil {
		return &syntax.File{Language: language}
	}
	return f
}

// find returns the symbol that a row describes, as it is in the current text.
func (src *source) find(row syntax.Symbol) (syntax.Symbol, bool) {
	if src.parsed == nil {
		return row, row.End <= len(src.text)
	}
	for _, s := range src.parsed.Symbols {
		if s.Canon == row.Canon && s.Kind == row.Kind {
			return s, true
		}
	}
	return syntax.Symbol{}, false
}

func (src *source) unit(s syntax.Symbol) Unit { return src.unitOf(s, src.text, 0) }

// unitOf describes a symbol. part is a part of the text that begins at offset at and
// contains the symbol and its doc comment.
func (src *source) unitOf(s syntax.Symbol, part []byte, at int) Unit {
	in := s
	for _, place := range []*int{&in.Start, &in.End, &in.BodyStart, &in.DocStart, &in.DocEnd} {
		*place = max(*place-at, 0)
	}
	return Unit{
		Path: src.path, Rel: src.rel, Language: src.language, Canon: s.Canon, Name: s.Name, Kind: s.Kind, Detail: s.Detail,
		Signature: in.Signature(part), Doc: in.Doc(part), Hash: workspace.Hash(part[in.Start:in.End]),
		StartLine: s.StartLine, EndLine: s.EndLine, StartByte: s.Start, EndByte: s.End,
		NameStart: s.NameStart, NameEnd: s.NameEnd,
	}
}

// fileUnit describes the file itself.
func (src *source) fileUnit() Unit { return src.fileUnitOf(countLines(src.text), len(src.text)) }

func (src *source) fileUnitOf(lines, length int) Unit {
	name := path.Base(src.rel)
	return Unit{
		Path: src.path, Rel: src.rel, Language: src.language, Canon: name, Name: name, Kind: syntax.KindFile,
		Signature: src.rel, Hash: src.hash, StartLine: 1, EndLine: lines, EndByte: length,
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
