package session

// past is a conversation before a turn: its messages, all of which are prepared, and what else a turn needs to know of
// all of them, so that it need not look at each. A longer past may share the slices and the places, which are only added
// to: the turns of a conversation, which use them, run one after another.
type past struct {
	messages []pastMessage
	places   map[string]int // of messages, by their ids; some may be of a longer past

	turns      []string           // ids of the turns, in their order
	turnPlaces map[string]int     // of turns, by their ids; some may be of a longer past
	sent       []int              // how many messages the model got for those before each message, and for all
	telling    []int              // indices of the messages that show secrets, or whose calls have placeholders
	ruling     []int              // indices of the messages with rules of folders
	showing    []int              // indices of the messages that show files
	reporting  []int              // indices of the messages that report decisions
	compacting []int              // indices of the answers with a compaction
	cut        bool               // a result was cut
	scales     map[string]float64 // the last scale of each model, by its name; not modified
	proposed   string             // the proposal that was staged or amended last
}

// newPast returns the past that consists of the messages.
func newPast(messages []pastMessage) past {
	return past{places: map[string]int{}, turnPlaces: map[string]int{}, sent: []int{0}}.grown(messages)
}

// extended returns the past with more messages at its end.
func (p past) extended(more []pastMessage) past { return p.grown(append(p.messages, more...)) }

// grown returns the past with these messages, which begin with its own.
func (p past) grown(messages []pastMessage) past {
	n := len(p.messages)
	p.messages = messages
	for i := n; i < len(p.messages); i++ {
		m := &p.messages[i]
		p.places[m.ID] = i
		if k := len(p.turns); k == 0 || p.turns[k-1] != m.RequestID {
			p.turns = append(p.turns, m.RequestID)
			p.turnPlaces[m.RequestID] = k
		}
		p.sent = append(p.sent, p.sent[i]+len(m.prepared.sent))
		if m.prepared.tells() {
			p.telling = append(p.telling, i)
		}
		if m.HasRules() {
			p.ruling = append(p.ruling, i)
		}
		if m.ShowsFiles() {
			p.showing = append(p.showing, i)
		}
		if len(m.Reported) > 0 {
			p.reporting = append(p.reporting, i)
		}
		if m.Compaction != nil {
			p.compacting = append(p.compacting, i)
		}
		p.cut = p.cut || m.HasCuts()
		if m.Scale > 0 && p.scales[m.Model] != m.Scale {
			p.scales = withScale(p.scales, m.Model, m.Scale)
		}
		if m.prepared.proposed != "" {
			p.proposed = m.prepared.proposed
		}
	}
	return p
}

// place returns the index of a message, or -1.
func (p *past) place(id string) int {
	if i, ok := p.places[id]; ok && i < len(p.messages) && p.messages[i].ID == id {
		return i
	}
	return -1
}

// hasTurn reports whether a turn is one of the past.
func (p *past) hasTurn(id string) bool {
	i, ok := p.turnPlaces[id]
	return ok && i < len(p.turns) && p.turns[i] == id
}

// withScale returns a copy of scales with another one.
func withScale(scales map[string]float64, model string, scale float64) map[string]float64 {
	changed := map[string]float64{model: scale}
	for other, scale := range scales {
		if other != model {
			changed[other] = scale
		}
	}
	return changed
}

// tells reports whether the message makes secrets known.
func (p *preparedMessage) tells() bool {
	if len(p.secrets) > 0 || len(p.placeholders) > 0 {
		return true
	}
	for i := range p.sent {
		if len(p.sent[i].Secrets) > 0 {
			return true
		}
	}
	return false
}
