package llm

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/repair"
)

// writtenReader reads calls that a model has written as text, one after the other, in the formats
// that models were trained on. Sources: the chat templates of Hermes, Qwen, Llama, Mistral,
// gpt-oss, GLM, Kimi, DeepSeek, MiniMax, Nemotron, Command and LFM2.
type writtenReader struct {
	rest  string // not read yet
	tools []ToolSpec
	calls []Call
}

// aroundCalls stands around calls and says nothing more.
var aroundCalls = lazyregexp.New(`^(?:\s+|</?(?:minimax:)?(?:tool_?calls?|function_?calls?|function|invoke)>|` +
	`\[/?TOOL_CALLS?\]|` +
	`<\|/?(?:tool_calls?|tool_calls?_section_begin|tool_calls?_section_end|tool_call_begin|tool_call_end|python_tag|` +
	`call|end|return|eom_id|eot_id|im_end|` +
	`tool_call_start|tool_call_end|tool_call_stop|START_ACTION|END_ACTION)\|?>|</?TOOLCALL>|functools|` +
	"</?tool_call\\|>|</s>|<｜tool▁calls?▁(?:begin|end)｜>|<｜end▁of▁sentence｜>|" +
	"[,;}]|```(?:json)?|<\\|start\\|>assistant)")

var (
	// functions with parameters, as in XML
	functionHead  = lazyregexp.New(`^<(?:function|invoke)(?:=|\s+name\s*=\s*)["']?([^\s"'<>]+)["']?\s*>`)
	functionEnd   = lazyregexp.New(`</(?:function|invoke)>|<(?:function|invoke)(?:=|\s)|</(?:minimax:)?tool_?calls?>`)
	parameterHead = lazyregexp.New(`^\s*<(?:parameter|param|arg)(?:=|\s+name\s*=\s*)["']?([^\s"'<>]+)["']?[^>]*>`)
	parameterEnd  = lazyregexp.New(`</(?:parameter|param|arg)>`)
	nextParameter = lazyregexp.New(`<(?:parameter|param|arg)(?:=|\s)`)
	keyHead       = lazyregexp.New(`^\s*<arg_key>([^<]*)</arg_key>\s*<arg_value>`)
	keyEnd        = lazyregexp.New(`</arg_value>`)
	// a recipient in a channel
	channelHead = lazyregexp.New(`^(?:to=([\w.-]+)\s*)?<\|channel\|>(?:commentary|` +
		`analysis)\s*(?:to=([\w.-]+))?\s*(?:<\|constrain\|>)?\s*\w*\s*(?:<\|message\|>)?\s*`)
	// a name before its arguments
	nameHead = lazyregexp.New(`^(?:function<｜tool▁sep｜>)?([A-Za-z_][\w.-]*)(?::\d+)?\s*(?:\[CALL_ID\]\w*)?` +
		`(?:\[ARGS\]|<\|tool_call_argument_begin\|>|<｜tool▁sep｜>)?\s*` + "(?:```(?:json)?\\s*)?")
)

// read reads calls until there is something else.
func (r *writtenReader) read() {
	for {
		marked := false
		for {
			at := aroundCalls.FindStringIndex(r.rest)
			if at == nil {
				break
			}
			marked = marked || strings.TrimSpace(r.rest[:at[1]]) != ""
			r.rest = r.rest[at[1]:]
		}
		if r.rest == "" || !r.readCall(marked) {
			return
		}
	}
}

// readCall reads the next call. It reports whether there is one.
func (r *writtenReader) readCall(marked bool) bool {
	if rest, ok := r.pythonCalls(r.rest); ok {
		return r.goOn(rest)
	}
	if r.rest[0] == '{' || r.rest[0] == '[' {
		value, rest, ok := jsonAt(r.rest)
		return ok && r.addJSON(gjson.ParseBytes(value), marked) && r.goOn(rest)
	}
	if name := r.tagged(); name != "" {
		return r.readTagged(name)
	}
	if m := functionHead.FindStringSubmatch(r.rest); m != nil {
		return r.readFunction(m[1], r.rest[len(m[0]):])
	}
	if m := channelHead.FindStringSubmatch(r.rest); m != nil && m[1]+m[2] != "" {
		return r.readNamed(m[1]+m[2], r.rest[len(m[0]):])
	}
	m := nameHead.FindStringSubmatch(r.rest)
	return m != nil && marked && r.readNamed(m[1], r.rest[len(m[0]):])
}

// goOn continues behind what was read.
func (r *writtenReader) goOn(rest string) bool {
	r.rest = rest
	return true
}

// jsonAt returns the JSON at the beginning of a text, which may be written as [repair.LooseValue]
// takes it, and what follows.
func jsonAt(text string) (value json.RawMessage, rest string, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	if d.Decode(&value) == nil {
		return value, text[d.InputOffset():], true
	}
	value, rest = repair.LooseValue(strings.TrimLeft(text, blanks))
	return value, rest, json.Valid(value)
}

// addJSON adds the calls in JSON. Without a mark only an object of a call's own keys is one.
func (r *writtenReader) addJSON(v gjson.Result, marked bool) bool {
	if list := v.Get("tool_calls"); v.IsObject() && list.IsArray() {
		v = list
	}
	if v.IsArray() {
		all := v.Array()
		return len(all) > 0 &&
			!slices.ContainsFunc(all, func(each gjson.Result) bool { return !each.IsObject() || !r.addJSON(each, marked) })
	}
	if inner := v.Get("function"); inner.IsObject() {
		v = inner
	}
	name, arguments, foreign := v.Get("name").String(), gjson.Result{}, false
	v.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "arguments", "parameters":
			arguments = value
		case "name", "id", "type":
		case "tool_name":
			name = value.String()
		case "tool_call_id":
		default:
			foreign = true
		}
		return true
	})
	if name == "" || !marked && (foreign || !arguments.Exists()) {
		return false
	}
	return r.add(name, arguments)
}

