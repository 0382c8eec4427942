// Package embedded is a model that needs no network and no weights: a planner that
// calls tools by rules. It answers a question by searching and quoting the results,
// executes instructions that match a form, and describes its abilities otherwise. It
// is not a language model and says so.
//
// Its promises:
//
//   - Its next step is a function of the request's messages only. Its calls have no ids;
//     the caller assigns them.
//   - What it says about code is quoted from results of tools. It reads their JSON
//     ([llm.Message].Content), and takes a result of another shape as a failure.
//   - It changes something only on an instruction that one of its forms matches whole.
//   - It may be used by several goroutines at once.
//
// A message is parsed into an instruction (parse.go, forms.go, newcomer.go, talk.go, ask.go). Each kind of instruction
// is a type whose method next looks at the results so far and returns the next calls or the answer. A message that asks
// for several things is taken apart (several.go). What no form matches is read as a concept and what it names
// (concepts.go). The answers about a project are in howto.go, fact.go, manifests.go, prose.go, guide.go, past.go,
// grep.go, listing.go, inventory.go, section.go, package.go and overview.go; those about a symbol in explain.go,
// members.go, compare.go, relation.go, tests.go and show.go; those to any other question in question.go, outcomes.go,
// exit_code.go, amounts.go and language.go; edits in edit.go, replace.go, set_value.go, remove.go, move.go,
// doc_comment.go, rename.go and rename_file.go, and of attached code in pointed.go; and what is said of a diff in
// changes.go. The words are in lexicon, what projects have in common in conventions, and what a conversation attaches
// in messages.
package embedded

import (
	"context"
	"iter"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/messages"
)

// Model returns the model.
func Model() llm.Model {
	return llm.Model{Provider: planner{}, FindsContext: true, ContextTokens: window}
}

type planner struct{}

// window is more tokens than a turn has: rules have no window.
const window = 4 << 20

func (planner) Name() string { return "embedded" }

func (planner) Send(ctx context.Context, req *llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		p := progressOf(req.Messages)
		next := orHeaded(p.instruction()).next(p)
		for chunk := range messages.Chunks(next.text) {
			if ctx.Err() != nil {
				yield(llm.Chunk{}, context.Cause(ctx))
				return
			}
			if !yield(llm.Chunk{Text: chunk}, nil) {
				return
			}
		}
		for _, c := range next.calls {
			if !yield(llm.Chunk{Call: &c}, nil) {
				return
			}
		}
		finish := llm.FinishStop
		if !next.answered && declines(next.text) {
			finish = llm.FinishDeclined
		}
		if len(next.calls) > 0 {
			finish = llm.FinishToolCalls
		}
		yield(llm.Chunk{Finish: finish}, nil)
	}
}
