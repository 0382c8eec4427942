package tools_test

import (
	"strings"
	"unicode/utf8"

	"ploke-lsp/edits"
	"ploke-lsp/internal/workspace"
)

// editOf returns an edit of the item at i in some form, the expected change of the text, and a
// function that updates the file after the edit.
func (p *randomTurn) editOf(f *file, text string, i int) (args map[string]any, c change, done func()) {
	it := f.items[i]
	if f.dialect.symbols() && !f.broken && p.r.IntN(2) == 0 {
		p.counts["canonical"]++
		return p.canonical(f, text, i)
	}
	start := strings.Index(text, it.full)
	if p.r.IntN(8) == 0 {
		return p.wild(f, text, start, start+len(it.full))
	}
	old, new := it.word, p.r.word()
	word := new
	if p.r.IntN(3) == 0 && utf8.ValidString(it.text) { // several lines
		next := f.dialect.rewritten(p.r, it, false)
		word = next.word
		old, new = it.text, lay(strings.ToValidUTF8(next.text, "e"), it.indent, func() string { return "\n" })
	}
	at := start + strings.LastIndex(it.full, old)
	c = change{start: at, end: at + len(old), new: stagedFileOf(text, at, at+len(old), new)}
	done = func() {
		it.full, it.text, it.word = replaceLast(it.full, old, c.new), replaceLast(it.text, old, c.new), word
	}
	if p.r.IntN(2) == 0 && strings.Count(text, old) == 1 {
		p.counts["replace"]++
		return map[string]any{"mode": "replace", "old": old, "new": new}, c, done
	}
	p.counts["splice"]++
	return splice(text, c.start, c.end, new), c, done
}

func splice(text string, start, end int, new string) map[string]any {
	return map[string]any{"mode": "splice", "start_byte": start, "end_byte": end, "replacement": new,
		"expected_file_hash": workspace.Hash([]byte(text))}
}

// wild changes a random part of a range, which may be empty.
func (p *randomTurn) wild(f *file, text string, start, end int) (args map[string]any, c change, done func()) {
	from := start + p.r.IntN(end-start+1)
	to := from + p.r.IntN(end-from+1)
	for from > start && !utf8.RuneStart(text[min(from, len(text)-1)]) {
		from--
	}
	for to < end && !utf8.RuneStart(text[to]) {
		to++
	}
	new := pick(p.r, "", "\n", p.r.word()+"\r\n", p.r.word()+"\n\n\t"+p.r.word())
	if c = (change{start: from, end: to, new: stagedFileOf(text, from, to, new)}); text[from:to] == c.new {
		return nil, c, nil
	}
	p.counts["splice"]++
	return splice(text, from, to, new), c, func() { f.broken = true }
}

// canonical makes an edit of a symbol.
func (p *randomTurn) canonical(f *file, text string, i int) (args map[string]any, c change, done func()) {
	it := f.items[i]
	start := strings.Index(text, it.full)
	end := start + len(it.full)
	address := it.name
	if it.class != "" {
		address = it.class + "::" + it.name
	}
	args = map[string]any{"mode": "canonical", "canon": address}
	newline := func() string { return "\n" }
	if at := pick(p.r, "before", "after", "replace", "replace", "delete"); at == "delete" && it.class == "" {
		args["at"] = at
		return args, change{start: start, end: end, loose: true}, func() {}
	} else if at == "before" || at == "after" {
		args["at"] = at
		next := f.dialect.newItem(p.r, it.class)
		args["code"] = p.written(next)
		next = next.placed(newline)
		place := start
		if at == "after" {
			place = end
		}
		next.end(text, place, place)
		return args, change{start: place, end: place, new: next.full, loose: true}, func() { f.items = append(f.items, next) }
	}
	next := f.dialect.rewritten(p.r, it, p.r.IntN(2) == 0)
	args["code"] = p.written(next)
	next = next.placed(newline)
	comment := "" // that stays
	if !next.documented() {
		comment = it.full[:len(it.full)-len(it.text)]
	}
	next.end(text, start+len(comment), end)
	c = change{start: start + len(comment), end: end, new: next.full}
	next.full = comment + next.full
	return args, c, func() { *it = *next }
}

// end gives a new item the line ends that it gets in the text, in place of the bytes from start to end.
func (it *item) end(text string, start, end int) {
	it.full = stagedFileOf(text, start, end, it.full)
	for i := range it.full {
		if strings.ReplaceAll(it.full[i:], "\r\n", "\n") == it.text {
			it.text = it.full[i:]
			return
		}
	}
}

// written returns an item as a model may write it: with its indentation or without.
func (p *randomTurn) written(it *item) string {
	if p.r.IntN(2) == 0 {
		return it.full
	}
	return it.indent + lay(it.full, it.indent, func() string { return "\n" })
}

func replaceLast(text, old, new string) string {
	at := strings.LastIndex(text, old)
	return text[:at] + new + text[at+len(old):]
}

// stagedFileOf returns the new text of an edit with the line ends that it is staged with, which edits tests.
func stagedFileOf(text string, start, end int, new string) string {
	return edits.WithLineEnds([]byte(text), edits.Edit{Start: start, End: end, New: new})
}
