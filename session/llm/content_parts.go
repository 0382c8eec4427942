package llm

import (
	"strings"

	"github.com/tidwall/gjson"
)

// textParts returns the text and the thoughts of content, which is text, a part with a type, or a list of both.
func textParts(content gjson.Result) (text, thought string) {
	switch {
	case content.IsArray():
		for _, part := range content.Array() {
			t, h := textParts(part)
			text, thought = text+t, thought+h
		}
		return text, thought
	case !content.IsObject():
		return content.String(), ""
	case isThought(content):
		return "", firstText(content, "thinking", "reasoning", "reasoning_content", "text", "content", "summary")
	}
	for _, field := range []string{"text", "content", "refusal", "output_text"} {
		if inner := content.Get(field); inner.Exists() && inner.Type != gjson.Null {
			return textParts(inner)
		}
	}
	return "", ""
}

// isThought reports whether a part of content is one of a model's thoughts.
func isThought(part gjson.Result) bool {
	kind := strings.ToLower(part.Get("type").String())
	for _, word := range []string{"think", "reason", "thought"} {
		if strings.Contains(kind, word) {
			return true
		}
	}
	return part.Get("thought").Type == gjson.True
}

// firstText returns all text in the first of the fields that has any.
func firstText(part gjson.Result, fields ...string) string {
	for _, field := range fields {
		if text, thought := textParts(part.Get(field)); text+thought != "" {
			return text + thought
		}
	}
	return ""
}
