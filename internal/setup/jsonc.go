package setup

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonc is the format of JSON files with comments. A block is a member at the beginning of an
// object, with the comma behind it, between two comments.
type jsonc struct{}

// maxDepth is how deep brackets may be nested. The library calls itself for each one, without a bound of its own, and a
// stack that overflows ends the process.
const maxDepth = 10_000

// parseJSONC parses a text, which it keeps.
func parseJSONC(text []byte) (hujson.Value, error) {
	depth := 0 // at least as much as there is: brackets in strings and comments count
	for _, c := range text {
		switch c {
		case '[', '{':
			depth++
		case ']', '}':
			depth = max(depth-1, 0)
		}
		if depth > maxDepth {
			return hujson.Value{}, fmt.Errorf("its brackets are nested more than %d deep", maxDepth)
		}
	}
	return hujson.Parse(bytes.Clone(text))
}

// emptyObject is what an empty file becomes around a block. The space tells it from what
// people write.
const emptyObject = "{ \n}\n"

func (j jsonc) write(text []byte, client, config string) ([]byte, error) {
	rest, err := j.remove(text, client)
	switch {
	case errors.Is(err, errNoBlock):
		rest = text
	case err != nil:
		return nil, err
	}
	if len(rest) == 0 {
		rest = []byte(emptyObject)
	}
	at, member, err := j.insertion(rest, config)
	if err != nil {
		return nil, err
	}
	block := strings.Join([]string{"", "/* " + beginOf(client) + " */", member, "/* " + endOf(client) + " */"}, "\n"+at.indent)
	block = strings.ReplaceAll(block, "\n", newline(rest))
	result := bytes.Join([][]byte{rest[:at.offset], []byte(block), rest[at.offset:]}, nil)
	if _, err := parseJSONC(result); err != nil {
		return nil, fmt.Errorf("the block does not fit there: %w", err)
	}
	return result, nil
}

func (j jsonc) remove(text []byte, client string) (rest []byte, err error) {
	begin, end, err := markers(text, client)
	if err != nil {
		return nil, err
	}
	from := bytes.LastIndexByte(text[:begin], '\n')
	if from > 0 && text[from-1] == '\r' && newline(text[from+1:]) == "\r\n" {
		from--
	}
	opening, closing := bytes.TrimSpace(text[max(from, 0):begin]), bytes.TrimLeft(text[end:], " ")
	if from < 0 || string(opening) != "/*" || !bytes.HasPrefix(closing, []byte("*/")) {
		return nil, errors.New("the markers around the block are no longer comments of their own; repair or remove them by " +
			"hand")
	}
	to := len(text) - len(closing) + len("*/")
	rest = bytes.Join([][]byte{text[:from], text[to:]}, nil)
	if string(rest) == emptyObject {
		return nil, nil
	}
	if _, err := parseJSONC(rest); err != nil {
		return nil, fmt.Errorf("without the block the file would be damaged: %w; remove it by hand", err)
	}
	return rest, nil
}

// insertionPoint is where a member belongs in a text.
type insertionPoint struct {
	offset int // behind a brace
	indent string
}

// insertion returns where the configuration's member belongs, and its text: in the innermost object
// that text and configuration both have.
func (j jsonc) insertion(text []byte, config string) (at insertionPoint, member string, err error) {
	root, err := parseJSONC(text)
	if err != nil {
		return at, "", err
	}
	have, ok := root.Value.(*hujson.Object)
	if !ok {
		return at, "", errors.New("it does not hold an object")
	}
	ours, err := hujson.Parse([]byte(config))
	if err != nil {
		return at, "", err
	}
	unit := unitOf(have)
	at = insertionPoint{root.StartOffset + 1, unit}
	wanted := ours.Value.(*hujson.Object).Members[0]
	for {
		same := memberOf(have, nameOf(wanted))
		if same == nil {
			break
		}
		inner, ok := same.Value.(*hujson.Object)
		if !ok || nameOf(wanted) == "ploke" {
			return at, "", fmt.Errorf("it has %q already, which you may change by hand", nameOf(wanted))
		}
		have, wanted = inner, wanted.Value.Value.(*hujson.Object).Members[0]
		at = insertionPoint{same.StartOffset + 1, at.indent + unit}
	}
	// as deep there as in config
	member = strings.ReplaceAll(config[wanted.Name.StartOffset:wanted.Value.EndOffset], "  ", unit)
	if len(have.Members) > 0 {
		member += ","
	}
	return at, member, nil
}

func nameOf(m hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

// memberOf returns the value of a member, nil if there is none.
func memberOf(o *hujson.Object, name string) *hujson.Value {
	for i := range o.Members {
		if nameOf(o.Members[i]) == name {
			return &o.Members[i].Value
		}
	}
	return nil
}

// unitOf returns the indentation of one level: that of an object's first member.
func unitOf(o *hujson.Object) string {
	if len(o.Members) == 0 {
		return "  "
	}
	before := o.Members[0].Name.BeforeExtra
	if at := bytes.LastIndexByte(before, '\n'); at >= 0 && at+1 < len(before) && len(bytes.TrimSpace(before[at:])) == 0 {
		return string(before[at+1:])
	}
	return "  "
}
