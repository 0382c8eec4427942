package session

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

// proposalState is what the model is told of a proposal. The rows belong to package edits; this
// package knows only what this type has of them.
type proposalState struct {
	id, requestID, status string
	updatedAt             int64 // the version of the row
	elsewhere             bool  // its latest part is of another branch

	title string
	body  struct {
		DecisionReason string `json:"decision_reason"`
	}
	changes []struct {
		Path, To string
		EditedAt int64 // when the user last changed it; 0: never
		Hunks    []struct{ State string }
	}
}

// statesQuery lists the proposals of a conversation whose decision has taken effect, by an index of them, and those with
// the given ids. It reads no row of the others, which may be many and long.
const statesQuery = `SELECT rowid, id, request_id, status, updated_at FROM proposals INDEXED BY proposals_decided
	WHERE conversation_id = ?1 AND status NOT IN ('staged', 'accepted', 'withdrawn')
	UNION SELECT rowid, id, request_id, status, updated_at FROM proposals
	WHERE +conversation_id = ?1 AND id IN (SELECT value FROM json_each(?2)) ORDER BY rowid`

// proposalStates returns what [statesQuery] lists, in the order in which the proposals were stored.
func proposalStates(ctx context.Context, q queryer, conversationID string, ids ...string) ([]proposalState, error) {
	rows, err := q.QueryContext(ctx, statesQuery, conversationID, marshal(ids))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var states []proposalState
	for rows.Next() {
		var p proposalState
		var rowid int64
		if err := rows.Scan(&rowid, &p.id, &p.requestID, &p.status, &p.updatedAt); err != nil {
			return nil, err
		}
		states = append(states, p)
	}
	return states, rows.Err()
}

// anyWaits reports whether a proposal of a conversation may wait for a decision.
func anyWaits(ctx context.Context, q queryer, conversationID string) (some bool, err error) {
	err = q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM proposals WHERE conversation_id = ? AND status IN ('staged', 'partial'))`,
		conversationID).Scan(&some)
	return some, err
}

// read reads the rest of the row.
func (p *proposalState) read(ctx context.Context, q queryer) error {
	var body, changes []byte
	err := q.QueryRowContext(ctx, `SELECT title, body,
		(SELECT '[' || coalesce(group_concat(change, ',' ORDER BY position), '') || ']' FROM proposal_changes WHERE proposal_id = proposals.id)
		FROM proposals WHERE id = ?`, p.id).Scan(&p.title, &body, &changes)
	if err != nil {
		return err
	}
	return errors.Join(json.Unmarshal(body, &p.body), json.Unmarshal(changes, &p.changes))
}

// undecided reports whether nobody has decided on any of it.
func (p *proposalState) undecided() bool { return p.status == "staged" || p.status == "accepted" }

// isTold reports whether reported is surely the key of the state, which read has not completed.
func (p *proposalState) isTold(reported string) bool {
	switch p.status {
	case "staged", "accepted", "withdrawn":
		return false
	case "partial":
		return strings.HasSuffix(reported, p.version())
	}
	return reported == p.status
}

func (p *proposalState) version() string { return fmt.Sprintf(" @%d", p.updatedAt) }

// sameKey reports whether two keys differ at most in the version of the row.
func sameKey(a, b string) bool {
	a, _, _ = strings.Cut(a, " @")
	b, _, _ = strings.Cut(b, " @")
	return a == b
}

// key returns what distinguishes the state from others that the model was told of; "" if there is
// nothing to tell.
func (p *proposalState) key() string {
	edited := p.editedAt()
	switch {
	case p.status == "withdrawn" || p.status == "accepted":
		return ""
	case p.undecided() && p.elsewhere:
		return "elsewhere"
	case p.undecided() && edited == 0:
		return ""
	case p.undecided():
		return fmt.Sprintf("staged %d", edited)
	case p.status == "partial":
		return fmt.Sprintf("partial %s %d", p.counts(), edited) + p.version()
	}
	return p.status
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

// describe returns the line for the model.
func (p *proposalState) describe(roots []string) string {
	line := fmt.Sprintf("Proposal %s (%s) ", p.id, p.title)
	switch outcome := outcomes[p.status]; {
	case p.undecided() && p.elsewhere:
		return line + "was amended on another branch of the conversation, so you don't see its changes here: the files read as they are saved."
	case p.undecided():
		line += "still waits."
	case p.status == "partial":
		line += "is partial. " + fmt.Sprintf(outcome, p.counts())
	default:
		line += "is " + p.status + ". " + outcome
	}
	if files := p.edited(roots); len(files) > 0 {
		line += " The user changed what it does to " + strings.Join(files, ", ") + ": read that again."
	}
	if p.elsewhere {
		line += " It had changes of another branch of the conversation, too."
	}
	if p.body.DecisionReason != "" {
		line += " Reason: " + p.body.DecisionReason
	}
	return line
}

// counts says how many edits are in which state.
func (p *proposalState) counts() string {
	all, in := 0, map[string]int{}
	for _, c := range p.changes {
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

// addUncertain adds the files whose text the state does not tell: they are to be read again.
func (p *proposalState) addUncertain(files map[string]bool) {
	uncertain := slices.Contains([]string{"partial", "stale", "failed", "undone"}, p.status)
	for _, c := range p.changes {
		if uncertain || c.EditedAt != 0 {
			files[c.Path] = true
			files[cmp.Or(c.To, c.Path)] = true
		}
	}
}

func (p *proposalState) editedAt() (last int64) {
	for _, c := range p.changes {
		last = max(last, c.EditedAt)
	}
	return last
}

// edited returns the files in which the user has changed the proposal.
func (p *proposalState) edited(roots []string) (files []string) {
	for _, c := range p.changes {
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
