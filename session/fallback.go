package session

import (
	"context"
	"errors"
	"fmt"

	"ploke-lsp/session/llm"
)

// fallBack continues the turn with the configured fallback model if err says that the
// turn's model is overloaded. Otherwise it returns err.
func (s *requestSession) fallBack(ctx context.Context, err error) error {
	var e *llm.Error
	if s.setup.fallback == "" || !errors.As(err, &e) || e.Class != llm.Overloaded && e.Class != llm.RateLimit {
		return err
	}
	name := s.setup.fallback
	s.setup.fallback = "" // only one fallback a turn
	model, findErr := s.e.opts.Model(ctx, name)
	if findErr != nil {
		return orElse(context.Cause(ctx), fmt.Errorf("%w; the fallback model can't be used either: %v", err, findErr))
	}
	if modelName(model) == modelName(s.setup.model) {
		return err
	}
	s.notice(fmt.Sprintf("using %s, since %s can't answer now", modelName(model), modelName(s.setup.model)))
	s.use(model)
	return nil
}
