package window

import (
	"slices"

	"ploke-lsp/session/records"
)

// Past is a conversation before a turn: its messages, all of which are prepared, and what else a
// turn needs to know of all of them, so that it need not look at each. A longer past may share the
// slices and the places, which are only added to: the turns of a conversation, which use them, run
// one after another.
type Past struct {
	Messages []Message
	places   map[string]int // of messages, by their ids; some may be of a longer past

	Turns      []string           // ids of the turns, in their order
	turnPlaces map[string]int     // of turns, by their ids; some may be of a longer past
	Sent       []int              // how many messages the model got for those before each message, and for all
	Telling    []int              // indices of the messages that show secrets, or whose calls have placeholders
	Ruling     []int              // indices of the messages with rules of folders
	Showing    []int              // indices of the messages that show files
	Reporting  []int              // indices of the messages that report decisions
	compacting []int              // indices of the answers with a compaction
	Cut        bool               // a result was cut
	Scales     map[string]float64 // the last scale of each model, by its name; not modified
	Proposed   string             // the proposal that was staged or amended last
}

// NewPast returns the past that consists of the messages.
func NewPast(messages []Message) Past {
	return Past{places: map[string]int{}, turnPlaces: map[string]int{}, Sent: []int{0}}.grown(messages)
}

// Extended returns the past with more messages at its end.
func (p Past) Extended(more []Message) Past { return p.grown(append(p.Messages, more...)) }

// grown returns the past with these messages, which begin with its own.
func (p Past) grown(messages []Message) Past {
	n := len(p.Messages)
	p.Messages = messages
	for i := n; i < len(p.Messages); i++ {
		m := &p.Messages[i]
		p.places[m.ID] = i
		if k := len(p.Turns); k == 0 || p.Turns[k-1] != m.RequestID {
			p.Turns = append(p.Turns, m.RequestID)
			p.turnPlaces[m.RequestID] = k
		}
		p.Sent = append(p.Sent, p.Sent[i]+len(m.Prepared.Sent))
		if m.Prepared.tells() {
			p.Telling = append(p.Telling, i)
		}
		if m.HasRules() {
			p.Ruling = append(p.Ruling, i)
		}
		if m.ShowsFiles() {
			p.Showing = append(p.Showing, i)
		}
		if len(m.Reported) > 0 {
			p.Reporting = append(p.Reporting, i)
		}
		if m.Compaction != nil {
			p.compacting = append(p.compacting, i)
		}
		p.Cut = p.Cut || m.HasCuts()
		if m.Scale > 0 && p.Scales[m.Model] != m.Scale {
			p.Scales = withScale(p.Scales, m.Model, m.Scale)
		}
		if m.Prepared.proposed != "" {
			p.Proposed = m.Prepared.proposed
		}
	}
	return p
}

// place returns the index of a message, or -1.
func (p *Past) place(id string) int {
	if i, ok := p.places[id]; ok && i < len(p.Messages) && p.Messages[i].ID == id {
		return i
	}
	return -1
}

// HasTurn reports whether a turn is one of the past.
func (p *Past) HasTurn(id string) bool {
	i, ok := p.turnPlaces[id]
	return ok && i < len(p.Turns) && p.Turns[i] == id
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
func (p *Prepared) tells() bool {
	if len(p.Secrets) > 0 || len(p.Placeholders) > 0 {
		return true
	}
	for i := range p.Sent {
		if len(p.Sent[i].Secrets) > 0 {
			return true
		}
	}
	return false
}

// LastCompaction returns the compaction that holds at the end of a past.
func (p *Past) LastCompaction() (last records.Compaction) {
	var lists [][]string
	for _, i := range slices.Backward(p.compacting) {
		c := p.Messages[i].Compaction
		if lists == nil {
			last = *c
		}
		if lists = append(lists, c.Shortened); !c.Continues {
			last.Left = c.Left
			break
		}
	}
	slices.Reverse(lists)
	last.Shortened, last.Continues = slices.Concat(lists...), false
	return last
}

// FirstSent returns the index of the first message that is sent under a compaction.
func (p *Past) FirstSent(c records.Compaction) int {
	if c.From == "" {
		return 0
	}
	if i := p.place(c.From); i >= 0 {
		return i
	}
	return len(p.Messages) // c.From is the turn's own message
}

// SetOf returns the set of ids.
func SetOf(ids []string) map[string]bool {
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// PinnedAttachments returns the last n attachments of the dropped messages.
func PinnedAttachments(left []Message, n int) (all []records.Attachment) {
	for i := len(left) - 1; i >= 0 && len(all) < n; i-- {
		all = slices.Concat(left[i].Attachments, all)
	}
	return all[max(0, len(all)-n):]
}
