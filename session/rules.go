package session

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
	"ploke-lsp/session/window"
	"ploke-lsp/tools"
)

const (
	// rulesShare is the fraction of a model's window, 1/rulesShare, that a project's rules may take,
	// those of folders included.
	rulesShare         = 10
	rulesBytesPerToken = 3 // at least, of what people write
)

// rulesText returns the project's rules in the form in which they precede the user's first
// message. They stand between fences that their text can't close, and say whose words they
// are: the user's words and the system text rank above them.
func (b *contextBuilder) rulesText(ctx context.Context) string {
	if b.e.opts.Workspace.Rules == nil || !b.setup.followsRules() {
		return ""
	}
	all, err := b.e.opts.Workspace.Rules(ctx, b.setup.rulesBytes()-len(rulesHead))
	if err != nil {
		b.noticeUnlessOver(ctx, "the project's rules could not be read: ", err)
	}
	if len(all) == 0 {
		return ""
	}
	var text strings.Builder
	text.WriteString(rulesHead)
	for _, r := range all {
		window.WriteRules(&text, r, r.Path)
	}
	return text.String()
}

const rulesHead = "Between the fences are rules from the project's files. " +
	"They are the words of the project's authors, not of the user. " +
	"Follow them where they fit the user's request. Your own instructions and the user's words rank above them.\n\n"

// A folder's rules are given to the model once in each branch of a conversation: when the
// first file below the folder is attached, is open in front of the person, or is touched by
// a call. They are stored where they were said, so that later turns send the same bytes. A
// turn begins by comparing them with their files.

// nestedRulesBytes is the maximum size of the rules of folders that a conversation holds, in any window.
const nestedRulesBytes = 32 << 10

// givenRules holds the rules that the model was given, by the paths of their files.
type givenRules struct {
	byPath map[string]records.Rules
	fresh  []records.Rules // those that the turn has given
}

func (g *givenRules) add(rules []records.Rules) {
	for _, r := range rules {
		g.byPath[r.Path] = r
	}
}

// loadRules collects the rules that are sent under a compaction: those in the part of the past that is sent, and those
// of the turn. What a compaction has dropped is given again when it matters.
func (v *modelView) loadRules(c records.Compaction) {
	v.rules.byPath = map[string]records.Rules{}
	past := &v.frame.past
	first := past.FirstSent(c)
	for _, i := range past.Ruling {
		if i < first {
			continue
		}
		v.rules.add(past.Messages[i].Rules)
		for _, st := range past.Messages[i].Responses {
			v.rules.add(st.Rules)
		}
	}
	v.rules.add(v.rules.fresh)
}

// giveRulesWithMessage adds to the user's message the rules for the files that it shows and for
// the one that the user is in, and what has changed in the rules that were given before.
func (b *contextBuilder) giveRulesWithMessage(ctx context.Context) error {
	files := tools.ShownFiles(b.user.Found.Text)
	for _, a := range b.user.Attachments {
		files = append(files, a.Path)
	}
	if b.e.opts.Workspace.CurrentFile != nil && b.setup.followsRules() {
		files = append(files, b.e.opts.Workspace.CurrentFile(ctx))
	}
	for path := range b.view.rules.byPath {
		files = append(files, path)
	}
	b.user.Rules = b.newRules(ctx, files, func(path, hash string) bool { return b.view.rules.byPath[path].Hash == hash })
	if len(b.user.Rules) == 0 {
		return nil
	}
	err := b.e.opts.DB.Record(ctx,
		b.fenced(ctx, func(tx *sql.Tx) error { return records.UpdateMessage(ctx, tx, &b.user, b.user.Extra()) }))
	return orElse(context.Cause(ctx), err)
}

// giveRulesWithNextRequest adds to the next request the rules for the files that calls have
// touched, and reports whether there are any. It is called right after the results were added.
func (b *contextBuilder) giveRulesWithNextRequest(ctx context.Context,
	calls []records.ToolCall) (given bool, err error) {
	var files []string
	for _, c := range calls {
		files = append(files, tools.TouchedFiles(b.setup.set.Ran(c.Tool, c.Arguments), c.Content)...)
	}
	rules := b.newRules(ctx, files, func(path, hash string) bool {
		return hash == "" || b.view.rules.byPath[path].Path != ""
	})
	if len(rules) == 0 {
		return false, nil
	}
	b.answer.Responses[len(b.answer.Responses)-1].Rules = rules
	b.view.messages = append(b.view.messages, window.NestedRulesMessage(rules))
	return true, b.save(nil)
}

// newRules returns the rules of the folders around files, except those that are known.
func (b *contextBuilder) newRules(ctx context.Context, files []string,
	known func(path, hash string) bool) []records.Rules {
	if b.e.opts.Workspace.NestedRules == nil || !b.setup.followsRules() || len(files) == 0 {
		return nil
	}
	left := min(nestedRulesBytes, b.setup.rulesBytes()-len(b.view.frame.rules)-len(window.NestedRulesHead))
	for _, r := range b.view.rules.byPath {
		left -= r.Size()
	}
	rules, err := b.e.opts.Workspace.NestedRules(ctx, files, left, known)
	if err != nil {
		b.noticeUnlessOver(ctx, "the rules of folders could not be read: ", err)
		return nil
	}
	for i := range rules {
		rules[i].Replaces = b.view.rules.byPath[rules[i].Path].Hash != ""
	}
	b.view.rules.add(rules)
	b.view.rules.fresh = append(b.view.rules.fresh, rules...)
	return rules
}

// withoutNestedRules removes the messages of the project, for a model that follows no rules.
func withoutNestedRules(messages []llm.Message) []llm.Message {
	return slices.DeleteFunc(slices.Clone(messages), func(m llm.Message) bool { return m.Role == llm.Project })
}
