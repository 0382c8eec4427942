package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

// counted is the content of a result. A program reads its JSON, a model its text.
type counted struct {
	OK    bool `json:"ok"`
	Words int  `json:"words"`
}

// Text writes the content for a model.
func (c counted) Text(w *wording.Writer) { w.Line(wording.Plural(c.Words, "word")) }

// A tool is a function with typed arguments. The number in a string is a slip that has one meaning; what the model can
// correct is a result.
func ExampleDefine() {
	type arguments struct {
		Text string `json:"text" jsonschema:"what is counted"`
		Skip int    `json:"skip,omitempty" jsonschema:"so many words"`
	}
	count := func(_ context.Context, _ tools.Env, args arguments) (tools.Result, error) {
		words := len(strings.Fields(args.Text))
		if args.Skip > words {
			return tools.Result{}, wording.BadValue("skip", "there are fewer words", "send a smaller number")
		}
		return tools.OK(counted{true, words - args.Skip}, "counted")
	}
	tool := tools.Define[counted]("count_words", "Counts words.", tools.Short, count)
	set := tools.NewSet(tool)

	for _, args := range []string{`{"text":"a b c","skip":"1"}`, `{"text":"a","skip":2}`, `{}`} {
		result, _ := tool.Run(context.Background(), nil, json.RawMessage(args))
		fmt.Println(set.Text("count_words", result.Content))
	}
	// Output:
	// 2 words
	// error: there are fewer words
	// skip: send a smaller number
	// error: text is missing
	// text: send a value of type string: what is counted
}
