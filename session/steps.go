package session

// Step is one response of the model within an answer: its text, in which code stands in the snippet
// format, and the calls that it made.
type Step struct {
	Text  string
	Calls []ToolCall
}

// Steps returns the responses of an assistant's message, in order. Their texts put together are its
// text, and their calls are its calls.
func (m *Message) Steps() []Step {
	calls := map[string]ToolCall{}
	for _, c := range m.Calls {
		calls[c.ID] = c
	}
	var steps []Step
	end := 0
	for _, st := range m.steps {
		s := Step{Text: m.Text[end:min(max(st.End, end), len(m.Text))]}
		for _, id := range st.Calls {
			if c, ok := calls[id]; ok {
				s.Calls = append(s.Calls, c)
			}
		}
		end += len(s.Text)
		steps = append(steps, s)
	}
	if end < len(m.Text) {
		steps = append(steps, Step{Text: m.Text[end:]})
	}
	return steps
}
