package session

import (
	"context"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
)

// A response that has neither an answer nor a whole call is asked for again, once in a row, with a notice
// that says what it lacked. The notice is stored with a step, so that later turns send the same bytes.

// lack is what a response without calls is asked for again for.
type lack struct {
	notice string // for the model
	limit  limitError
}

var (
	lacksAnswer = lack{
		"Your last response had neither an answer nor a call. Answer the user now, or make the next call.",
		limitError{bus.ErrorModel,
			"the model ended without an answer, also when it was asked again; try again, or choose another model"},
	}
	lacksEnd = lack{
		"Your last response was cut off at your token limit before it had an answer or a complete call. " +
			"Nothing of it was run. " +
			"Send less at once: make the call smaller, such as one part of the edit at a time, or answer in a few words.",
		limitError{bus.ErrorLimit,
			"the answer was cut off at the model's token limit before a call was complete, " +
				"also when the model was asked for less; " +
				"ask for less at once, or choose a model with longer answers"},
	}
)

// handleAnswer takes in a response without calls, and what the user did meanwhile. It reports whether there is
// a next request.
func (s *requestSession) handleAnswer(ctx context.Context, r *response) (again bool, err error) {
	lacks, err := s.lackOf(r)
	if err != nil {
		return false, err
	}
	s.declined = r.finish == llm.FinishDeclined
	if text := string(s.text[r.start:]); text != "" {
		x := s.e.kept.render.Exchange(text, nil)
		x[0].Opaque = r.opaque
		s.view.messages = append(s.view.messages, x...)
	}
	if lacks == nil {
		ends := r.finish != llm.FinishPaused
		if ends {
			repair, err := s.prove(ctx)
			if err != nil {
				return false, err
			}
			ends = !repair
		}
		return s.takeUserInput(ctx, ends)
	}
	asked := s.user.ID
	switch again, err = s.takeUserInput(ctx, false); {
	case err != nil || s.user.ID != asked: // the next message says what is wanted
		return again, err
	case s.guard.askedAgain:
		return false, &lacks.limit
	}
	s.guard.askedAgain = true
	s.tell(lacks.notice)
	return true, nil
}

// lackOf returns what a response without calls lacks, or nil if it is an answer. One that a limit or a filter
// has ended is an error.
func (s *requestSession) lackOf(r *response) (*lack, error) {
	empty := len(s.text) == r.start
	switch {
	case r.finish == llm.FinishContentFilter:
		return nil, &llm.Error{Class: llm.ContentFilter, Message: "the provider's content filter stopped the answer",
			Hint: "rephrase the message"}
	case r.finish == llm.FinishInCall, r.finish == llm.FinishLength && empty:
		return &lacksEnd, nil
	case r.finish == llm.FinishPaused:
		return nil, nil
	case r.finish == llm.FinishLength:
		return nil, &limitError{bus.ErrorLimit, "the answer was cut off at the model's token limit; tell it to continue"}
	case r.finish == llm.FinishToolCalls, empty:
		return &lacksAnswer, nil
	}
	return nil, nil
}

// tell adds a notice for the model, which is a step of its own.
func (s *requestSession) tell(notice string) {
	s.answer.Responses = append(s.answer.Responses, records.Response{Start: len(s.text), End: len(s.text), Notice: notice})
	s.view.messages = append(s.view.messages, llm.Message{Role: llm.System, Text: notice})
}
