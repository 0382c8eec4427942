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
	if slices.Contains([]string{"context_length_exceeded", "request_too_large", "exceed_context_size_error", "model_context_window_exceeded", "tokens_limit_reached"}, code) {
		return true
	}
	switch status {
	case http.StatusRequestEntityTooLarge:
		return true
	case 0, http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusInternalServerError:
		return saysTooLong(message)
	}
	return false
}

// Words of the sentences in which servers say that a request is too long. There are too many
// sentences for a list: one has a word for what is sent and one for too much of it. The table of
// TestServersNameTheirWindows holds those that are known.
var (
	sentText = lazyregexp.New(`(?i)token|prompt|\binputs?\b|input[_ -]?(length|size)|context|\bmessages?\b|conversation|` +
		`max_?seq(uence)?_?len|max_?length|model[_ ]len|sequence length`)
	muchText = lazyregexp.New(`(?i)exceed|overflow|too (long|large|big|many|much)|` +
		`(greater|longer|larger|bigger|higher|more) than|(less|fewer|smaller|shorter|lower) than|` +
		`(must|should|can|may|could)( only)? (be|have|contain) (less|fewer|smaller|shorter|at most|up to|within|<)|at most|` +
		`up to|expected max|(over|above|beyond|within|past) (the|its|your|this) (\w+ )?(limit|maximum|window)|` +
		`limit (is|of|reached)|` +
		`<=|maximum (context|prompt|input|model|sequence|allowed|number)|max(imum)? length|length should be|` +
		`context (length|limit|window|size)( is|:)|context limit|(does not|doesn't|do not|don't|not|cannot|can't) fit|` +
		`only [0-9,_]+ (tokens )?fit|\bfull\b|not enough|insufficient|> ?(max|context|the|[0-9])|reduce|shorten|truncate`)
	// Words for the length of the answer, which the request names: max_tokens alone does not make a request too long.
	answerLength = lazyregexp.New(`(?i)['"\x60]?max_?(completion_?|output_?|new_?)?tokens['"\x60]?|` +
		`(completion|output|answer|generated|generation|new|budget|thinking)[_ ]tokens`)
	// The same words about something else.
	notLength = lazyregexp.New(`(?i)(id|name|role)['"\x60]?: (string|array) too long|input should be|invalid token|` +
		`api token|access token`)
)

func saysTooLong(message string) bool {
	rest := answerLength.ReplaceAllString(message, "")
	return sentText.MatchString(rest) && muchText.MatchString(message) && !notLength.MatchString(message)
}

const number = `([0-9][0-9,_]*)`

// The first form that matches counts.
var (
	windowForms = patterns(
		`(?:context limit: [0-9]+ \+ [0-9]+ >|tokens >|exceeds the limit of) *`+number,
		`(?:exceeds? (?:the )?maximum|maximum (?:allowed )?(?:input|prompt|model|sequence)) length(?: is| of|`+
			` limit)? *\(?`+number,
		`(?:max_?seq(?:uence)?_?len|max_?(?:model_?)?len(?:gth)?|max_num_tokens|max_position_embeddings)(?: is| of|:|`+
			`=)? *\(?`+number,
		`(?:must|should|can) (?:be|have) (?:<=|less than(?: or equal to)?|at most|up to|fewer than|`+
			`smaller than)(?: the)?(?: [a-z]+)? *\(?`+number,
		`(?:context length|context size|tokens allowed|configured limit|token limit)(?: is| of|:)?(?: only)? *\(?`+number,
		number+` maximum context length`,
		`n_ctx: *`+number,
		`(?:window of|window is|window:|input length limit|cannot exceed|can't exceed|not exceed|supports? (?:only )?up to|`+
			`max size:?|limit is|limit of|at most|expected maxlength:) *\(?`+number,
		`input length should be \[[0-9]+, *`+number,
	)
	requestForms = patterns(
		number+` (?:tokens )?(?:in the messages|in your prompt|of text input|input tokens|from the input)`,
		`(?:resulted in|too long:|contains|passed) *`+number,
		`(?:request|input) \(`+number+` tokens\)`,
		`(?:prompt|input|sequence)s?[_ ](?:tokens|length|size)(?: is| of|:)? *\(?`+number,
		`token count(?: of)? *\(?`+number,
		`prompt \(length `+number,
		`exceed context limit: *`+number,
		`n_keep: *`+number,
		`requested:?(?: about)? *`+number,
		`(?:given|received|actual|got|current length is|requested tokens|token count is)(?: about|:)? *\(?`+number,
		`(?:prompt|input|message|request)s? (?:has|have|with|is) *`+number,
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
	window, request = firstNumber(message, windowForms), firstNumber(message, requestForms)
	if request == window { // the same number: it names no other
		request = 0
	}
	return window, request
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
