package commands

import (
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// expansionBytes is the maximum size of the text that a command with its arguments stands for.
const expansionBytes = 1 << 20

var placeholder = lazyregexp.New(`\$(?:ARGUMENTS|[1-9])\b`)

// expand returns the command's text with the arguments, which are the rest of a message, in the places for
// them: $ARGUMENTS is all of them as they were typed, $1 to $9 are single ones. Without such a place they follow as a
// paragraph. If only single ones have a place, further paragraphs of the message follow.
func (c Command) expand(rest string) (string, error) {
	arguments := strings.TrimSpace(rest)
	first, more, _ := strings.Cut(strings.TrimRight(rest, " \t\n"), "\n\n")
	single := splitArguments(first)
	value := func(name string) string {
		if name == "$ARGUMENTS" {
			return arguments
		}
		if n := int(name[1] - '0'); n <= len(single) {
			return single[n-1]
		}
		return ""
	}
	text, size := c.body, len(c.body)
	if !placeholder.MatchString(text) && arguments != "" {
		text, size = text+"\n\n"+arguments, size+len(arguments)
	} else {
		for _, name := range placeholder.FindAllString(text, -1) {
			size += len(value(name))
		}
		if size <= expansionBytes {
			text = placeholder.ReplaceAllStringFunc(text, value)
		}
		if more != "" && !slices.Contains(placeholder.FindAllString(c.body, -1), "$ARGUMENTS") {
			text, size = text+"\n\n"+more, size+len(more)
		}
	}
	switch {
	case size > expansionBytes:
		return "", fmt.Errorf("/%s with these arguments is longer than %d KB: shorten them, or name a file instead", c.Name,
			expansionBytes>>10)
	case strings.TrimSpace(text) == "":
		return "", fmt.Errorf("/%s needs arguments: %s", c.Name, strings.TrimSpace("/"+c.Name+" "+c.ArgumentHint))
	}
	return text, nil
}

// splitArguments splits arguments at white space, but not within double or single quotes that
// begin and end a word.
func splitArguments(arguments string) (single []string) {
	for rest := strings.TrimSpace(arguments); rest != ""; rest = strings.TrimSpace(rest) {
		word, after := cutArgument(rest)
		single, rest = append(single, word), after
	}
	return single
}

var quotedArgument = lazyregexp.New(`^(?:"([^"]*)"|'([^']*)')(?:\s|$)`)

// cutArgument cuts the first argument off.
func cutArgument(text string) (word, rest string) {
	if m := quotedArgument.FindStringSubmatch(text); m != nil {
		return m[1] + m[2], text[len(m[0]):]
	}
	end := strings.IndexAny(text, " \t\r\n")
	if end < 0 {
		return text, ""
	}
	return text[:end], text[end:]
}
