package repair

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

const maxNameLength = 64 // bytes. Source: OpenAI's and Anthropic's APIs, ^[a-zA-Z0-9_-]{1,64}$.

var (
	// namespace matches the space in which models have seen functions in training: functions.read_file.
	namespace = lazyregexp.New(`^(?i:(?:\w* *to=)?(?:functions?|tools?|default_api|api)[./:]+)`)
	// callSuffix matches what models write behind a name: the number of the call, or parentheses.
	callSuffix  = lazyregexp.New(`(?::\d*|\(\)?)$`)
	specialMark = lazyregexp.New(`^<\|[^|>]*\|>`)
	// separator matches what stands between a server and its tool.
	separator   = lazyregexp.New(`[./:]+`)
	invalidName = lazyregexp.New(`[^a-zA-Z0-9_-]`)
)

// Name returns the name of a called function as every server takes it. A name that is in order stays as it is.
func Name(name string) string {
	for before := ""; name != before; {
		before = name
		name = strings.Trim(name, " \t\r\n\"'`")
		name = specialMark.ReplaceAllString(name, "")
		name, _, _ = strings.Cut(name, "<|")
		name = callSuffix.ReplaceAllString(namespace.ReplaceAllString(name, ""), "")
	}
	if name == "" {
		return "unknown"
	}
	name = invalidName.ReplaceAllString(separator.ReplaceAllString(name, "__"), "_")
	return name[:min(len(name), maxNameLength)]
}
