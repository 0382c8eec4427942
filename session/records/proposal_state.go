package records

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// ProposalState is what the model is told of a proposal. The rows belong to package edits; this
// package knows only what this type has of them.
type ProposalState struct {
	ID, RequestID, Status string
	UpdatedAt             int64 // the version of the row
	Elsewhere             bool  // its latest part is of another branch

	Title string
	Body  struct {
		DecisionReason string `json:"decision_reason"`
	}
	Changes []struct {
		Path, To string
		EditedAt int64 // when the user last changed it; 0: never
		Hunks    []struct{ State string }
	}
}

// StatesQuery lists the proposals of a conversation whose decision has taken effect, by an index of
// them, and those with the given ids. It reads no row of the others, which may be many and long.
const StatesQuery = `SELECT rowid, id, request_id, status, updated_at FROM proposals INDEXED BY proposals_decided
	WHERE conversation_id = ?1 AND status NOT IN ('staged', 'accepted', 'withdrawn')
	UNION SELECT rowid, id, request_id, status, updated_at FROM proposals
	WHERE +conversation_id = ?1 AND id IN (SELECT value FROM json_each(?2)) ORDER BY rowid`

// ProposalStates returns what [StatesQuery] lists, in the order in which the proposals were stored.
func ProposalStates(ctx context.Context, q Queryer, conversationID string, ids ...string) ([]ProposalState, error) {
	rows, err := q.QueryContext(ctx, StatesQuery, conversationID, Marshal(ids))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var states []ProposalState
	for rows.Next() {
		var p ProposalState
		var rowid int64
		if err := rows.Scan(&rowid, &p.ID, &p.RequestID, &p.Status, &p.UpdatedAt); err != nil {
			return nil, err
		}
		states = append(states, p)
	}
	return states, rows.Err()
}

// AnyWaits reports whether a proposal of a conversation may wait for a decision.
func AnyWaits(ctx context.Context, q Queryer, conversationID string) (some bool, err error) {
	err = q.QueryRowContext(ctx,
		`SELECT EXISTS (SELECT 1 FROM proposals WHERE conversation_id = ? AND status IN ('staged', 'partial'))`,
		conversationID).Scan(&some)
	return some, err
}

// Read reads the rest of the row.
func (p *ProposalState) Read(ctx context.Context, q Queryer) error {
	var body, changes []byte
	err := q.QueryRowContext(ctx, `SELECT title, body,
		(SELECT '[' || coalesce(group_concat(change, ',' ORDER BY position), '') || ']' FROM proposal_changes WHERE proposal_id = proposals.id)
		FROM proposals WHERE id = ?`, p.ID).Scan(&p.Title, &body, &changes)
	if err != nil {
		return err
	}
	return errors.Join(json.Unmarshal(body, &p.Body), json.Unmarshal(changes, &p.Changes))
}

// undecided reports whether no part of it is decided.
func (p *ProposalState) undecided() bool { return p.Status == "staged" || p.Status == "accepted" }

// IsTold reports whether reported is surely the key of the state, which read has not completed.
func (p *ProposalState) IsTold(reported string) bool {
	switch p.Status {
	case "staged", "accepted", "withdrawn":
		return false
	case "partial":
		return strings.HasSuffix(reported, p.version())
	}
	return reported == p.Status
}

func (p *ProposalState) version() string { return fmt.Sprintf(" @%d", p.UpdatedAt) }

// SameKey reports whether two keys differ at most in the version of the row.
func SameKey(a, b string) bool {
	a, _, _ = strings.Cut(a, " @")
	b, _, _ = strings.Cut(b, " @")
	return a == b
}

// Key returns what distinguishes the state from others that the model was told of; "" if there is
// nothing to tell.
func (p *ProposalState) Key() string {
	edited := p.editedAt()
	switch {
	case p.Status == "withdrawn" || p.Status == "accepted":
		return ""
	case p.undecided() && p.Elsewhere:
		return "elsewhere"
	case p.undecided() && edited == 0:
		return ""
	case p.undecided():
		return fmt.Sprintf("staged %d", edited)
	case p.Status == "partial":
		return fmt.Sprintf("partial %s %d", p.counts(), edited) + p.version()
	}
	return p.Status
}

// outcomes explains each state of a proposal to the model.
var outcomes = map[string]string{
	"applied":  "The user accepted it; its changes are in the files.",
	"verified": "The user accepted it; its changes are in the files.",
	"rejected": "The user rejected it; its changes are not in the files. Don't propose the same again.",
	"stale":    "It no longer fits its files, which have changed since; nothing of it was applied. Read them again before proposing again.",
	"failed":   "The user accepted it, but it could not be applied. Read its files again before proposing again.",
	"undone":   "The user took it back after it was applied; its changes are no longer in the files.",
	"partial":  "The user decided on parts of it: %s. Read its files to see which are in them.",
}

// Describe returns the line for the model.
func (p *ProposalState) Describe(roots []string) string {
	line := fmt.Sprintf("Proposal %s (%s) ", p.ID, p.Title)
	switch outcome := outcomes[p.Status]; {
	case p.undecided() && p.Elsewhere:
		return line + "was amended on another branch of the conversation, so you don't see its changes here: the files " +
			"read as they are saved."
	case p.undecided():
		line += "still waits."
	case p.Status == "partial":
		line += "is partial. " + fmt.Sprintf(outcome, p.counts())
	default:
		line += "is " + p.Status + ". " + outcome
	}
	if files := p.edited(roots); len(files) > 0 {
		line += " The user changed what it does to " + strings.Join(files, ", ") + ": read that again."
	}
	if p.Elsewhere {
		line += " It had changes of another branch of the conversation, too."
	}
	if p.Body.DecisionReason != "" {
		line += " Reason: " + p.Body.DecisionReason
	}
	return line
}

// counts says how many edits are in which state.
func (p *ProposalState) counts() string {
	all, in := 0, map[string]int{}
	for _, c := range p.Changes {
		for _, h := range c.Hunks {
			all++
			in[said[h.State]]++
		}
	}
	var parts []string
	for _, what := range []string{"accepted", "rejected", "taken back", "not applied", "no longer fit", "wait"} {
		if n := in[what]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	return fmt.Sprintf("of %d edits, %s", all, strings.Join(parts, ", "))
}

// said has the words for the states of edits.
var said = map[string]string{
	"staged": "wait", "accepted": "wait", "applied": "accepted", "verified": "accepted", "rejected": "rejected",
	"stale": "no longer fit", "failed": "not applied", "undone": "taken back",
}

// AddUncertain adds the files whose text the state does not tell: they are to be read again.
func (p *ProposalState) AddUncertain(files map[string]bool) {
	uncertain := slices.Contains([]string{"partial", "stale", "failed", "undone"}, p.Status)
	for _, c := range p.Changes {
		if uncertain || c.EditedAt != 0 {
			files[c.Path] = true
			files[cmp.Or(c.To, c.Path)] = true
		}
	}
}

func (p *ProposalState) editedAt() (last int64) {
	for _, c := range p.Changes {
		last = max(last, c.EditedAt)
	}
	return last
}

// edited returns the files in which the user has changed the proposal.
func (p *ProposalState) edited(roots []string) (files []string) {
	for _, c := range p.Changes {
		if c.EditedAt == 0 {
			continue
		}
		path := c.Path
		if c.To != "" {
			path = c.To
		}
		if len(roots) == 1 {
			if rel, err := filepath.Rel(roots[0], path); err == nil && filepath.IsLocal(rel) {
				path = filepath.ToSlash(rel)
			}
		}
		files = append(files, path)
	}
	return files
}
