package notebook

import (
	"encoding/json"
	"fmt"
)

// The functions of this file find values in valid JSON, which need not be checked again.

func skipSpace(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r') {
		at++
	}
	return at
}

// valueEnd returns the end of the value that begins at an offset.
func valueEnd(text []byte, at int) int {
	switch text[at] {
	case '"':
		for at++; text[at] != '"'; at++ {
			if text[at] == '\\' {
				at++
			}
		}
		return at + 1
	case '{', '[':
		depth := 0
		for {
			switch text[at] {
			case '"':
				at = valueEnd(text, at)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return at + 1
				}
			}
			at++
		}
	}
	for at < len(text) && text[at] != ',' && text[at] != ']' && text[at] != '}' && skipSpace(text, at) == at {
		at++
	}
	return at
}

// elements returns the values of a list, none of another value.
func elements(text []byte, list value) (all []value) {
	if text[list.start] != '[' {
		return nil
	}
	for at := skipSpace(text, list.start+1); text[at] != ']'; at = skipSpace(text, at) {
		if text[at] == ',' {
			at = skipSpace(text, at+1)
		}
		end := valueEnd(text, at)
		all = append(all, value{at, end})
		at = end
	}
	return all
}

// members returns the values of an object by their keys. A key that is there twice is an error.
func members(text []byte, object value) (map[string]value, error) {
	if text[object.start] != '{' {
		return nil, fmt.Errorf("no object: %.20s", text[object.start:object.end])
	}
	all := map[string]value{}
	for at := skipSpace(text, object.start+1); text[at] != '}'; at = skipSpace(text, at) {
		if text[at] == ',' {
			at = skipSpace(text, at+1)
		}
		end := valueEnd(text, at)
		var key string
		if err := json.Unmarshal(text[at:end], &key); err != nil {
			return nil, err
		}
		if _, twice := all[key]; twice {
			return nil, fmt.Errorf("the key %q is there twice", key)
		}
		at = skipSpace(text, skipSpace(text, end)+1) // behind the colon
		end = valueEnd(text, at)
		all[key] = value{at, end}
		at = end
	}
	return all, nil
}
