package session

import (
	"context"
	"errors"
	"fmt"

	"ploke-lsp/session/llm"
)

// fallBack has the turn go on with the model that the settings name for it, once
// err says that its own is overloaded. Otherwise it returns err.
func (s *requestSession) fallBack(ctx context.Context, err error) error {
	var e *llm.Error
	if s.fallback == "" || !errors.As(err, &e) || e.Class != llm.Overloaded && e.Class != llm.RateLimit {
		return err
	}
	name := s.fallback
	s.fallback = "" // it has none itself
	model, findErr := s.e.opts.Model(ctx, name)
	if findErr != nil {
		return orElse(context.Cause(ctx), fmt.Errorf("%w; nor can the fallback model be asked: %v", err, findErr))
	}
	if modelName(model) == modelName(s.model) {
		return err
	}
	s.notice(fmt.Sprintf("asking %s, since %s can't answer now", modelName(model), modelName(s.model)))
	s.model, s.answer.Model = model, modelName(model)
	return nil
}
