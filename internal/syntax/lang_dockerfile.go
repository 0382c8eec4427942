package syntax

import (
	"bytes"
	"iter"

	"ploke-lsp/internal/lazyregexp"
)

var dockerfileRules = rules{
	on: map[string]rule{
		"stage":      dockerfileStage,
		"variable":   dockerfileVariable,
		"port":       dockerfilePort,
		"image":      dockerfileImage,
		"identifier": leaf(RefUse),
	},
	placement: placement{
		comments: "comment",
		groups:   "instruction",
	},
	reading: reading{
		nodeTypes: "comment stage instruction variable port image base identifier alias_identifier",
		scan:      scanDockerfile,
	},
}

// dockerfileStage declares a stage by its alias, or else by its base image.
func dockerfileStage(b *builder, n int) {
	from := n + 1 // the instruction
	d := declaration{kind: KindSection, name: b.first(from, "alias_identifier"), body: -1, bodyAt: b.end(from)}
	base := max(b.first(from, "image"), b.first(from, "base"))
	if d.name >= 0 {
		d.detail = title(b.bytes(base))
	} else {
		d.name = base
	}
	b.declare(n, d)
}

func dockerfileVariable(b *builder, n int) {
	b.declare(n, declaration{kind: KindVariable, name: b.first(n, "identifier"), body: -1, noChildren: true})
}

func dockerfilePort(b *builder, n int) {
	b.declare(n, declaration{kind: KindProperty, name: n, body: -1, noChildren: true})
}

func dockerfileImage(b *builder, n int) {
	if image := b.intern(b.bytes(n)); image != "scratch" {
		b.referTo(image, n, RefImport)
	}
}

// dockerfile finds the instructions of a Dockerfile:
// https://docs.docker.com/reference/dockerfile.
type dockerfile struct {
	*scan
	escape    byte            // the line continuation character
	staged    bool            // whether a stage is open
	stages    map[string]bool // aliases of the stages so far
	variables map[string]bool // variables so far
	absent    map[string]bool // words that are not on a line of their own in the rest of the text
}

var dockerfileDirective = lazyregexp.New(`(?i)^#\s*(?:syntax|escape|check)\s*=`)

func scanDockerfile(s *scan) {
	d := dockerfile{scan: s, escape: '\\', stages: map[string]bool{}, variables: map[string]bool{},
		absent: map[string]bool{}}
	end := 0 // of the last instruction
	for d.line() {
		line := d.current()
		at := d.from + indentation(line)
		switch {
		case at == d.to:
		case end == 0 && dockerfileDirective.Match(line):
			if bytes.HasSuffix(line, []byte{'`'}) {
				d.escape = '`'
			}
		case s.text[at] == '#':
			d.leaf("comment", at, d.to)
		default:
			d.instruction(at, end)
			end = d.to
		}
	}
	if d.staged {
		d.close(end)
	}
}

// instruction reads the instruction that begins at start. The previous one ended at before.
func (d *dockerfile) instruction(start, before int) {
	keyword, at := d.keyword(start)
	if keyword == "ONBUILD" {
		keyword, at = d.keyword(at)
	}
	if keyword == "FROM" {
		if d.staged {
			d.close(before)
		}
		d.open("stage", start)
		d.staged = true
	}
	d.open("instruction", start)
	d.continued()
	switch end := d.to; keyword {
	case "FROM":
		d.base(at, end)
	case "ENV", "ARG":
		d.declares(keyword, at, end)
	case "EXPOSE":
		for from, to := range d.words(at, end) {
			d.leaf("port", from, to)
		}
	default:
		d.documents(d.text[at:end])
		d.references(at, d.to)
	}
	d.close(d.to)
}

// keyword returns the word at start in upper case, and the offset after it.
func (d *dockerfile) keyword(start int) (string, int) {
	line := d.text[min(start, d.to):d.to]
	line = line[indentation(line):]
	end := bytes.IndexAny(line, " \t")
	if end < 0 {
		end = len(line)
	}
	return string(bytes.ToUpper(line[:end])), d.to - len(line) + end
}

// continued moves to the last line of an instruction. Comments and empty lines may stand
// between its lines.
func (d *dockerfile) continued() {
	on := func() bool { return bytes.HasSuffix(bytes.TrimRight(d.current(), " \t"), []byte{d.escape}) }
	for more := on(); more && d.line(); {
		line := bytes.TrimSpace(d.current())
		more = len(line) == 0 || line[0] == '#' || on()
	}
}

