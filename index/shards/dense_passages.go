package shards

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"path"
	"strings"
	"unicode/utf8"

	"ploke-lsp/index/records"
	"ploke-lsp/index/vectors"
	"ploke-lsp/internal/secretscan"
	"ploke-lsp/internal/syntax"
)

const (
	// minPassage is the minimum size in bytes. A smaller symbol says no more than its
	// name, or the unit around it.
	minPassage = 100
	// maxPassage is the maximum size in bytes: many models read at most 512 tokens.
	maxPassage = 1600
	// maxPassages is the maximum number per unit. What follows is more often data than
	// code.
	maxPassages = 8
)

// passage is a piece of a text, with its position.
type passage struct {
	storedPassage
	startLine, endLine int
	start, end         int // bytes in the file
	title, text        string
}

// cutPassages cuts a text into passages. The text of a symbol starts with its doc comment,
// and ends before its first member that has a passage of its own. The text before all
// symbols belongs to the file. The passages don't depend on the folder of the file.
func cutPassages(rel string, text []byte, symbols []syntax.Symbol) (all []passage) {
	c := cutter{name: path.Join(path.Base(path.Dir(rel)), path.Base(rel)), text: text}
	file := &syntax.File{Symbols: symbols}
	region := unitExtent{ordinal: FileUnit, title: c.name, end: len(text)}
	for i, s := range symbols {
		start, end := lineStart(text, StartWithDoc(s)), lineEnd(text, s.End)
		if belongsToParentUnit(file, s) || end-start < minPassage || start < region.start {
			continue
		}
		c.cut(region, start)
		region = unitExtent{ordinal: i, title: c.name + " " + s.Canon, start: start, end: end}
	}
	c.cut(region, len(text))
	return c.all
}

type cutter struct {
	name    string
	text    []byte
	counted int // the offset up to which lines are counted
	line    int // the number of lines that end before counted
	all     []passage
}

// unitExtent is the byte range that a unit's own text lies in.
type unitExtent struct {
	ordinal    int
	title      string
	start, end int
}

// cut cuts a unit's text into passages, up to the offset next.
func (c *cutter) cut(e unitExtent, next int) {
	start, end := e.start, min(e.end, next)
	for n := 0; n < maxPassages && start < end; n++ {
		stop := c.passageEnd(start, end)
		if piece := c.text[start:stop]; len(bytes.TrimSpace(piece)) >= minPassage {
			c.add(e, start, stop)
		}
		start = stop
	}
}

// passageEnd returns the end of the passage that begins at start: the end of a line if one
// is close enough.
func (c *cutter) passageEnd(start, end int) int {
	if end-start <= maxPassage {
		return end
	}
	if cut := bytes.LastIndexByte(c.text[start:start+maxPassage], '\n'); cut > 0 {
		return start + cut + 1
	}
	stop := start + maxPassage
	for i := range utf8.UTFMax {
		if utf8.RuneStart(c.text[stop-i]) {
			return stop - i
		}
	}
	return stop
}

func (c *cutter) add(e unitExtent, start, end int) {
	c.line += bytes.Count(c.text[c.counted:start], []byte{'\n'})
	c.counted = start
	piece := c.text[start:end]
	p := passage{title: e.title, text: strings.ToValidUTF8(string(piece), "\uFFFD"), startLine: c.line + 1, start: start,
		end: end}
	p.endLine = p.startLine + bytes.Count(piece[:len(piece)-1], []byte{'\n'})
	sum := sha256.Sum256([]byte(p.title + "\n" + p.text))
	p.storedPassage = storedPassage{Ordinal: e.ordinal, bytes: len(p.title) + 1 + len(p.text),
		Key: vectors.Key(sum[:len(vectors.Key{})])}
	c.all = append(c.all, p)
}

// secretsOf returns the parts of a file's secrets in a passage.
func (p passage) secretsOf(text []byte, found []secretscan.Span) (parts []string) {
	for _, s := range found {
		if start, end := max(s.Start, p.start), min(s.End, p.end); start < end {
			parts = append(parts, strings.ToValidUTF8(string(text[start:end]), "\uFFFD"))
		}
	}
	return parts
}

func lineStart(text []byte, at int) int {
	return bytes.LastIndexByte(text[:min(at, len(text))], '\n') + 1
}

func lineEnd(text []byte, at int) int {
	at = min(at, len(text))
	if at > 0 && text[at-1] == '\n' {
		return at
	}
	if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}

// encodePassages encodes a file's passages. Each is its unit's ordinal minus FileUnit, its
// size, and its key.
func encodePassages(all []passage) []byte {
	data := []byte{} // the driver stores a nil slice as NULL
	for _, p := range all {
		data = binary.AppendUvarint(data, uint64(p.Ordinal-FileUnit))
		data = binary.AppendUvarint(data, uint64(p.bytes))
		data = append(data, p.Key[:]...)
	}
	return data
}

func decodePassages(data []byte) (all []storedPassage, ok bool) {
	const keyBytes = len(vectors.Key{})
	for at := 0; at < len(data); {
		ordinal, next := records.Uvarint(data, at)
		size, next := records.Uvarint(data, next)
		if next < 0 || len(data)-next < keyBytes {
			return nil, false
		}
		all = append(all, storedPassage{Ordinal: int(ordinal) + FileUnit, bytes: int(size),
			Key: vectors.Key(data[next : next+keyBytes])})
		at = next + keyBytes
	}
	return all, true
}
