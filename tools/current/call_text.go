package current

import "strings"

// callBytes bounds the text of a call that spans lines.
const callBytes = 240

// CallText returns the line of a call, and, if its arguments end in a later one, the lines up to
// that, joined by spaces, as far as they are short. A mark is where lines are missing. The name of
// what is called is between start and end.
func (f *File) CallText(start, end int) string {
	text := f.LineText(start)
	for at, depth := f.LineEnd(end), openParentheses(f.Text[end:f.LineEnd(end)]); depth > 0 && at < len(f.Text); {
		next := at + 1
		at = f.LineEnd(next)
		line := strings.TrimSpace(f.LineText(next))
		if len(text)+len(line) >= callBytes {
			return text + " …"
		}
		if line != "" {
			text += " " + line
		}
		depth += openParentheses(f.Text[next:at])
	}
	return text
}

// openParentheses returns how many parentheses a part of a line opens more than it closes, outside of quotes.
func openParentheses(part []byte) (open int) {
	var quote byte
	for i := 0; i < len(part); i++ {
		switch c := part[i]; {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"', c == '\'', c == '`':
			quote = c
		case c == '(':
			open++
		case c == ')':
			if open--; open < 0 {
				return open
			}
		}
	}
	return open
}