// words returns the ranges of an instruction's words.
func (d *dockerfile) words(at, end int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for at = d.skip(at, end); at < end; at = d.skip(at, end) {
			start := at
			for quote := byte(0); at < end && (quote != 0 || !blank(d.text[at])); at++ {
				switch c := d.text[at]; {
				case c == d.escape:
					at++
				case c == quote:
					quote = 0
				case quote == 0 && (c == '"' || c == '\''):
					quote = c
				}
			}
			at = min(at, end)
			if !yield(start, at) {
				return
			}
		}
	}
}

// skip returns the offset of the next word, past blanks, line continuations, and comments on
// lines of their own.
func (d *dockerfile) skip(at, end int) int {
	fresh := false // whether only blanks precede on the line
	for ; at < end; at++ {
		switch c := d.text[at]; {
		case c == '\n':
			fresh = true
		case blank(c):
		case c == d.escape && at+1 < end && blank(d.text[at+1]):
		case c == '#' && fresh:
			if i := bytes.IndexByte(d.text[at:end], '\n'); i >= 0 {
				at += i
				continue
			}
			return end
		default:
			return at
		}
	}
	return end
}

// base reads the base image of a stage, and its alias.
func (d *dockerfile) base(at, end int) {
	named, based := false, false
	for from, to := range d.words(at, end) {
		word := d.text[from:to]
		switch {
		case bytes.HasPrefix(word, []byte("--")):
			d.references(from, to)
		case !based:
			d.source(from, to, "base")
			based = true
		case named:
			d.leaf("alias_identifier", from, to)
			d.stages[string(word)] = true
			return
		default:
			named = bytes.EqualFold(word, []byte("as"))
		}
	}
}

// source adds a reference to a stage, or else to an image.
func (d *dockerfile) source(from, to int, stage string) {
	if !d.stages[string(d.text[from:to])] {
		d.open("image", from)
		d.references(from, to)
		d.close(to)
		return
	}
	d.open(stage, from)
	d.leaf("identifier", from, to)
	d.close(to)
}

// declares adds the variables of ENV and ARG. ENV NAME value sets one without a '='.
func (d *dockerfile) declares(keyword string, at, end int) {
	for from, to := range d.words(at, end) {
		name, _, ok := bytes.Cut(d.text[from:to], []byte{'='})
		if !ok && keyword == "ENV" {
			to = end
		}
		d.open("variable", from)
		d.leaf("identifier", from, from+len(name))
		d.references(from+len(name), to)
		d.close(to)
		d.variables[string(name)] = true
		if to == end {
			return
		}
	}
}

// dockerfileReference matches a variable, and the stage or image that files are copied from.
var dockerfileReference = lazyregexp.New(`\$\{?([A-Za-z_]\w*)|--(?:from=|mount=\S*?\bfrom=)([^\s,]*[^\s,\d][^\s,]*)`)

// references adds the variables and stages that an instruction uses.
func (d *dockerfile) references(at, end int) {
	for _, m := range dockerfileReference.FindAllSubmatchIndex(d.text[at:end], -1) {
		if m[2] < 0 {
			d.source(at+m[4], at+m[5], "base")
		} else if d.variables[string(d.text[at+m[2]:at+m[3]])] {
			d.leaf("identifier", at+m[2], at+m[3])
		}
	}
}

var dockerfileDocument = lazyregexp.New(`(?:^|[^<])<<-?["']?([A-Za-z_]\w*)`)

// documents moves to the end of the here-documents of an instruction.
func (d *dockerfile) documents(instruction []byte) {
	for _, m := range dockerfileDocument.FindAllSubmatch(instruction, -1) {
		if word := string(m[1]); !d.absent[word] && !d.lineThatIs(word) {
			d.absent[word] = true
		}
	}
}

// lineThatIs moves to the next line that consists of word, and reports whether there is one.
func (d *dockerfile) lineThatIs(word string) bool {
	before := *d.scan
	for d.line() {
		if string(bytes.TrimSpace(d.current())) == word {
			return true
		}
	}
	d.from, d.to, d.next = before.from, before.to, before.next
	return false
}
