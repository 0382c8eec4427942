package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"ploke-lsp/mcp"
	"ploke-lsp/project"
)

// A reply is what a command prints, wherever it was found out.
type reply struct {
	Output  string   // for standard output
	Notices []string // lines for standard error
	Failed  string   // why there is no output; "" if there is
	Nothing bool     // the output says that nothing was found
}

func (r *reply) print(env environment) error {
	return r.printAs(env, func(output string) error {
		_, err := fmt.Fprint(env.stdout, output)
		return err
	})
}

// printAs prints a reply, of which show prints the output.
func (r *reply) printAs(env environment, show func(output string) error) error {
	if r.Failed != "" {
		return errors.New(r.Failed)
	}
	for _, notice := range r.Notices {
		fmt.Fprintf(env.stderr, "ploke-lsp: %s\n", notice)
	}
	if err := show(r.Output); err != nil {
		return err
	}
	if r.Nothing {
		return errNothing
	}
	return nil
}

// askServer has a process that has the folder open find out what a command prints. answered is false
// if there is none. With settings of its own, a command finds it out by itself.
func (c *common) askServer(ctx context.Context, env environment, folder, command string,
	arguments any) (r reply, answered bool, err error) {
	root, err := projectFolder(env.getenv, folder)
	if err != nil || c.config != "" {
		return r, false, err
	}
	options, err := c.projectOptions(env)
	if err != nil {
		return r, false, err
	}
	encoded, err := json.Marshal(arguments)
	if err != nil {
		return r, false, err
	}
	answer, ok := project.AskServer(ctx, options, root, project.Question{Command: command, Arguments: encoded})
	if !ok {
		return r, false, ctx.Err()
	}
	r, answered = decodeReply(answer)
	return r, answered, nil
}

// decodeReply decodes what a process has answered. ok is false if that is no reply.
func decodeReply(answer []byte) (r reply, ok bool) {
	var given struct {
		Output, Failed *string
		Notices        []string
		Nothing        bool
	}
	decoder := json.NewDecoder(bytes.NewReader(answer))
	decoder.DisallowUnknownFields()
	if decoder.Decode(&given) != nil || given.Output == nil || given.Failed == nil {
		return r, false
	}
	return reply{Output: *given.Output, Notices: given.Notices, Failed: *given.Failed, Nothing: given.Nothing}, true
}

// answer answers what askServer asks. Everything that it knows only reads.
func answer(ctx context.Context, p *project.Project, q project.Question) ([]byte, error) {
	var r reply
	var err error
	switch q.Command {
	case "search":
		r, err = answerSearch(ctx, p, q.Arguments)
	case "context", "symbol", "edges", "outline":
		v := verb{tool: q.Command}
		if err = json.Unmarshal(q.Arguments, &v); err == nil {
			r, err = v.call(ctx, p)
		}
	default:
		err = fmt.Errorf("there is no command %q", q.Command)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(r)
}

func answerSearch(ctx context.Context, p *project.Project, arguments json.RawMessage) (r reply, err error) {
	var a searchArguments
	if err := json.Unmarshal(arguments, &a); err != nil {
		return r, err
	}
	late := p.Refresh(ctx)
	if r, err = a.search(ctx, p.Index, p.Workspace); err == nil && late != nil {
		r.Notices = append(r.Notices, fmt.Sprintf("the index may be older than the files: %v", late))
	}
	return r, err
}

// toolsOfVerbs are the tools whose names are not those of the verbs.
var toolsOfVerbs = map[string]string{"edges": "references"}

// call calls the tool of a verb.
func (v verb) call(ctx context.Context, p *project.Project) (r reply, err error) {
	a, err := mcp.Call(ctx, p, cmp.Or(toolsOfVerbs[v.tool], v.tool), v.Arguments)
	switch {
	case err != nil:
		return r, err
	case a.Failed:
		return reply{Failed: v.failure(a)}, nil
	case a.Notice != "":
		r.Notices = []string{a.Notice}
	}
	r.Output, r.Nothing = inDoorWords(a.Text)+"\n", foundNothing(a.Content)
	if v.JSON {
		r.Output = string(a.Content) + "\n"
	}
	return r, nil
}
