package tools

import (
	"context"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/packing"
	"ploke-lsp/tools/wording"
)

// autoLayout is the layout of what comes with a message: the code of the symbols that the message
// names, and places. Each request of the turn sends it. Played tasks used a fifth of the code that
// only fitted the words, and of 45 changes in bench/retrieval -packed, 400 tokens of places name
// 60 % with four symbols of a file, 51 % with two, and 50 % with code.
var autoLayout = packing.Layout{Code: 0.8, Related: 0.05, Named: true, Short: 3, FileCards: 4, Whole: 400}

// Question is a person's message that code is looked up for before a model answers it.
type Question struct {
	Text    string
	Earlier func() []string // returns the person's earlier messages of the conversation, newest first
	Sent    func() []string // returns what the model has read of the conversation; its code is not shown again
}

const (
	// autoFloor is the share of the best result's score below which code is not sent by itself.
	autoFloor = 0.4
	// topicMessages and topicBytes bound what the search takes from earlier messages.
	topicMessages = 2
	topicBytes    = 300
	// followUpWords is how many words a follow-up must add to what was named before, unless it
	// names a symbol or a place.
	followUpWords = 2
)

// AutoContext returns the code of the symbols that a message names exactly, and the places that it
// may be about, in the form that a model reads: at most budget tokens, and the secrets in it. The
// text is empty if the message names nothing in the code, or, as a follow-up, nothing that was not
// named before, or if probably nothing fits.
func (d Deps) AutoContext(ctx context.Context, turn Call, q Question,
	budget int) (text string, secrets []string, err error) {
	ctx, read := current.WithReadings(ctx)
	if named, err := d.namesMore(ctx, q); err != nil || !named || budget <= 0 {
		return "", nil, err
	}
	found, err := d.findContext(ctx, automatic{turn}, contextQuery{text: q.withTopic(), message: q.Text,
		names: index.NamesIn(q.Text), budget: budget,
		layout: autoLayout, floor: autoFloor, sent: q.Sent(), flow: packing.Asks(q.Text)})
	if err != nil || len(found.Results) == 0 || found.Doubt != "" {
		return "", nil, err
	}
	found.Omitted = 0 // the model has not asked for them
	w := &wording.Writer{Paths: d.Workspace}
	found.Text(w)
	text = w.String()
	return text, read.In([]byte(wording.JSON(text))), nil
}

// namesMore reports whether a message names something in the code that earlier ones don't.
func (d Deps) namesMore(ctx context.Context, q Question) (bool, error) {
	named, err := d.Index.Subject(ctx, index.Query{Text: q.Text, Editor: d.Editor(ctx)})
	if err != nil || len(named.Names)+len(named.Words) == 0 {
		return false, err
	}
	earlier, err := d.Index.Subject(ctx, index.Query{Text: strings.Join(q.Earlier(), "\n")})
	if err != nil {
		return false, err
	}
	enough := 1
	if len(earlier.Names)+len(earlier.Words) > 0 {
		enough, named = followUpWords, named.Beyond(earlier)
	}
	return len(named.Names) > 0 || len(named.Words) >= enough, nil
}

// withTopic returns the message with what the ones before it were about, which counts less
// because it follows.
func (q Question) withTopic() string {
	text, all := q.Text, q.Earlier()
	for _, earlier := range all[:min(len(all), topicMessages)] {
		text += "\n" + wording.Cut(earlier, topicBytes)
	}
	return text
}

// automatic is the environment of a search that no model has called for.
type automatic struct{ turn Call }

func (automatic) Visible()                                        {}
func (a automatic) Call() Call                                    { return a.turn }
func (automatic) Output(string)                                   {}
func (automatic) LastUserMessage() string                         { return "" }
func (automatic) Record(context.Context, string) (Record, error)  { return Record{}, ErrNoRecord }
func (automatic) AskPermission(context.Context, Permission) error { return ErrDenied }
