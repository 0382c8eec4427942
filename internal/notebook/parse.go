package notebook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Parse parses a notebook. Its error says what is wrong with the text.
func Parse(text []byte) (*Notebook, error) {
	switch {
	case len(text) > MaxBytes:
		return nil, ErrTooLarge
	case !utf8.Valid(text):
		return nil, errors.New("it is not UTF-8")
	case !json.Valid(text):
		return nil, syntaxErrorOf(text)
	}
	top, err := members(text, whole(text))
	if err != nil {
		return nil, err
	}
	cells, ok := top["cells"]
	if !ok || text[cells.start] != '[' {
		return nil, errors.New(`it has no list of "cells": only version 4 of the format is known`)
	}
	nb := &Notebook{Text: text, list: cells.start, ascii: isASCII(text)}
	for i, at := range elements(text, cells) {
		cell, hasID, err := cellAt(text, at)
		if err != nil {
			return nil, fmt.Errorf("cell %d: %w", i+1, err)
		}
		nb.ids = nb.ids || hasID
		nb.Cells = append(nb.Cells, cell)
	}
	return nb, nil
}

// syntaxErrorOf returns the error of a text that is not JSON, with its line.
func syntaxErrorOf(text []byte) error {
	var raw json.RawMessage
	err := json.Unmarshal(text, &raw)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at := min(int(syntax.Offset), len(text))
		return fmt.Errorf("line %d is not JSON: %w", 1+bytes.Count(text[:at], []byte("\n")), err)
	}
	return err
}

// isASCII reports whether a text has no other characters, but escapes of some.
func isASCII(text []byte) (escaped bool) {
	for at := 0; at < len(text); at++ {
		switch {
		case text[at] >= utf8.RuneSelf:
			return false
		case text[at] == '\\':
			at++ // the escaped character; of \u, the digits follow
			escaped = escaped || text[at] == 'u' && (string(text[at+1:at+3]) != "00" || text[at+3] >= '8')
		}
	}
	return escaped
}

// whole returns the place of the value of a valid text.
func whole(text []byte) value {
	start := skipSpace(text, 0)
	return value{start, valueEnd(text, start)}
}

func cellAt(text []byte, at value) (cell Cell, hasID bool, err error) {
	fields, err := members(text, at)
	if err != nil {
		return cell, false, err
	}
	source, ok := fields["source"]
	if !ok {
		return cell, false, errors.New(`it has no "source"`)
	}
	kind := fields["cell_type"]
	if kind.end == 0 || json.Unmarshal(text[kind.start:kind.end], &cell.Type) != nil {
		return cell, false, errors.New(`it has no "cell_type"`)
	}
	cell.start, cell.end, cell.source = at.start, at.end, source
	if out, ok := fields["outputs"]; ok && len(elements(text, out)) > 0 {
		cell.Outputs = out.end - out.start
	}
	_, hasID = fields["id"]
	return cell, hasID, cell.decode(text)
}

// decode sets the source and the places of its bytes.
func (c *Cell) decode(text []byte) error {
	var strs []value
	switch text[c.source.start] {
	case '"':
		strs = []value{c.source}
	case '[':
		strs = elements(text, c.source)
	default:
		return errors.New(`its "source" is neither a string nor a list`)
	}
	var b strings.Builder
	for _, s := range strs {
		if text[s.start] != '"' {
			return errors.New(`its "source" has other values than strings`)
		}
		c.starts = append(c.starts, s.start+1)
		for at := s.start + 1; at < s.end-1; {
			decoded, end := character(text, at)
			for range len(decoded) {
				c.at = append(c.at, at)
			}
			b.WriteString(decoded)
			at = end
		}
	}
	if n := len(strs); n > 0 {
		c.at = append(c.at, strs[n-1].end-1)
	}
	c.Source = b.String()
	return nil
}

// character decodes the character or escape at an offset of a valid string, and returns the offset behind it.
func character(text []byte, at int) (decoded string, end int) {
	switch {
	case text[at] != '\\':
		_, size := utf8.DecodeRune(text[at:])
		return string(text[at : at+size]), at + size
	case text[at+1] != 'u':
		end = at + 2
	case at+12 <= len(text) && text[at+6] == '\\' && text[at+7] == 'u' && isSurrogatePair(text[at:at+12]):
		end = at + 12
	default:
		end = at + 6
	}
	if err := json.Unmarshal([]byte(`"`+string(text[at:end])+`"`), &decoded); err != nil {
		panic("notebook: an escape of valid JSON can't be decoded: " + err.Error())
	}
	return decoded, end
}

// isSurrogatePair reports whether two escapes are one character.
func isSurrogatePair(escapes []byte) bool {
	high, low := bytes.ToLower(escapes[2:4]), bytes.ToLower(escapes[8:10])
	return high[0] == 'd' && '8' <= high[1] && high[1] <= 'b' && low[0] == 'd' && 'c' <= low[1] && low[1] <= 'f'
}
