package llm

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// tooLong reports whether an error says that the request has too many tokens for the
// model.
func tooLong(status int, code, message string) bool {
	if slices.Contains([]string{"context_length_exceeded", "request_too_large", "exceed_context_size_error", "model_context_window_exceeded"}, code) {
		return true
	}
	switch status {
	case http.StatusRequestEntityTooLarge:
		return true
	case 0, http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusInternalServerError:
		return tooLongText.MatchString(message)
	}
	return false
}

// tooLongText matches what servers say of such a request. The table of
// TestServersNameTheirWindows holds the sentences.
var tooLongText = lazyregexp.New(`(?i)context[ _](length|window|size|limit)|maximum context|` +
	`(prompt|input) (is )?too long|too many tokens|exceeds? the (model|available)|` +
	`maximum (allowed )?(prompt|input|model) length|input token count|prompt token count|input tokens exceed|` +
	`model token limit|input length should be|reduce the length of the messages|prompt exceeds max length`)

const number = `([0-9][0-9,_]*)`

// The first form that matches counts.
var (
	windowForms = patterns(
		`(?:context limit: [0-9]+ \+ [0-9]+ >|tokens >|exceeds the limit of) *`+number,
		`maximum (?:allowed )?(?:input|prompt|model) length(?: is| of)? *\(?`+number,
		`(?:context length|context size|tokens allowed|configured limit|token limit)(?: is| of|:)?(?: only)? *\(?`+number,
		number+` maximum context length`,
		`n_ctx: *`+number,
		`input length should be \[[0-9]+, *`+number,
	)
	requestForms = patterns(
		number+` (?:tokens )?(?:in the messages|in your prompt|of text input|input tokens|from the input)`,
		`(?:resulted in|too long:|contains|passed) *`+number,
		`(?:request|input) \(`+number+` tokens\)`,
		`(?:input length|token count)(?: of)? *\(?`+number,
		`prompt \(length `+number,
		`exceed context limit: *`+number,
		`n_keep: *`+number,
		`requested:?(?: about)? *`+number,
	)
)

func patterns(texts ...string) (all []*lazyregexp.Regexp) {
	for _, p := range texts {
		all = append(all, lazyregexp.New(`(?i)`+p))
	}
	return all
}

// tokensIn returns the sizes of the window and of the request that an error names, in
// tokens, 0 if it names none. llama.cpp names them in fields of the error.
func tokensIn(body []byte, message string) (window, request int) {
	var fields struct {
		Error struct {
			Window  tokenCount `json:"n_ctx"`
			Request tokenCount `json:"n_prompt_tokens"`
		}
	}
	if json.Unmarshal(body, &fields) == nil && fields.Error.Window > 0 {
		return int(fields.Error.Window), int(fields.Error.Request)
	}
	return firstNumber(message, windowForms), firstNumber(message, requestForms)
}

func firstNumber(text string, forms []*lazyregexp.Regexp) int {
	for _, form := range forms {
		if m := form.FindStringSubmatch(text); m != nil {
			n, err := strconv.Atoi(strings.NewReplacer(",", "", "_", "").Replace(m[1]))
			if err == nil && plausible(float64(n)) {
				return n
			}
		}
	}
	return 0
}
