package session

import (
	"context"
	"fmt"

	"ploke-lsp/tools"
)

// Before a turn ends, what it has proposed is checked. New problems go back to the model, a few times. What the user
// will see of it is a notice for the model, which is stored as a step so that later turns send the same bytes.

// Proof is what is known of what a turn has proposed when it is about to end.
type Proof struct {
	Summary  string // what the user sees, in one line; "" if there is nothing to see
	Problems string // the new problems, for the model; "" if there are none that it should repair
	Rounds   int    // how many times in a turn problems go back to the model
}

// prover has what a turn knows of its checks.
type prover struct {
	rounds  int              // in which problems went back to the model
	told    string           // the last notice
	answers map[string]error // to the questions of the turn, by their keys
}

// prove waits for the checks of what the turn has proposed. It reports whether the model has problems to repair first.
func (s *requestSession) prove(ctx context.Context) (repair bool, err error) {
	check := s.e.opts.Workspace.Proof
	if check == nil {
		return false, nil
	}
	proof, err := check(ctx, s.call(), s.askInTurn)
	switch {
	case ctx.Err() != nil:
		return false, context.Cause(ctx)
	case err != nil:
		s.e.opts.Logger.Error("what a turn has proposed was not checked", "request", s.turn.RequestID, "error", err)
		return false, nil
	case !s.setup.followsRules() || proof.Summary == "":
		return false, nil
	}
	notice := "The user sees the proposal with this: " + proof.Summary
	if repair = proof.Problems != "" && s.prover.rounds < proof.Rounds; repair {
		s.prover.rounds++
		notice = fmt.Sprintf("The proposal has new problems (%s):\n%s\nFix them with another edit, then answer again. "+
			"The user has not decided yet.", proof.Summary, proof.Problems)
	}
	if notice == s.prover.told && !repair {
		return false, nil
	}
	s.prover.told = notice
	s.tell(notice)
	return repair, nil
}

// call names the turn as its tool calls do.
func (s *requestSession) call() tools.Call {
	return tools.Call{RequestID: s.turn.RequestID, ParentID: s.user.ID, ConversationID: s.turn.ConversationID,
		Earlier: s.context.decided.earlier}
}

// askInTurn asks the user, unless the turn has an answer already.
func (s *requestSession) askInTurn(ctx context.Context, p tools.Permission) error {
	asking := s.e.dispatcher.permissions
	settled, err := asking.recall(ctx, p)
	if settled {
		return err
	}
	if answer, ok := s.prover.answers[p.Key]; ok {
		return answer
	}
	err = asking.request(ctx, s.call(), "", p)
	if settled, _ := asking.recall(ctx, p); settled {
		return err // for always, or for exactly this alone
	}
	if s.prover.answers == nil {
		s.prover.answers = map[string]error{}
	}
	s.prover.answers[p.Key] = err
	return err
}
