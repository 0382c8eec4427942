package shards

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"ploke-lsp/index/records"
	"ploke-lsp/internal/syntax"
)

// Selection is some of a file's symbols, as stored.
type Selection struct {
	Shard   *Shard
	Row     FileRow
	Symbols []records.SelectedSymbol
}

// SelectSymbols selects the symbols of a document that wanted accepts, up to the ordinal last.
func (v *View) SelectSymbols(doc, last int, wanted func(ordinal int, name []byte) bool) (Selection, error) {
	row, stored, err := FileOf(v.Segment, doc)
	symbols, ok := records.SelectSymbols(stored, last, wanted)
	if err == nil && !ok {
		err = row.damagedSymbols()
	}
	return Selection{v.Shard, row, symbols}, v.Shard.NoteDamage(err)
}

// DescribeAll describes the selected symbols of each file. It reads files concurrently,
// because nearly all of the time is spent in the system.
func (o *CurrentTexts) DescribeAll(ctx context.Context, files []Selection) ([]map[int]Unit, error) {
	described := make([]map[int]Unit, len(files))
	var next atomic.Int64
	describe := func() (err error) {
		for i := next.Add(1) - 1; i < int64(len(files)) && err == nil; i = next.Add(1) - 1 {
			described[i], err = o.Describe(ctx, files[i])
		}
		return err
	}
	var g errgroup.Group
	for range min(runtime.GOMAXPROCS(0), len(files)) - 1 {
		g.Go(describe)
	}
	err := describe()
	return described, errors.Join(err, g.Wait())
}

// Describe describes the selected symbols as they are in the current text, and the file,
// by ordinal. If the file's size and time are those of its row, it reads only the text of
// the symbols.
func (o *CurrentTexts) Describe(ctx context.Context, c Selection) (map[int]Unit, error) {
	f := c.Row
	text, err := c.Shard.OpenText(ctx, o.x.ws, &f)
	if err != nil {
		return nil, ctx.Err()
	}
	defer text.Close()
	unchanged, err := c.Shard.Unchanged(ctx, &f, text)
	if err != nil {
		return nil, err
	}
	if !unchanged {
		return o.describeChanged(ctx, c)
	}
	units := make(map[int]Unit, len(c.Symbols)+1)
	src := CurrentText{Path: text.Path, Rel: o.x.ws.Rel(text.Path), Language: f.Language, Hash: f.Hash}
	units[FileUnit] = src.fileUnitOf(f.Lines, text.Len())
	buf := partPool.Get().(*[]byte)
	defer partPool.Put(buf)
	for _, p := range c.Symbols {
		start, end := p.Start, p.End
		if p.DocStart < p.DocEnd {
			start, end = min(start, p.DocStart), max(end, p.DocEnd)
		}
		if start < 0 || end > text.Len() || !ordered(p.Symbol) {
			continue
		}
		start, end = max(start-unitMargin, 0), min(end+unitMargin, text.Len())
		if part, err := text.PartInto(buf, start, end); err == nil {
			u := src.unitOf(p.Symbol, part, start)
			if o.WithLines {
				u.Lines = linesOf(part, p.Start-start, u.EndLine-u.StartLine+1, start == 0, end == text.Len())
			}
			units[p.Ordinal] = u
		}
	}
	return units, nil
}

// partPool has memory for the parts that describe reads.
var partPool = sync.Pool{New: func() any { return new([]byte) }}

// unitMargin is how many more bytes are read on both sides of a symbol, to nearly always
// include its full lines.
const unitMargin = 128

// linesOf returns n lines, from the line that contains offset at of part, or "" if part
// does not contain all of them. first and last say whether part is at the start and at the
// end of the text.
func linesOf(part []byte, at, n int, first, last bool) string {
	begin := bytes.LastIndexByte(part[:at], '\n') + 1
	if begin == 0 && !first {
		return ""
	}
	end := begin
	for ; n > 0; n-- {
		rest := bytes.IndexByte(part[end:], '\n') + 1
		if rest == 0 {
			if n > 1 || !last {
				return ""
			}
			rest = len(part) - end
		}
		end += rest
	}
	return string(part[begin:end])
}

// describeChanged is describe for a text that may have changed.
func (o *CurrentTexts) describeChanged(ctx context.Context, c Selection) (map[int]Unit, error) {
	src, err := o.Indexed(ctx, c.Shard, c.Row)
	if err != nil || src == nil {
		return nil, err
	}
	return src.Units(c), nil
}

// Units describes the selected symbols as they are in the text, and the file, by ordinal.
func (src *CurrentText) Units(c Selection) map[int]Unit {
	units := map[int]Unit{FileUnit: src.fileUnit()}
	for _, p := range c.Symbols {
		if now, ok := src.find(p.Symbol); ok {
			units[p.Ordinal] = src.Unit(now)
		}
	}
	return units
}

// ordered reports whether a symbol's offsets are consistent.
func ordered(s syntax.Symbol) bool {
	return s.Start <= s.BodyStart && s.BodyStart <= s.End && s.DocStart <= s.DocEnd
}
