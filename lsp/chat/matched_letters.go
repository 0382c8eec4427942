package chat

import (
	"strings"
	"unicode"
	"unicode/utf16"
)

// matchedLetters returns where a label has the letters of a word, ignoring case: offsets in UTF-16 code units. They
// stand together if they can, and in the last name of the label if they can: that of a file behind its folders, or of a
// symbol behind those around it. It returns nil if the label does not have them in this order, and an empty list for
// an empty word.
func matchedLetters(label, word string) []int {
	wanted, letters := []rune(strings.ToLower(word)), make([]rune, 0, len(label))
	for _, r := range label {
		letters = append(letters, unicode.ToLower(r))
	}
	name := lastName(letters)
	for _, find := range []func(letters, wanted []rune, from int) []int{together, inOrder} {
		for _, from := range []int{name, 0} {
			if found := find(letters, wanted, from); found != nil {
				return inUTF16(label, found)
			}
		}
	}
	return nil
}

// lastName returns where the last name of a path or a canon begins. A folder's path ends with a slash.
func lastName(letters []rune) int {
	for i := len(letters) - 2; i >= 0; i-- {
		if letters[i] == '/' || letters[i] == ':' {
			return i + 1
		}
	}
	return 0
}

// together finds the wanted letters one behind the other.
func together(letters, wanted []rune, from int) []int {
	at := strings.Index(string(letters[from:]), string(wanted))
	if at < 0 {
		return nil
	}
	first := from + len([]rune(string(letters[from:])[:at]))
	return lettersFrom(first, len(wanted))
}

// inOrder finds the wanted letters with others between them.
func inOrder(letters, wanted []rune, from int) []int {
	found := make([]int, 0, len(wanted))
	for i := from; i < len(letters) && len(found) < len(wanted); i++ {
		if letters[i] == wanted[len(found)] {
			found = append(found, i)
		}
	}
	if len(found) < len(wanted) {
		return nil
	}
	return found
}

// lettersFrom returns the offsets of letters that follow each other.
func lettersFrom(first, count int) []int {
	list := make([]int, count)
	for i := range list {
		list[i] = first + i
	}
	return list
}

// inUTF16 converts offsets in runes to offsets in UTF-16 code units. A letter of two units has both.
func inUTF16(label string, runes []int) []int {
	units, at, next := make([]int, 0, len(runes)), 0, 0
	for i, r := range []rune(label) {
		length := utf16.RuneLen(r)
		if length < 0 {
			length = 1
		}
		if next < len(runes) && runes[next] == i {
			units = append(units, lettersFrom(at, length)...)
			next++
		}
		at += length
	}
	return units
}
