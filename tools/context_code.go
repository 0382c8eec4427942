package tools

import (
	"bytes"
	"context"

	"ploke-lsp/index"
	"ploke-lsp/internal/workspace"
)

// aroundCode is how many bytes more than a unit are read to get all of its lines.
const aroundCode = 1 << 10

// code is the lines of a unit that the index has just found, as the turn sees them. It is
// empty where they read otherwise by now, or are so long that nobody wrote them. Of a file
// that was not read before, it reads no more than that.
func (s *sources) code(ctx context.Context, u index.Unit) (string, error) {
	if src, ok := s.read[u.Path]; ok {
		if !src.hasUnit(u) {
			return "", nil
		}
		return string(src.lines(u.StartLine, u.EndLine)), nil
	}
	text, err := s.deps.Workspace.Open(ctx, u.Path)
	if err != nil {
		return "", err
	}
	defer text.Close()
	if u.EndByte > text.Len() {
		return "", nil
	}
	from, to := max(u.StartByte-aroundCode, 0), min(u.EndByte+aroundCode, text.Len())
	part, err := text.Part(from, to)
	start, end := u.StartByte-from, u.EndByte-from
	if err != nil || workspace.Hash(part[start:end]) != u.Hash {
		return "", err
	}
	line := bytes.LastIndexByte(part[:start], '\n') + 1
	code := firstLines(part[line:], u.EndLine-u.StartLine+1)
	if line == 0 && from > 0 || line+len(code) == len(part) && to < text.Len() && !bytes.HasSuffix(code, []byte("\n")) {
		return "", nil
	}
	return string(code), nil
}

// firstLines is a text up to the end of its line n, or all of it.
func firstLines(text []byte, n int) []byte {
	end := 0
	for ; n > 0; n-- {
		next := bytes.IndexByte(text[end:], '\n')
		if next < 0 {
			return text
		}
		end += next + 1
	}
	return text[:end]
}
