package lexicon

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"ploke-lsp/internal/lazyregexp"
)

// shortest is the length from which a word is taken for another one with a slip of the fingers.
const shortest = 5

// Respell returns a message whose plain words are spelled as in a vocabulary, if they differ from one word of it by one
// letter. What looks like code or is quoted, and what is a word of questions itself, stays as it is.
func Respell(message string, vocabulary map[string]bool) string {
	return tokens.ReplaceAllStringFunc(message, func(token string) string {
		word := strings.TrimRight(token, "?!.,;:")
		if !plainWord.MatchString(word) || vocabulary[word] || Common[word] || Fillers[word] || Weak[word] {
			return token
		}
		if right, known := misspelled[word]; known {
			return right + token[len(word):]
		}
		return nearest(word, slip, vocabulary) + token[len(word):]
	})
}

var (
	tokens    = lazyregexp.New("`[^`]*`" + `|"[^"]*"|'[^']*'|\S+`)
	plainWord = lazyregexp.New(`^[a-z]+$`)
)

// misspelled are words that are too short, or too far off, to be found by their letters.
var misspelled = map[string]string{"wher": "where", "whre": "where", "waht": "what", "wht": "what", "hwo": "how",
	"whihc": "which", "wich": "which", "teh": "the", "si": "is", "taht": "that", "cal": "call", "cals": "calls",
	"lisence": "license", "licsense": "license", "tets": "test", "tset": "test", "buid": "build", "biuld": "build",
	"dependancies": "dependencies", "depencies": "dependencies", "shwo": "show", "fidn": "find", "wehre": "where",
	"befor": "before", "beofre": "before", "becuase": "because", "becasue": "because", "funtion": "function", "fucntion": "function",
	"fuction": "function", "funciton": "function", "recieve": "receive", "recieves": "receives", "occured": "occurred", "seperate": "separate",
	"defualt": "default", "defalut": "default", "wehn": "when", "whne": "when", "whta": "what", "hte": "the", "adn": "and", "nad": "and",
	"thier": "their", "ther": "there", "wiht": "with", "wth": "with",
	"fiel": "file", "fiels": "files", "cuold": "could", "shoud": "should",
	"shold": "should", "wuold": "would", "abuot": "about", "hapen": "happen", "happend": "happened",
	"thorws": "throws", "retuns": "returns", "retrun": "return", "excpetion": "exception", "exeption": "exception", "eror": "error",
	"erorr": "error", "calss": "class", "mehtod": "method", "varialbe": "variable",
	"paramter": "parameter", "paramters": "parameters", "arguement": "argument", "arguements": "arguments", "doesnt": "does not",
	"isnt": "is not", "thats": "that is", "existance": "existence", "implmented": "implemented", "implemeted": "implemented",
	"responsable": "responsible", "initalized": "initialized", "definately": "definitely",
	"wheter": "whether", "wether": "whether", "untill": "until", "usualy": "usually", "realy": "really", "somthing": "something"}

// nearest returns the one word of the vocabularies that is a slip away, else the word.
func nearest(word string, slip func(word, other string) bool, vocabularies ...map[string]bool) string {
	found := ""
	if len(word) < shortest {
		return word
	}
	for _, vocabulary := range vocabularies {
		for other := range vocabulary {
			if len(other) < shortest || !slip(word, other) {
				continue
			}
			if found != "" && Stem(found) != Stem(other) {
				return word
			}
			if found == "" || other < found {
				found = other
			}
		}
	}
	return cmp.Or(found, word)
}

// slip reports whether two words differ by one letter that is missing, doubled, or changed places with its neighbor, or
// in long words by one that is another.
func slip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if a == b || len(b)-len(a) > 1 || utf8.RuneCountInString(a) != len(a) {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch {
	case len(a) < len(b): // an ending makes another form, which is no slip
		return a[i:] == b[i+1:] && i < len(a)
	case i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i]:
		return a[i+2:] == b[i+2:]
	}
	return len(a) >= 7 && i > 0 && a[i+1:] == b[i+1:]
}
