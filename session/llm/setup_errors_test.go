package llm_test

import (
	"strings"
	"testing"

	"ploke-lsp/session/llm"
)

// TestErrorsOfTheSetupHaveTheirOwnClass has servers say, with any status, that the model is not set up for what is sent.
func TestErrorsOfTheSetupHaveTheirOwnClass(t *testing.T) {
	for class, messages := range map[llm.Class][]string{
		llm.NoTools: {
			"tools param requires --jinja flag",
			`"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set`,
			"registry.ollama.ai/library/gemma:2b does not support tools",
			"This model does not support function calling.",
			"No endpoints found that support tool use. To learn more about provider routing, visit: https://example.com",
			"`tools` are not supported by this model",
			"Tool calling is not supported with this model",
			"Unsupported parameter: 'tools' is not supported with this model.",
			"Unrecognized request argument supplied: tools",
			"create() got an unexpected keyword argument 'tools'",
			"tools: Extra inputs are not permitted",
			"Model m can't support tools.",
			"The model `m` does not support `tools`.",
			"m does not support parameters: ['tools']",
			"Value error, tools not supported",
		},
		llm.Schema: {
			"Invalid schema for function 'edit': In context=('properties', 'x'), 'additionalProperties' is required",
			"tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12",
			"Invalid JSON payload received. Unknown name \"additionalProperties\" at 'tools[0].function_declarations[0].parameters': Cannot find field.",
			"Invalid 'tools[2].function.parameters': schema must have type 'object'",
			"The schema does not match JSON schema draft 7",
			"JSON schema conversion failed: Unrecognized schema: {\"type\":[]}",
			"The provided JSON schema contains features not supported by xgrammar.",
			"failed to parse grammar",
		},
		llm.Template: {
			"System message must be at the beginning.",
			"Conversation roles must alternate user/assistant/user/assistant/...",
			"After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.",
			"messages: roles must alternate between \"user\" and \"assistant\", but found multiple \"user\" roles in a row",
			"Unexpected role 'user' after role 'tool'",
			"Unexpected message role.",
			"Only user and assistant roles are supported!",
			"System role not supported",
			"Error: raise_exception: bad",
			"Jinja Exception: bad at row 3, column 7",
			"Failed to apply chat template: 'x' is undefined",
			"Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant",
			"No user query found in messages.",
			"Only one system message is allowed",
			"This model allows at most one system message",
			`template: :3:12: executing "" at <.Foo>: can't evaluate field Foo`,
			"Invalid role order",
		},
	} {
		for _, message := range messages {
			for _, status := range []int{400, 404, 422, 500, 503} {
				e := refusalOf(t, status, saying(message))
				if e.Class != class || e.Temporary() || e.Model != "m" {
					t.Errorf("%d %s: %s, want %s", status, message, e.Class, class)
				}
				if want := "test/m: " + message; !strings.HasPrefix(e.Error(), want) || e.Hint == "" {
					t.Errorf("%q, want %q and a hint", e.Error(), want)
				}
			}
			if e := refusalOf(t, 429, saying(message)); e.Class != llm.RateLimit {
				t.Errorf("429 %s: %s", message, e.Class)
			}
		}
	}
}

// TestOtherErrorsAreNotOfTheSetup has errors that speak of tools, schemas and roles.
func TestOtherErrorsAreNotOfTheSetup(t *testing.T) {
	for message, class := range map[string]llm.Class{
		"Invalid 'tools[0].function.name': string does not match pattern.":                     llm.BadResponse,
		"This model doesn't support parallel tool calls.":                                      llm.BadResponse,
		"An assistant message with 'tool_calls' must be followed by tool messages":             llm.BadResponse,
		"Function id call_x must be 9 letters":                                                 llm.BadResponse,
		"messages.1: `tool_use` ids were found without `tool_result` blocks immediately after": llm.BadResponse,
		"maximum context length is 8192 tokens; shorten the messages or the tool descriptions": llm.ContextTooLong,
	} {
		if e := refusalOf(t, 400, saying(message)); e.Class != class {
			t.Errorf("%s: %s, want %s", message, e.Class, class)
		}
	}
	if e := refusalOf(t, 501, saying("This server does not do that")); e.Class != llm.BadResponse {
		t.Errorf("%+v", e)
	}
	if e := refusalOf(t, 500, saying("the model runner has stopped")); e.Class != llm.Overloaded || e.Model != "" {
		t.Errorf("%+v", e)
	}
}
