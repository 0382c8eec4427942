package acp

import (
	"slices"
	"strings"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/internal/display"
	"ploke-lsp/internal/lazyregexp"
)

// maxPlanEntries is how many steps of a plan are shown.
const maxPlanEntries = 50

// A plan is the list of tasks in an answer, as Markdown has it: "- [ ] step" and "- [x] step". Models
// write their plans so, and no tool is needed for it. While the turn runs, the first step that is not done is in
// progress; a model may say itself which one is, by "- [~] step".
type plan struct{ shown []protocol.PlanEntry }

var taskLine = lazyregexp.New(`(?m)^[ \t]{0,3}(?:[-*+]|\d{1,3}[.)])[ \t]+\[([ xX~/>])\][ \t]+(\S.*)\n`)

// read returns the steps of the last list of tasks in a text, and whether they differ from those it has
// returned before. A line counts once it is complete.
func (p *plan) read(text string) (entries []protocol.PlanEntry, changed bool) {
	if !strings.Contains(text, "] ") {
		return nil, false
	}
	for _, m := range taskLine.FindAllStringSubmatch(text, maxPlanEntries+1) {
		step := protocol.PlanEntry{Content: display.Name(strings.TrimSpace(m[2])), Priority: "medium",
			Status: planStatus(m[1])}
		same := func(e protocol.PlanEntry) bool { return e.Content == step.Content }
		if i := slices.IndexFunc(entries, same); i >= 0 {
			entries[i] = step // a later list repeats the plan with what is done
		} else if len(entries) < maxPlanEntries {
			entries = append(entries, step)
		}
	}
	beginFirst(entries)
	changed = !slices.Equal(entries, p.shown)
	p.shown = entries
	return entries, changed
}

// planStatus returns the status of a step whose box has a mark.
func planStatus(mark string) string {
	switch {
	case mark == " ":
		return protocol.StatusPending
	case strings.Contains("~/>", mark):
		return protocol.StatusInProgress
	}
	return protocol.StatusCompleted
}

// beginFirst has the first step that is not done be in progress, unless another one is.
func beginFirst(entries []protocol.PlanEntry) {
	has := func(status string) int {
		return slices.IndexFunc(entries, func(e protocol.PlanEntry) bool { return e.Status == status })
	}
	if first := has(protocol.StatusPending); first >= 0 && has(protocol.StatusInProgress) < 0 {
		entries[first].Status = protocol.StatusInProgress
	}
}

// end returns the steps of a turn that has ended, in which nothing is in progress, and whether they have changed.
func (p *plan) end() (entries []protocol.PlanEntry, changed bool) {
	entries = slices.Clone(p.shown)
	for i := range entries {
		if entries[i].Status == protocol.StatusInProgress {
			entries[i].Status, changed = protocol.StatusPending, true
		}
	}
	p.shown = entries
	return entries, changed
}
