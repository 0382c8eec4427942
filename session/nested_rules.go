package session

import (
	"context"
	"database/sql"
	"slices"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
	"ploke-lsp/session/window"
	"ploke-lsp/tools"
)

// A folder's rules are given to the model once in each branch of a conversation: when the
// first file below the folder is attached, is open in front of the person, or is touched by
// a call. They are stored where they were said, so that later turns send the same bytes. A
// turn begins by comparing them with their files.

// nestedRulesBytes is the maximum size of the rules of folders that a conversation holds, in any window.
const nestedRulesBytes = 32 << 10

// givenRules holds the rules that the model was given, by the paths of their files.
type givenRules map[string]records.Rules

func (g givenRules) add(rules []records.Rules) {
	for _, r := range rules {
		g[r.Path] = r
	}
}

// loadRules collects the rules in the part of the past that is sent under a compaction.
func (s *requestSession) loadRules(c records.Compaction) {
	s.view.rules = givenRules{}
	past := &s.view.frame.past
	first := past.FirstSent(c)
	for _, i := range past.Ruling {
		if i < first {
			continue
		}
		s.view.rules.add(past.Messages[i].Rules)
		for _, st := range past.Messages[i].Responses {
			s.view.rules.add(st.Rules)
		}
	}
}

// forgetDroppedRules makes those rules known no longer that a compaction has dropped, so that
// they are given again when they matter.
func (s *requestSession) forgetDroppedRules() {
	s.loadRules(s.view.frame.compaction)
	s.view.rules.add(s.view.turnRules)
}

// giveRulesWithMessage adds to the user's message the rules for the files that it shows and for
// the one that the user is in, and what has changed in the rules that were given before.
func (s *requestSession) giveRulesWithMessage(ctx context.Context) error {
	files := tools.ShownFiles(s.user.Found.Text)
	for _, a := range s.user.Attachments {
		files = append(files, a.Path)
	}
	if s.e.opts.Workspace.CurrentFile != nil && s.followsRules() {
		files = append(files, s.e.opts.Workspace.CurrentFile(ctx))
	}
	for path := range s.view.rules {
		files = append(files, path)
	}
	s.user.Rules = s.newRules(ctx, files, func(path, hash string) bool { return s.view.rules[path].Hash == hash })
	if len(s.user.Rules) == 0 {
		return nil
	}
	err := s.e.opts.DB.Record(ctx,
		s.fenced(ctx, func(tx *sql.Tx) error { return records.UpdateMessage(ctx, tx, &s.user, s.user.Extra()) }))
	return orElse(context.Cause(ctx), err)
}

// giveRulesWithNextRequest adds to the next request the rules for the files that calls have
// touched, and reports whether there are any. It is called right after the results were added.
func (s *requestSession) giveRulesWithNextRequest(ctx context.Context,
	calls []records.ToolCall) (given bool, err error) {
	var files []string
	for _, c := range calls {
		files = append(files, tools.TouchedFiles(s.setup.set.Ran(c.Tool, c.Arguments), c.Content)...)
	}
	rules := s.newRules(ctx, files, func(path, hash string) bool { return hash == "" || s.view.rules[path].Path != "" })
	if len(rules) == 0 {
		return false, nil
	}
	s.answer.Responses[len(s.answer.Responses)-1].Rules = rules
	s.view.messages = append(s.view.messages, window.NestedRulesMessage(rules))
	return true, s.save(nil)
}

// newRules returns the rules of the folders around files, except those that are known.
func (s *requestSession) newRules(ctx context.Context, files []string,
	known func(path, hash string) bool) []records.Rules {
	if s.e.opts.Workspace.NestedRules == nil || !s.followsRules() || len(files) == 0 {
		return nil
	}
	left := min(nestedRulesBytes, s.rulesBytes()-len(s.view.frame.rules)-len(window.NestedRulesHead))
	for _, r := range s.view.rules {
		left -= r.Size()
	}
	rules, err := s.e.opts.Workspace.NestedRules(ctx, files, left, known)
	if err != nil {
		s.noticeUnlessOver(ctx, "the rules of folders could not be read: ", err)
		return nil
	}
	for i := range rules {
		rules[i].Replaces = s.view.rules[rules[i].Path].Hash != ""
	}
	s.view.rules.add(rules)
	s.view.turnRules = append(s.view.turnRules, rules...)
	return rules
}

// withoutNestedRules removes the messages of the project, for a model that follows no rules.
func withoutNestedRules(messages []llm.Message) []llm.Message {
	return slices.DeleteFunc(slices.Clone(messages), func(m llm.Message) bool { return m.Role == llm.Project })
}
