package current

import (
	"bytes"
	"context"

	"ploke-lsp/index"
	"ploke-lsp/internal/workspace"
)

// aroundCode is how many bytes are read before and after a unit, to get its complete lines.
const aroundCode = 1 << 10

// Code returns the lines of a unit that the index has just found, as the turn sees them. It
// returns "" if the text has changed since, or if the lines are too long. If the file was not
// read before, code reads only this part of it.
func (f *Files) Code(ctx context.Context, u index.Unit) (string, error) {
	if src, ok := f.read[u.Path]; ok {
		if !src.hasUnit(u) {
			return "", nil
		}
		return string(src.Lines(u.StartLine, u.EndLine)), nil
	}
	text, err := f.Workspace.Open(ctx, u.Path)
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

// firstLines returns the first n lines of text, or all of it.
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
