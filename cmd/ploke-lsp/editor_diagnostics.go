package main

import (
	"context"
	"encoding/json"

	"ploke-lsp/project"
	"ploke-lsp/tools"
)

// An agentFrontEnd is the front end of a server for agents. It asks the editor that has the folder open what
// language servers report there.
type agentFrontEnd struct {
	frontEnd
	ask func(context.Context, project.Question) (answer []byte, ok bool)
}

const diagnosticsQuestion = "diagnostics"

// Diagnostics implements [project.FrontEnd].
func (f *agentFrontEnd) Diagnostics(ctx context.Context, path string) (found tools.Diagnostics, err error) {
	arguments, err := json.Marshal(path)
	if err != nil {
		return found, err
	}
	answer, ok := f.ask(ctx, project.Question{Command: diagnosticsQuestion, Arguments: arguments})
	if !ok || json.Unmarshal(answer, &found) != nil {
		return tools.Diagnostics{Partial: true}, nil
	}
	return found, nil
}

// answerInEditor is answer in a process that has an editor, which alone knows diagnostics.
func answerInEditor(ctx context.Context, p *project.Project, q project.Question) ([]byte, error) {
	if q.Command != diagnosticsQuestion {
		return answer(ctx, p, q)
	}
	var path string
	if err := json.Unmarshal(q.Arguments, &path); err != nil {
		return nil, err
	}
	found, err := p.Diagnostics(ctx, path)
	if err != nil {
		return nil, err
	}
	return json.Marshal(found)
}
