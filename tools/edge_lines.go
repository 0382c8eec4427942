package tools

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/packing"
	"ploke-lsp/tools/wording"
)

// Text writes the places under their files and enclosing symbols, or what is called under the
// files that declare it.
func (r codeItemEdgesResult) Text(w *wording.Writer) {
	r.namesakes(w)
	r.by(w)
	switch {
	case len(r.Edges) == 0:
		r.nothing(w)
	case r.Direction == callees:
		r.targets(w)
	default:
		r.places(w)
	}
	if r.Unlikely > 0 {
		w.Linef("%s more with that name, hardly this symbol", wording.Plural(r.Unlikely, "place"))
	}
	if r.Instead == nil || r.Instead.Direction != occurrences { // these have them all
		w.Note(r.Others.line(w))
	}
	if r.Partial {
		w.Line("the index is still being built: places may be missing")
	}
}

// namesakes says which symbols are meant if they are several.
func (r codeItemEdgesResult) namesakes(w *wording.Writer) {
	if r.Namesakes == 0 {
		return
	}
	var names []string
	for _, s := range r.Of {
		names = append(names, fmt.Sprintf("%s %s:%d", s.Canon, w.Path(s.File), s.Line))
	}
	if r.Namesakes > len(names) {
		names = append(names, "…")
	}
	w.Linef("of %d symbols (file or canon tells them apart): %s", r.Namesakes, strings.Join(names, ", "))
}

// places writes a section for calls, one for other references, and one for what may mean a
// namesake.
func (r codeItemEdgesResult) places(w *wording.Writer) {
	list := newFoundLines(w)
	doubtful := slices.IndexFunc(r.Edges,
		func(e edgeRef) bool { return e.Confidence > 0 && e.Confidence < packing.Likely })
	if doubtful < 0 {
		doubtful = len(r.Edges)
	}
	certain := r.Edges[:doubtful]
	calls := len(certain)
	if r.Direction == references {
		calls = slices.IndexFunc(append(slices.Clone(certain), edgeRef{}),
			func(e edgeRef) bool { return e.Kind != string(syntax.RefCall) })
	}
	list.edges(certain[:calls])
	if calls < len(certain) {
		if calls > 0 {
			list.section("not calls:")
		}
		list.edges(certain[calls:])
	}
	if doubtful < len(r.Edges) {
		list.section(fmt.Sprintf("may be another %s:", lastPartOf(r.Canon)))
		list.edges(r.Edges[doubtful:])
	}
	hint := r.Hint
	if hint == "" {
		hint = "search_text in these files"
	}
	list.end(r.leftOut, "place", hint)
}

// lastPartOf returns a symbol's name without the names around it.
func lastPartOf(canon string) string {
	names := strings.Split(canon, "::")
	return syntax.Plain(names[len(names)-1])
}

// edges writes the lines of edges that are sorted by file and place.
func (l *foundLines) edges(edges []edgeRef) {
	for len(edges) > 0 {
		file := edges[0]
		n := slices.IndexFunc(edges, func(e edgeRef) bool { return e.File != file.File })
		if n < 0 {
			n = len(edges)
		}
		l.edgesOf(edges[:n])
		edges = edges[n:]
	}
}

// edgesOf writes the lines of one file, the symbol that they are in above them.
func (l *foundLines) edgesOf(edges []edgeRef) {
	around := ""
	for i, e := range edges {
		if i > 0 && edges[i-1].Line == e.Line {
			continue
		}
		text := fmt.Sprintf("%d: %s%s\n", e.Line, strings.TrimSpace(e.Text), e.through())
		if heading := e.heading(around); heading != "" {
			around = heading
			text = heading + "\n" + text
		}
		l.proposed = e.Proposed
		l.add(e.File, 1, text)
	}
}

// through returns the mark of an edge to the method of an interface.
func (e edgeRef) through() string {
	if e.Through == "" {
		return ""
	}
	return " (through " + e.Through + ")"
}

// heading returns what the edge is in, if the line alone and the heading above it don't say so.
func (e edgeRef) heading(above string) string {
	heading := "in " + e.From
	switch {
	case e.Target != nil: // it implements or overrides
		owner, _, nested := cutLast(e.Target.Canon, "::")
		if !nested || strings.Contains(e.Text, lastPartOf(owner)) {
			return ""
		}
		heading = "in " + owner
	case e.Line == e.FromLine:
		return ""
	case e.From == "" && above == "":
		return ""
	case e.From == "":
		heading = "at the top level"
	}
	if heading == above {
		return ""
	}
	return heading
}