// add adds a call whose arguments are an object, text of one, or missing.
func (r *writtenReader) add(name string, arguments gjson.Result) bool {
	if arguments.Type == gjson.String {
		arguments = gjson.Parse(arguments.Str)
	}
	raw := json.RawMessage(arguments.Raw)
	if arguments.Type == gjson.Null || arguments.Raw == "" {
		raw = json.RawMessage("{}")
	}
	if !json.Valid(raw) || raw[0] != '{' {
		return false
	}
	name = withoutNamespace(name)
	for _, t := range r.tools {
		if strings.EqualFold(t.Name, name) {
			name = t.Name
		}
	}
	r.calls = append(r.calls, Call{Name: name, Arguments: raw})
	return true
}

// withoutNamespace removes what some models put before the names of tools.
func withoutNamespace(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, "functions."), "default_api.")
}

// readNamed reads the arguments behind a name.
func (r *writtenReader) readNamed(name, rest string) bool {
	if strings.HasPrefix(rest, "<arg_key>") {
		return r.readParameters(name, rest, keyHead, keyEnd, keyHead)
	}
	value, after, ok := jsonAt(rest)
	return ok && r.add(name, gjson.ParseBytes(value)) && r.goOn(strings.TrimPrefix(strings.TrimSpace(after), "```"))
}

// readFunction reads the body of a function: parameters, or JSON.
func (r *writtenReader) readFunction(name, body string) bool {
	if value, rest, ok := jsonAt(body); ok && bytes.HasPrefix(value, []byte("{")) {
		return r.add(name, gjson.ParseBytes(value)) && r.goOn(rest)
	}
	return r.readParameters(name, body, parameterHead, parameterEnd, nextParameter)
}

// readParameters reads parameters until there is something else. The tag that closes one may be missing.
func (r *writtenReader) readParameters(name, body string, head, end, next *lazyregexp.Regexp) bool {
	arguments := []byte("{")
	for {
		m := head.FindStringSubmatch(body)
		if m == nil {
			break
		}
		body = body[len(m[0]):]
		value, rest := cutParameter(body, end, next)
		arguments = r.appendParameter(arguments, name, m[1], value)
		body = rest
	}
	return r.add(name, gjson.Parse(string(append(arguments, '}')))) && r.goOn(body)
}

// cutParameter returns the value of a parameter, and what follows.
func cutParameter(body string, end, next *lazyregexp.Regexp) (value, rest string) {
	stop := len(body)
	for _, limit := range []*lazyregexp.Regexp{next, functionEnd} {
		if at := limit.FindStringIndex(body); at != nil {
			stop = min(stop, at[0])
		}
	}
	rest = body[stop:]
	if at := end.FindStringIndex(body); at != nil && (at[0] <= stop || !strings.Contains(body[stop:at[0]], "<parameter")) {
		stop, rest = at[0], body[at[1]:]
	}
	return strings.TrimSuffix(strings.TrimPrefix(strings.ReplaceAll(body[:stop], "\r\n", "\n"), "\n"), "\n"), rest
}

// appendParameter adds a parameter of a tool to an object that is not closed yet.
func (r *writtenReader) appendParameter(object []byte, tool, name, value string) []byte {
	if len(object) > 1 {
		object = append(object, ',')
	}
	object, _ = appendJSON(object, name) // a string can be encoded
	return append(append(object, ':'), r.parameter(tool, name, value)...)
}

// parameter returns the JSON of a parameter, which is text unless the tool's schema says otherwise.
func (r *writtenReader) parameter(tool, name, value string) []byte {
	for _, t := range r.tools {
		kind := gjson.GetBytes(t.Schema, "properties."+gjson.Escape(name)+".type")
		if t.Name == withoutNamespace(tool) && kind.Exists() && !strings.Contains(kind.Raw, `"string"`) &&
			json.Valid([]byte(value)) {
			return []byte(strings.TrimSpace(value))
		}
	}
	text, _ := appendJSON(nil, value) // a string can be encoded
	return text
}

// offered reports whether there are calls, of offered tools alone.
func (r *writtenReader) offered() bool {
	unknown := func(c Call) bool { return !r.offers(c.Name) }
	return len(r.calls) > 0 && !slices.ContainsFunc(r.calls, unknown)
}

// repeats reports whether all calls are among others, which a server has parsed and left in the text.
func (r *writtenReader) repeats(others []Call) bool {
	other := func(c Call) bool {
		return !slices.ContainsFunc(others,
			func(o Call) bool { return o.Name == c.Name && sameJSON(o.Arguments, c.Arguments) })
	}
	return !slices.ContainsFunc(r.calls, other)
}

func (r *writtenReader) offers(name string) bool {
	return slices.ContainsFunc(r.tools, func(t ToolSpec) bool { return t.Name == name })
}

var nameInCall = lazyregexp.New(`(?:"name"\s*:\s*"|<(?:function|invoke)(?:=|\s+name\s*=\s*)["']?|to=)([\w.-]+)`)

// namesTool reports whether a text names an offered tool as calls do.
func (r *writtenReader) namesTool(text string) bool {
	m := nameInCall.FindStringSubmatch(text)
	return m != nil && r.offers(withoutNamespace(m[1]))
}
