package shards

import (
	"bytes"
	"strings"

	"ploke-lsp/index/postings"
	"ploke-lsp/index/records"
	"ploke-lsp/index/traits"
	"ploke-lsp/internal/syntax"
)

// FileUnit is the ordinal of the unit that stands for the whole file.
const FileUnit = -1

// parser is syntax.Parse, or the Parse method of a syntax.Document or syntax.Parser.
type parser func(language string, text []byte) (*syntax.File, error)

// analyze returns the symbols and references of a text, and adds its terms to posts as a document with
// that ID. It never fails: a text that can't be parsed is indexed as plain text.
func analyze(posts *postings.Builder, parse parser, id int64, rel string, text []byte) *syntax.File {
	f := &syntax.File{Language: syntax.Detect(rel, text)}
	if f.Language != "" {
		parsed, err := parse(f.Language, text)
		if err != nil {
			f.ProblemCount = 1
		} else {
			f = parsed
		}
	}
	u := unitAnalyzer{Builder: posts, file: f, text: text, unit: make([]int, len(f.Symbols))}
	u.open = append(u.open, extent{unit: u.Unit(FileUnit), end: len(text) + 1, body: 0})
	u.Text(0, postings.Path, rel)
	u.names()
	postings.Words(text, u.word)
	u.Finish(id, rel, uint8(traits.Of(rel, f.Language, text)))
	return f
}

// unitAnalyzer assigns each word of a file to the innermost unit around it.
type unitAnalyzer struct {
	*postings.Builder
	file *syntax.File
	text []byte
	unit []int // of each symbol, its unit
	next int   // the first symbol that has not begun yet
	open []extent
}

// extent is the byte range of a unit's words.
type extent struct {
	unit               int
	end                int
	body               int // where the signature ends
	docStart, docEnd   int
	nameStart, nameEnd int
	docField           postings.Field // of the words of the doc comment
}

// maxDocLines is how many lines a doc comment has, unless it is a document of its own.
const maxDocLines = 100

// names creates the units and adds their names. A field, and a member of an enum, belongs
// to the unit around it.
func (u *unitAnalyzer) names() {
	for i, s := range u.file.Symbols {
		if belongsToParentUnit(u.file, s) {
			u.unit[i] = u.unitOf(s.Parent)
			u.Exact(u.unit[i], postings.Body, s.Name)
			continue
		}
		unit := u.Unit(int32(i))
		u.unit[i] = unit
		u.Text(unit, postings.Name, s.Name)
		u.Exact(unit, postings.Name, s.Name)
		canon := syntax.Plain(s.Canon)
		if cut := strings.LastIndex(canon, "::"); cut > 0 {
			parent := records.LastName(canon[:cut])
			u.Text(unit, postings.Signature, canon[:cut])
			u.Exact(unit, postings.Name, parent+"::"+s.Name)
			u.Exact(unit, postings.Name, parent+"::")
		}
	}
}

// UnitOf returns the unit of a symbol, or the file's unit for -1.
func (u *unitAnalyzer) unitOf(symbol int) int {
	if symbol < 0 {
		return 0
	}
	return u.unit[symbol]
}

func belongsToParentUnit(f *syntax.File, s syntax.Symbol) bool {
	switch s.Kind {
	case syntax.KindField, syntax.KindProperty:
		return true
	case syntax.KindConstant:
		return s.Parent >= 0 && f.Symbols[s.Parent].Kind == syntax.KindEnum
	}
	return false
}

func (u *unitAnalyzer) extentOf(s syntax.Symbol, unit int) extent {
	return extent{
		unit: unit, end: s.End, body: s.BodyStart, docStart: s.DocStart, docEnd: s.DocEnd,
		nameStart: s.NameStart, nameEnd: s.NameEnd,
		docField: u.docField(s),
	}
}

func (u *unitAnalyzer) word(at int, word []byte) {
	for ; u.next < len(u.file.Symbols) && StartWithDoc(u.file.Symbols[u.next]) <= at; u.next++ {
		s := u.file.Symbols[u.next]
		if unit := u.unit[u.next]; unit != u.unitOf(s.Parent) {
			u.open = append(u.open, u.extentOf(s, unit))
		}
	}
	for u.open[len(u.open)-1].end <= at {
		u.open = u.open[:len(u.open)-1]
	}
	switch e := u.open[len(u.open)-1]; {
	case e.nameStart <= at && at < e.nameEnd: // the name is added by names
	case e.docStart <= at && at < e.docEnd:
		u.Word(e.unit, e.docField, word)
	case at < e.body:
		u.Word(e.unit, postings.Signature, word)
	default:
		u.Word(e.unit, postings.Body, word)
	}
}

// docField returns the field of the words of a symbol's doc comment. Those of a document of its own are full of what
// queries have, as prose is, and weigh as those of a body.
func (u *unitAnalyzer) docField(s syntax.Symbol) postings.Field {
	if bytes.Count(u.text[s.DocStart:s.DocEnd], []byte{'\n'}) >= maxDocLines {
		return postings.Body
	}
	return postings.Doc
}

// StartWithDoc returns the start of a symbol, or of its doc comment if that comes first.
func StartWithDoc(s syntax.Symbol) int {
	if s.DocStart < s.DocEnd {
		return min(s.Start, s.DocStart)
	}
	return s.Start
}
