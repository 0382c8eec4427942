package llm

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"ploke-lsp/internal/lazyregexp"
)

// anthropicAnswerTokens bounds an answer if the model's limit is unknown. The API
// requires a number, and all its models since 2024 accept this one.
const anthropicAnswerTokens = 8192

func anthropicParams(req *Request) anthropic.MessageNewParams {
	params := anthropic.MessageNewParams{
		Model:        anthropic.Model(req.Model),
		MaxTokens:    anthropicAnswerTokens,
		CacheControl: anthropic.NewCacheControlEphemeralParam(),
	}
	if req.MaxTokens > 0 {
		params.MaxTokens = int64(req.MaxTokens)
	}
	if req.Reasoning {
		params.Thinking.OfAdaptive = &anthropic.ThinkingConfigAdaptiveParam{Display: anthropic.ThinkingConfigAdaptiveDisplaySummarized}
	}
	messages := req.Messages
	if len(messages) > 0 && messages[0].Role == System {
		params.System = []anthropic.TextBlockParam{{Text: messages[0].Text, CacheControl: anthropic.NewCacheControlEphemeralParam()}}
		messages = messages[1:]
	}
	params.Messages = anthropicMessages(messages)
	for _, t := range req.Tools {
		params.Tools = append(params.Tools, anthropicTool(t))
	}
	if req.SerialTools && len(req.Tools) > 0 {
		params.ToolChoice.OfAuto = &anthropic.ToolChoiceAutoParam{DisableParallelToolUse: anthropic.Bool(true)}
	}
	return params
}

// anthropicMessages joins the messages between two of the model's into one user
// message, since the API has only two roles. Results come first in the order of the
// calls, as the API requires. A system message becomes marked text.
func anthropicMessages(messages []Message) []anthropic.MessageParam {
	var out []anthropic.MessageParam
	for _, m := range messages {
		role, blocks := anthropic.MessageParamRoleUser, userBlocks(m)
		if m.Role == Assistant {
			role, blocks = anthropic.MessageParamRoleAssistant, assistantBlocks(m)
		}
		if len(blocks) == 0 { // the API rejects empty text
			continue
		}
		if n := len(out); n > 0 && out[n-1].Role == role {
			out[n-1].Content = append(out[n-1].Content, blocks...)
			continue
		}
		out = append(out, anthropic.MessageParam{Role: role, Content: blocks})
	}
	return out
}

func userBlocks(m Message) []anthropic.ContentBlockParamUnion {
	switch {
	case m.Role == Tool:
		return []anthropic.ContentBlockParamUnion{anthropic.NewToolResultBlock(anthropicID(m.CallID), m.Text, false)}
	case strings.TrimSpace(m.Text) == "":
		return nil
	case m.Role == System:
		return []anthropic.ContentBlockParamUnion{anthropic.NewTextBlock("<system-notice>\n" + m.Text + "\n</system-notice>")}
	default:
		return []anthropic.ContentBlockParamUnion{anthropic.NewTextBlock(m.Text)}
	}
}

func assistantBlocks(m Message) []anthropic.ContentBlockParamUnion {
	var blocks []anthropic.ContentBlockParamUnion
	for _, block := range opaqueOf(m.Opaque).Anthropic {
		blocks = append(blocks, param.Override[anthropic.ContentBlockParamUnion](block))
	}
	if strings.TrimSpace(m.Text) != "" {
		blocks = append(blocks, anthropic.NewTextBlock(m.Text))
	}
	for _, c := range m.Calls {
		blocks = append(blocks, anthropic.NewToolUseBlock(anthropicID(c.ID), objectOf(c.Arguments), c.Name))
	}
	return blocks
}

// invalidIDChars matches characters that the API rejects in ids; other providers' ids
// may contain them.
var invalidIDChars = lazyregexp.New(`[^a-zA-Z0-9_-]`)

func anthropicID(id string) string { return invalidIDChars.ReplaceAllString(id, "_") }

// objectOf returns a call's arguments for an API that accepts only an object. Other
// arguments are shown to the model as text within an object.
func objectOf(args json.RawMessage) json.RawMessage {
	if json.Valid(args) && bytes.HasPrefix(bytes.TrimLeft(args, " \t\r\n"), []byte("{")) {
		return args
	}
	b, err := json.Marshal(map[string]string{"invalid_arguments": string(args)})
	if err != nil {
		panic(err) // a map of strings
	}
	return b
}

func anthropicTool(t ToolSpec) anthropic.ToolUnionParam {
	return anthropic.ToolUnionParam{OfTool: &anthropic.ToolParam{
		Name:        t.Name,
		Description: anthropic.String(t.Description),
		InputSchema: param.Override[anthropic.ToolInputSchemaParam](t.Schema),
	}}
}
