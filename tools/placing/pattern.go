package placing

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/tools/wording"
)

// groupReference matches what new may have for a group of old.
var groupReference = lazyregexp.New(`\$(?:\$|\{(\w+)\}|(\w+))`)

// placePattern finds the places of a regular expression. RE2 takes a time that is linear in the text.
func placePattern(src *SourceFile, e Request) (where Placement, err error) {
	re, err := wording.Compile(e.Old)
	if f := (*wording.Failure)(nil); errors.As(err, &f) {
		return where, wording.BadValue("old", f.Message,
			"use RE2 syntax (no look-around, no back-references); escape special characters with a backslash")
	}
	if err != nil {
		return where, err
	}
	if err := checkGroups(re, *e.New); err != nil {
		return where, err
	}
	found, texts, left := src.matches(re, *e.New)
	if len(found) == 0 && left > 0 {
		return where, allInSecrets()
	}
	if len(found) == 0 {
		return where, &wording.Failure{Message: "the regular expression in old matches nothing in " + src.Rel,
			Code: "not_found", Field: "old",
			Hint: "try it with search_text, or send old as it stands in the file without is_regexp"}
	}
	found, note, err := choice{src, e}.of(found)
	if err != nil {
		return where, err
	}
	list := make([]edits.Edit, len(found))
	for i, at := range found {
		list[i] = edits.Edit{Start: at.Start, End: at.End, New: texts[at]}
	}
	where = InFile(src, list...)
	where.Note, where.Adapted = leftInSecrets(note, left), true
	return where, nil
}

// matches returns the places of a pattern, and the new text of each. Those that have a part of a
// secret, or a group that has one, are left out and counted.
func (s *SourceFile) matches(re *regexp.Regexp, template string) (found []Span, texts map[Span]string, left int) {
	text, offset := withoutReturns(s.Text)
	texts = make(map[Span]string)
	secrets := s.secretSpans()
	for _, match := range re.FindAllSubmatchIndex(text, maxPlaces) {
		cuts := false
		for i := 0; i < len(match); i += 2 {
			cuts = cuts || match[i] >= 0 && cutsAny(Span{offset(match[i]), offset(match[i+1])}, secrets)
		}
		if cuts {
			left++
			continue
		}
		at := Span{offset(match[0]), offset(match[1])}
		found, texts[at] = append(found, at), string(re.Expand(nil, []byte(template), text, match))
	}
	return found, texts, left
}

// checkGroups checks that new refers to groups that old has. "$1x" is the group of the name 1x.
func checkGroups(re *regexp.Regexp, text string) error {
	for _, m := range groupReference.FindAllStringSubmatch(text, -1) {
		name := m[1] + m[2]
		number, err := strconv.Atoi(name)
		if m[0] == "$$" || err == nil && number <= re.NumSubexp() || slices.Contains(re.SubexpNames(), name) {
			continue
		}
		return wording.BadValue("new", fmt.Sprintf("new refers to a group %s, which old does not have", name),
			"write ${1} for a group that letters, digits or _ follow, and $$ for a dollar sign")
	}
	if re.NumSubexp() > 0 && backslashReference.MatchString(text) {
		return wording.BadValue("new", "new has a group as \\1", "write $1")
	}
	return nil
}

var backslashReference = lazyregexp.New(`\\[1-9]`)

// withoutReturns returns a text with the line ends "\n", and the function from its offsets to those of text.
func withoutReturns(text []byte) (plain []byte, offset func(int) int) {
	if !strings.Contains(string(text), "\r\n") {
		return text, func(at int) int { return at }
	}
	var offsets []int
	for i, c := range text {
		if c == '\r' && i+1 < len(text) && text[i+1] == '\n' {
			continue
		}
		plain, offsets = append(plain, c), append(offsets, i)
	}
	offsets = append(offsets, len(text))
	return plain, func(at int) int {
		if from := offsets[at]; from > 0 && from < len(text) && text[from] == '\n' && text[from-1] == '\r' {
			return from - 1
		}
		return offsets[at]
	}
}
