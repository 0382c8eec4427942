package session

import (
	"errors"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
)

// errorKinds are the kinds of the errors of models.
var errorKinds = map[llm.Class]bus.ErrorKind{
	llm.Auth:           bus.ErrorAuth,
	llm.Quota:          bus.ErrorQuota,
	llm.RateLimit:      bus.ErrorBusy,
	llm.Overloaded:     bus.ErrorBusy,
	llm.ContextTooLong: bus.ErrorContext,
	llm.ContentFilter:  bus.ErrorRefused,
	llm.Network:        bus.ErrorNetwork,
	llm.Stalled:        bus.ErrorNetwork,
	llm.TLS:            bus.ErrorNetwork,
	llm.Redirect:       bus.ErrorNetwork,
	llm.NotFound:       bus.ErrorModel,
	llm.BadResponse:    bus.ErrorModel,
	llm.Template:       bus.ErrorModel,
	llm.Schema:         bus.ErrorModel,
	llm.NoTools:        bus.ErrorModel,
	llm.TooLarge:       bus.ErrorLimit,
}

// errorKind returns the kind of an error that ended a turn; "" if the turn can just go on.
func errorKind(err error) bus.ErrorKind {
	var limit *limitError
	var provider *llm.Error
	switch {
	case errors.As(err, &limit):
		return limit.kind
	case errors.As(err, &provider):
		return errorKinds[provider.Class]
	case errors.Is(err, errClosed), errors.Is(err, errTakenOver):
		return ""
	}
	return bus.ErrorInternal
}
