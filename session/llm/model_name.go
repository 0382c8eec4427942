package llm

import (
	"slices"
	"strings"
)

// efforts are the words for how long a model reasons before it answers, from the least on. No provider has them all:
// OpenAI's are from none to xhigh, Anthropic's from low to max, gpt-oss has low, medium and high.
var efforts = []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"}

// SplitModel takes the name of a model apart, which is PROVIDER/MODEL or PROVIDER/MODEL#EFFORT.
func SplitModel(name string) (provider, id, effort string) {
	name, effort = CutEffort(name)
	provider, id, _ = strings.Cut(name, "/")
	return provider, id, effort
}

// CutEffort takes the effort off the name of a model; "" if it has none. A # with another word behind it belongs to
// the model.
func CutEffort(name string) (model, effort string) {
	slash, at := strings.IndexByte(name, '/'), strings.LastIndexByte(name, '#')
	if slash < 0 || at <= slash+1 || !slices.Contains(efforts, name[at+1:]) {
		return name, ""
	}
	return name[:at], name[at+1:]
}

// WithEffort returns the name of a model with an effort, or without one if that is "".
func WithEffort(model, effort string) string {
	if effort == "" {
		return model
	}
	return model + "#" + effort
}
