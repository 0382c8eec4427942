package setup

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"ploke-lsp/internal/lazyregexp"
)

// lines is the format of files with comments that end with the line. A block consists of whole
// lines. It is at the beginning of the file, where it can't be within anything else.
type lines struct {
	comment string             // begins a comment
	below   string             // what the lines begin with that stay above the block; "" if none do
	atEnd   bool               // the block is at the end instead
	parse   func([]byte) error // returns an error for a text that can't be understood; nil if all can
}

func (l lines) write(text []byte, client, config string) ([]byte, error) {
	rest, at, err := l.cut(text, client)
	if errors.Is(err, errNoBlock) {
		rest, at, err = text, l.place(text), l.check(text)
	}
	if err != nil {
		return nil, err
	}
	nl := newline(rest)
	block := l.comment + " " + beginOf(client) + "\n" + strings.TrimRight(config, "\n") + "\n" + l.comment + " " +
		endOf(client)
	block = strings.ReplaceAll(block, "\n", nl)
	if before := rest[:at]; len(before) > 0 && before[len(before)-1] != '\n' {
		block = nl + block // the file still ends without a line ending
	} else {
		block += nl
	}
	result := bytes.Join([][]byte{rest[:at], []byte(block), rest[at:]}, nil)
	if err := l.check(result); err != nil {
		return nil, fmt.Errorf("the block does not fit there: %w", err)
	}
	return result, nil
}

func (l lines) remove(text []byte, client string) (rest []byte, err error) {
	rest, _, err = l.cut(text, client)
	return rest, err
}

// cut returns the text without the block, and the offset where the block was.
func (l lines) cut(text []byte, client string) (rest []byte, at int, err error) {
	begin, end, err := markers(text, client)
	if err != nil {
		return nil, 0, err
	}
	from := bytes.LastIndexByte(text[:begin], '\n') + 1
	to := len(text)
	if at := bytes.IndexByte(text[end:], '\n'); at >= 0 {
		to = end + at + 1
	}
	if string(bytes.TrimSpace(text[from:begin])) != l.comment || len(bytes.TrimSpace(text[end:to])) > 0 {
		return nil, 0, errors.New("the markers around the block share their lines with other text; separate or remove them " +
			"by hand")
	}
	before := text[:from]
	if block := text[from:to]; block[len(block)-1] != '\n' { // then the line ending before it is ours
		before = bytes.TrimSuffix(before, []byte(newline(block)))
	}
	return bytes.Join([][]byte{before, text[to:]}, nil), len(before), nil
}

// place returns the offset at which a new block begins.
func (l lines) place(text []byte) int {
	if l.atEnd {
		return len(text)
	}
	at := 0
	for l.below != "" && bytes.HasPrefix(text[at:], []byte(l.below)) {
		line, _, ended := bytes.Cut(text[at:], []byte("\n"))
		switch {
		case bytes.Contains(line, []byte(startOfBlock)): // of another client
			return at
		case !ended:
			return len(text)
		}
		at += len(line) + 1
	}
	return at
}

func (l lines) check(text []byte) error {
	if l.parse == nil {
		return nil
	}
	return l.parse(text)
}

func parseTOML(text []byte) error {
	var values map[string]any
	return decodeTOML(text, &values)
}

// decodeTOML decodes a text. An error says where the text is wrong.
func decodeTOML(text []byte, values any) error {
	err := toml.Unmarshal(text, values)
	var syntax *toml.DecodeError
	if errors.As(err, &syntax) {
		line, column := syntax.Position()
		return fmt.Errorf("line %d, column %d: %w", line, column, err)
	}
	return err
}

var vim9 = lazyregexp.New(`(?m)^\s*vim9script\b`)

// refuseVim9 refuses scripts in Vim9's language, whose comments are others.
func refuseVim9(text []byte) error {
	if vim9.Match(text) {
		return errors.New("it is a Vim9 script")
	}
	return nil
}