func cutLast(s, separator string) (before, after string, found bool) {
	at := strings.LastIndex(s, separator)
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+len(separator):], true
}

// target is a symbol with the lines that name it.
type target struct {
	edgeTarget
	likely bool
	at     []int
}

// targets writes each symbol that is called or named, under the file that declares it, with the
// lines that do so.
func (r codeItemEdgesResult) targets(w *wording.Writer) {
	all := r.namedTargets()
	outside := slices.IndexFunc(all, func(t *target) bool { return t.File == "" })
	if outside < 0 {
		outside = len(all)
	}
	list := newFoundLines(w)
	list.targets(all[:outside], true)
	if slices.ContainsFunc(all[:outside], func(t *target) bool { return !t.likely }) {
		list.section("may be others of that name:")
		list.targets(all[:outside], false)
	}
	list.end(r.leftOut, "place", r.Hint)
	var names []string
	for _, t := range all[outside:] {
		names = append(names, fmt.Sprintf("%s (%s)", t.Canon, t.lines()))
	}
	if len(names) > 0 {
		w.Line("not in the workspace: " + strings.Join(names, ", "))
	}
}

// namedTargets returns the targets of the edges by file, in the order in which these are named
// first. Names without a target in the workspace come last, without a file.
func (r codeItemEdgesResult) namedTargets() (all []*target) {
	known := map[edgeTarget]*target{}
	order := map[string]int{}
	for i, e := range r.Edges {
		to := edgeTarget{Canon: e.Name}
		if e.Target != nil {
			to = *e.Target
		}
		t := known[to]
		if t == nil {
			t = &target{edgeTarget: to, likely: e.Confidence >= packing.Likely}
			known[to], all = t, append(all, t)
		}
		if _, seen := order[to.File]; !seen {
			order[to.File] = i
		}
		t.note(e.Line)
	}
	order[""] = len(r.Edges)
	slices.SortStableFunc(all, func(a, b *target) int { return order[a.File] - order[b.File] })
	return all
}

// note adds a line that names the target.
func (t *target) note(line int) {
	if !slices.Contains(t.at, line) {
		t.at = append(t.at, line)
	}
}

// lines lists the lines that name the target.
func (t *target) lines() string {
	return "at " + strings.Trim(strings.ReplaceAll(fmt.Sprint(t.at), " ", ", "), "[]")
}

// targets writes those targets that are likely, or those that are not.
func (l *foundLines) targets(targets []*target, likely bool) {
	for _, t := range targets {
		if t.likely != likely {
			continue
		}
		signature := t.Signature
		if signature == "" {
			signature = t.Canon
		}
		l.proposed = ""
		l.add(t.File, 1, fmt.Sprintf("%d: %s (%s)", t.Line, signature, t.lines()))
	}
}

// kindWords say how a symbol is referred to.
var kindWords = map[string]string{
	"call": "as a call", "type": "as a type", "inherit": "as a parent type", "import": "in an import", "use": "as a value",
}

// nothing says what there is instead of edges.
func (r codeItemEdgesResult) nothing(w *wording.Writer) {
	noun := map[direction]string{callers: "call", callees: "call", implementers: "implementer", references: "reference",
		occurrences: "occurrence", containers: "enclosing symbol"}[r.Direction]
	text := wording.Plural(0, noun)
	if r.Direction == callers || r.Direction == implementers {
		if r.Instead == nil || r.Instead.Direction != references {
			text += ", 0 references"
		}
	}
	if o := r.Instead; o != nil {
		if o.Direction == occurrences {
			text += fmt.Sprintf(", %s with that name", wording.Plural(o.Count, "other place"))
		} else {
			text += ", " + wording.Plural(o.Count, "reference")
		}
		for _, kind := range slices.Sorted(maps.Keys(o.Kinds)) {
			if text += ", "; len(o.Kinds) > 1 {
				text += fmt.Sprintf("%d ", o.Kinds[kind])
			}
			text += kindWords[kind]
		}
		text += fmt.Sprintf(": use direction %s", o.Direction)
	}
	w.Line(text)
}
