package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/internal/syntax"
)

// tally is how many places were found, and which mistakes were made.
type tally struct {
	references, callers counts
	heirs               counts
	missing, wrong      map[string]int
	symbols             int
}

type counts struct{ both, server, index int }

func (c *counts) add(o counts) {
	c.both, c.server, c.index = c.both+o.both, c.server+o.server, c.index+o.index
}

func (c counts) String() string {
	percent := func(n int) float64 { return 100 * float64(c.both) / float64(max(n, 1)) }
	return fmt.Sprintf("recall %5.1f %% of %d, precision %5.1f %% of %d",
		percent(c.server), c.server, percent(c.index), c.index)
}

func (t *tally) add(o *tally) {
	t.symbols += o.symbols
	t.references.add(o.references)
	t.callers.add(o.callers)
	t.heirs.add(o.heirs)
	for kind, n := range o.missing {
		t.note(&t.missing, kind, n)
	}
	for kind, n := range o.wrong {
		t.note(&t.wrong, kind, n)
	}
}

func (t *tally) note(in *map[string]int, kind string, n int) {
	if *in == nil {
		*in = map[string]int{}
	}
	(*in)[kind] += n
}

func (t *tally) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "  %d symbols\n  references  %s\n  callers     %s\n", t.symbols, t.references, t.callers)
	if t.heirs != (counts{}) {
		fmt.Fprintf(&out, "  heirs       %s\n", t.heirs)
	}
	for _, of := range []struct {
		name  string
		kinds map[string]int
	}{{"missing", t.missing}, {"wrong", t.wrong}} {
		if len(of.kinds) == 0 {
			continue
		}
		fmt.Fprintf(&out, "  %-11s", of.name)
		for _, kind := range sortedKeys(of.kinds) {
			fmt.Fprintf(&out, " %s: %d;", kind, of.kinds[kind])
		}
		out.WriteString("\n")
	}
	return out.String()
}

// compare asks the index and a server for the references to a symbol. What the server can't say is left out.
func (p *project) compare(ctx context.Context, s server, of index.Unit, t *tally, list io.Writer) error {
	own := p.placeAt(of.Path, of.NameStart)
	places, err := s.references(ctx, own)
	if err != nil {
		fmt.Fprintf(list, "no answer for %s in %s: %v\n", of.Canon, of.Rel, err) // for example of another platform
		return nil
	}
	uses, err := p.index.Overlay(nil).References(ctx, of)
	if err != nil {
		return err
	}
	through, err := p.index.Overlay(nil).ThroughInterfaces(ctx, of)
	if err != nil {
		return err
	}
	uses.Edges = append(through, uses.Edges...) // one that is found in both ways counts once
	t.symbols++
	c := comparison{p, of, t, list, map[place]bool{}, map[place]bool{}, map[place]string{}}
	for _, at := range places {
		if p.known[at.path] && at != own {
			c.truth[at] = true
		}
	}
	c.foundPlaces(uses)
	for at := range c.truth {
		if !c.found[at] {
			c.missing(at)
		}
	}
	return nil
}

// comparison is what both say of one symbol.
type comparison struct {
	*project
	of           index.Unit
	tally        *tally
	list         io.Writer
	truth, found map[place]bool
	doubted      map[place]string // how the index doubts a place
}

// inheriting matches what stands before the name of a type that another one inherits from.
var inheriting = regexp.MustCompile(`(?:\b(?:extends|implements)\b[^{]*|^\s*class\s+\w+\([^)]*)$`)

// inherited reports whether a type inherits from the one at a place.
func (c *comparison) inherited(at place) bool {
	offset, t := c.offset(at), c.text(at.path)
	return offset >= 0 && inheriting.MatchString(t.content[t.starts[at.line]:offset])
}

// isCalled reports whether there are callers of the symbol.
func (c *comparison) isCalled() bool {
	return c.of.Kind == syntax.KindFunction || c.of.Kind == syntax.KindMethod
}

// foundPlaces counts what the index shows.
func (c *comparison) foundPlaces(uses index.References) {
	for _, u := range uses.Unresolved {
		c.doubted[c.placeAt(u.Path, u.Start)] = "unresolved"
	}
	least := index.LeastConfidence(uses.Edges)
	for _, e := range uses.Edges {
		at := c.placeAt(e.Path, e.StartByte)
		switch {
		case e.Confidence < least:
			c.doubted[at] = "unlikely"
			continue
		case c.found[at] || !c.known[e.Path]:
			continue
		}
		c.found[at] = true
		one := counts{index: 1}
		if c.truth[at] {
			one = counts{both: 1, server: 1, index: 1}
		} else {
			c.tally.note(&c.tally.wrong, fmt.Sprintf("%.2f", e.Confidence), 1)
			fmt.Fprintf(c.list, "wrong %.2f %s %s: %s:%d %s\n", e.Confidence, c.of.Rel, c.of.Canon, e.Rel, e.Line, e.LineText)
		}
		c.tally.references.add(one)
		if e.Kind == syntax.RefInherit {
			c.tally.heirs.add(one)
		} else if c.truth[at] && c.inherited(at) {
			c.tally.heirs.add(counts{server: 1})
		}
		switch {
		case !c.isCalled():
		case e.Kind == syntax.RefCall:
			c.tally.callers.add(one)
		case c.truth[at] && c.called(at, len(c.of.Name)):
			c.tally.callers.add(counts{server: 1})
		}
	}
}

// missing counts a place that only the server has.
func (c *comparison) missing(at place) {
	kind := cmp.Or(c.doubted[at], "elsewhere")
	if offset := c.offset(at); kind == "elsewhere" && (offset < 0 || !c.text(at.path).refs[offset]) {
		kind = "unread"
	}
	c.tally.note(&c.tally.missing, kind, 1)
	c.tally.references.add(counts{server: 1})
	if c.inherited(at) {
		c.tally.heirs.add(counts{server: 1})
	}
	if c.isCalled() && c.called(at, len(c.of.Name)) {
		c.tally.callers.add(counts{server: 1})
	}
	src := c.text(at.path)
	line, _, _ := strings.Cut(src.content[src.starts[min(at.line, len(src.starts)-1)]:], "\n")
	fmt.Fprintf(c.list, "missing %s %s %s: %s:%d %s\n", kind, c.of.Rel, c.of.Canon,
		strings.TrimPrefix(at.path, c.dir+"/"), at.line+1, strings.TrimSpace(line))
}
