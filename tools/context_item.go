package tools

import (
	"math"
	"slices"
	"strings"

	"ploke-lsp/internal/o200k"
	"ploke-lsp/internal/secretscan"
	"ploke-lsp/internal/syntax"
)

const (
	signatureBytes   = 160 // of a signature on a card
	docBytesShown    = 100 // of the doc comment beside a snippet
	minBodyLines     = 3   // if fewer lines of a code fit, it becomes a card
	maxBytesPerToken = 8   // code worth showing has fewer bytes per token
)

func (h *hit) id() string { return placeID(h.Path, h.StartLine, h.EndLine) }

// card returns the hit without its code.
func (h *hit) card() *contextItem {
	if h.asCard == nil {
		h.asCard = &contextItem{ID: h.id(), Canon: h.Canon, Kind: h.Kind, Signature: inLine(h.Signature, signatureBytes), Relation: h.relation, Proposed: h.proposed}
	}
	return h.asCard
}

// cardTokens returns how many tokens the hit takes as a card, without the heading of its file.
func (h *hit) cardTokens() int {
	if h.tokens == 0 {
		h.tokens = o200k.Count(h.card().line() + "\n")
	}
	return h.tokens
}

// tokensOf returns how many tokens a part of the text takes.
func (p *packer) tokensOf(write func(w *TextWriter)) int { return o200k.Count(p.textOf(write)) }

func (p *packer) textOf(write func(w *TextWriter)) string {
	w := &TextWriter{paths: p.srcs.deps.Workspace}
	write(w)
	return w.out.String()
}

// withCode returns the hit with its code, or with parts of it, and how many tokens it takes:
// at most whole tokens for all of the code, or else at most limit for parts. It returns nil if too
// little of the code fits, or if the text has just changed.
func (p *packer) withCode(h *hit, whole, limit int) (item *contextItem, tokens int, err error) {
	text := h.Lines
	if text == "" {
		if text, err = p.srcs.code(p.ctx, h.Unit); err != nil && !unavailable(err) {
			return nil, 0, err
		}
	}
	if text == "" {
		return nil, 0, nil
	}
	text = endLine(text)
	if len(text) <= whole*maxBytesPerToken {
		item = h.shown(text, true)
		if tokens = p.tokensOf(item.write); tokens <= whole {
			return item, tokens, nil
		}
	}
	return p.withWindows(h, text, limit)
}

// withWindows returns the hit with the parts of its code that match the query.
func (p *packer) withWindows(h *hit, text string, limit int) (item *contextItem, tokens int, err error) {
	lines := strings.SplitAfter(text, "\n")
	lines = lines[:len(lines)-1]
	frame := h.shown("", false)
	frame.Cut = cutNote(h.StartLine, []window{{0, len(lines)}}, h.Canon)
	lineTokens := func(i int) int { return o200k.Count(Numbered(h.StartLine+i, lines[i])) }
	windows := windowsOf(lines, p.terms, lineTokens, limit-p.tokensOf(frame.write))
	if windows, err = p.withoutPartsOfSecrets(h.Path, text, lines, windows); err != nil {
		return nil, 0, err
	}
	for len(windows) > 0 && windows[0].start == 0 {
		item = h.inWindows(lines, windows)
		if tokens = p.tokensOf(item.write); tokens <= limit {
			break
		}
		windows, item = withoutLast(windows), nil
	}
	if item == nil || shownLines(windows) < minBodyLines {
		return nil, 0, nil
	}
	return item, tokens, nil
}

// withoutPartsOfSecrets drops the windows that have a part of a secret.
func (p *packer) withoutPartsOfSecrets(path, text string, lines []string, windows []window) ([]window, error) {
	src, err := p.srcs.at(p.ctx, path)
	if err != nil {
		if unavailable(err) {
			return nil, nil
		}
		return nil, err
	}
	secrets := secretscan.OfText(src.Hash, src.Text)
	return slices.DeleteFunc(windows, func(w window) bool {
		start := len(strings.Join(lines[:w.start], ""))
		end := start + len(strings.Join(lines[w.start:w.end], ""))
		from, to := secretscan.Narrow(text, start, end, secrets)
		return from != start || to != end
	}), nil
}

func shownLines(windows []window) (n int) {
	for _, w := range windows {
		n += w.end - w.start
	}
	return n
}

// inWindows returns the item for the hit with some of its lines, which begin with the first.
func (h *hit) inWindows(lines []string, windows []window) *contextItem {
	code := func(w window) string { return strings.Join(lines[w.start:w.end], "") }
	item := h.shown(code(windows[0]), false)
	for _, w := range windows[1:] {
		item.Further = append(item.Further, Snippet(h.Path, h.StartLine+w.start, code(w)))
	}
	if missing := linesBeside(windows, len(lines)); len(missing) > 0 {
		item.Cut = cutNote(h.StartLine, missing, h.Canon)
	}
	return item
}

// shown returns the item for the hit. code is its text or the beginning of it. Without the whole
// text there is no hash, which would let the model replace lines that it has not seen.
func (h *hit) shown(code string, complete bool) *contextItem {
	item := &contextItem{ID: h.id(), Score: round(h.Score), Canon: h.Canon, Kind: h.Kind,
		Signals: map[string]float64{}, Snippet: Snippet(h.Path, h.StartLine, code), Proposed: h.proposed}
	for name, value := range h.Signals {
		item.Signals[name] = round(value)
	}
	if complete && syntax.Plain(h.Canon) != h.Canon {
		item.Hash = h.Hash
	}
	if !strings.Contains(code, h.Doc) {
		item.Doc = inLine(h.Doc, docBytesShown)
	}
	return item
}

// round rounds to two decimals.
func round(x float64) float64 { return math.Round(x*100) / 100 }
