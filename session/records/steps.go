package records

import "math"

// Step is one response of the model within an answer: its text, in which code stands in the snippet
// format, and the calls that it made.
type Step struct {
	Text  string
	Calls []ToolCall
	// Pieces are the text with the asides of the response, in the order in which a person saw them.
	// The calls come after them.
	Pieces []Piece
}

// Piece is a piece of an answer's text, or an aside.
type Piece struct {
	Text  string
	Aside *Aside
}

// Steps returns the responses of an assistant's message, in order. Their texts put together are its
// text, and their calls are its calls. Only messages whose asides were read have them ([ReadAsides]).
func (m *Message) Steps() []Step {
	calls := map[string]ToolCall{}
	for _, c := range m.Calls {
		calls[c.ID] = c
	}
	var steps []Step
	end := 0
	asides := m.placedAsides()
	add := func(to, before int, ids []string) {
		s := Step{Text: m.Text[end:to]}
		n := 0
		for n < len(asides) && asides[n].Steps < before {
			n++
		}
		s.Pieces = piecesOf(s.Text, end, asides[:n])
		for _, id := range ids {
			if c, ok := calls[id]; ok {
				s.Calls = append(s.Calls, c)
			}
		}
		end, asides = to, asides[n:]
		if s.Text != "" || len(s.Pieces) > 0 || len(s.Calls) > 0 { // else it only has a notice for the model
			steps = append(steps, s)
		}
	}
	for i, st := range m.Responses {
		add(min(max(st.End, end), len(m.Text)), i+1, st.Calls)
	}
	if end < len(m.Text) || len(asides) > 0 {
		add(len(m.Text), math.MaxInt, nil) // also those of a response that was stored after the message was read
	}
	return steps
}

// placedAsides returns the asides with places that fit the text. Text before an aside is gone if
// its response broke off and was requested again, which the next aside says.
func (m *Message) placedAsides() []Aside {
	placed := make([]Aside, len(m.asides))
	at := len(m.Text)
	for i := len(m.asides) - 1; i >= 0; i-- {
		placed[i] = m.asides[i]
		at = min(at, placed[i].At)
		placed[i].At = at
	}
	return placed
}

// piecesOf parts a text that begins at start in the answer's text at the places of asides.
func piecesOf(text string, start int, asides []Aside) (all []Piece) {
	done := 0
	for i := range asides {
		if at := min(max(asides[i].At-start, done), len(text)); at > done {
			all = append(all, Piece{Text: text[done:at]})
			done = at
		}
		all = append(all, Piece{Aside: &asides[i]})
	}
	if done < len(text) {
		all = append(all, Piece{Text: text[done:]})
	}
	return all
}
