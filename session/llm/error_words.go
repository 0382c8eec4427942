package llm

import (
	"cmp"
	"html"
	"net/http"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/tidwall/gjson"

	"ploke-lsp/internal/lazyregexp"
)

const (
	maxPlainWords = 200 // bytes of a text that is not JSON
	maxErrorDepth = 6   // of JSON within JSON
	maxErrorItems = 8   // of a list of errors that are shown
)

// wordsOf returns what the body of an error says, on one line: "" if it says nothing to people.
// Servers use objects of many shapes, lists, plain text and pages of HTML.
func wordsOf(body []byte) string {
	text := strings.TrimPrefix(strings.TrimSpace(strings.ToValidUTF8(string(body), "\uFFFD")), byteOrderMark)
	if gjson.Valid(text) {
		return wordsIn(gjson.Parse(text), 0)
	}
	return plainWords(text)
}

// wordKeys are the keys whose values say what went wrong, in lower case and without underscores, the best first.
var wordKeys = []string{"error", "errors", "message", "msg", "detail", "errormessage", "errormsg", "statusmsg", "errordescription",
	"description", "reason", "faultstring", "fault", "errortype", "title", "baseresp", "response"}

// wordsIn returns the words of a JSON value.
func wordsIn(v gjson.Result, depth int) string {
	switch {
	case depth > maxErrorDepth:
		return ""
	case v.IsArray():
		return listWords(v.Array(), depth)
	case v.IsObject():
		return objectWords(v, depth)
	case v.Type != gjson.String:
		return ""
	// of the server behind a proxy
	case len(v.Str) > 1 && strings.ContainsRune("{[", rune(v.Str[0])) && gjson.Valid(v.Str):
		return cmp.Or(wordsIn(gjson.Parse(v.Str), depth+1), oneLine(v.Str))
	}
	return oneLine(v.Str)
}

func listWords(items []gjson.Result, depth int) string {
	var all []string
	for _, item := range items[:min(len(items), maxErrorItems)] {
		if words := wordsIn(item, depth+1); words != "" {
			all = append(all, words)
		}
	}
	return strings.Join(all, "; ")
}

// objectWords returns the words of an object: those of the first of the [wordKeys] that has more
// than a label, and where the server says the fault is.
func objectWords(object gjson.Result, depth int) string {
	values := make([]gjson.Result, len(wordKeys))
	object.ForEach(func(key, value gjson.Result) bool {
		if i := slices.Index(wordKeys, plainKey(key.Str)); i >= 0 {
			values[i] = value
		}
		return true
	})
	best := ""
	for _, v := range values {
		words := wordsIn(v, depth+1)
		if best == "" || isLabel(best) && words != "" && !isLabel(words) {
			best = words
		}
	}
	return withUpstream(withPlace(withTitle(best, object), object), object, depth)
}

func plainKey(key string) string { return strings.ToLower(strings.ReplaceAll(key, "_", "")) }

// isLabel reports whether words name a kind of error and say nothing of this one.
func isLabel(words string) bool {
	return !strings.Contains(words, " ") || statusTexts()[strings.ToLower(words)]
}

var statusTexts = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for status := http.StatusBadRequest; status < 600; status++ {
		all[strings.ToLower(http.StatusText(status))] = true
	}
	return all
})

// withTitle adds the title of a problem. Source: RFC 9457, section 3.1.
func withTitle(words string, problem gjson.Result) string {
	title := oneLine(problem.Get("title").Str)
	if title == "" || words == "" || words == title || !problem.Get("detail").Exists() {
		return words
	}
	return title + ": " + words
}

// withPlace adds the parameter that the words are about, unless they name it.
func withPlace(words string, object gjson.Result) string {
	place := object.Get("param").Str
	if loc := object.Get("loc"); loc.IsArray() { // pydantic's
		place = locationOf(loc.Array())
	}
	if words == "" || place == "" || len(place) > maxPlainWords || strings.Contains(words, place) {
		return words
	}
	return oneLine(place) + ": " + words
}

func locationOf(loc []gjson.Result) string {
	var parts []string
	for i, part := range loc {
		if i > 0 || part.Str != "body" {
			parts = append(parts, part.String())
		}
	}
	return strings.Join(parts, ".")
}

// withUpstream adds the words of the server behind OpenRouter, whose own say only that there was an error.
func withUpstream(words string, object gjson.Result, depth int) string {
	upstream := wordsIn(object.Get("metadata.raw"), depth+1)
	if upstream == "" || strings.Contains(words, upstream) {
		return words
	}
	return strings.TrimPrefix(words+": "+upstream, ": ")
}

var (
	hiddenMarkup = lazyregexp.New(`(?is)<(script|style|head)\b.*?(</(script|style|head)\s*>|$)|<!--.*?(-->|$)`)
	titleMarkup  = lazyregexp.New(`(?is)<title[^>]*>(.*?)</title`)
	markup       = lazyregexp.New(`(?s)</?[a-zA-Z!][^<>]*>`)
)

// plainWords returns the beginning of a text or of what a page of HTML shows. It ends between two
// words, so that no part of a key is left that would not be recognized.
func plainWords(text string) string {
	if isPage(text) {
		title := titleMarkup.FindStringSubmatch(text)
		text = html.UnescapeString(markup.ReplaceAllString(hiddenMarkup.ReplaceAllString(text, " "), " "))
		if strings.TrimSpace(text) == "" && title != nil {
			text = html.UnescapeString(title[1])
		}
	}
	text = oneLine(text)
	if len(text) <= maxPlainWords {
		return text
	}
	end := strings.LastIndexByte(text[:maxPlainWords], ' ')
	if end < 0 {
		return "" // not made for people
	}
	return text[:end] + "…"
}

func isPage(text string) bool { return strings.HasPrefix(text, "<") && markup.MatchString(text) }

// oneLine returns a text without line breaks and other control characters.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}
