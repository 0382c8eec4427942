package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"

	ploke "ploke-lsp/lsp/protocol"
)

func askCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	workspace := fs.String("workspace", ".", "`folder` to ask about")
	model := fs.String("model", "",
		"\"embedded\" or PROVIDER/MODEL (or PLOKE_MODEL with PLOKE_BASE_URL and PLOKE_API_KEY)")
	asJSON := fs.Bool("json", false, "print one JSON object at the end instead of streaming text")
	noWait := fs.Bool("no-wait", false, "wait five seconds at most for the end of the first indexing")
	return func(ctx context.Context, env environment, args []string) error {
		question, err := questionOf(ctx, env, args)
		if err != nil {
			return err
		}
		if question == "" {
			return wrongUsage("there is no question")
		}
		options, err := c.readableOptions(env)
		if err != nil {
			return err
		}
		shown := newLiveAnswer(env)
		show := shown.show
		if *asJSON {
			show = nil
		}
		indexing := &progressLine{} // shows nothing, since nothing waits for the index
		if !*noWait {
			indexing = newProgressLine(env, env.stderr)
		}
		asker := newPermissionAsker(shown)
		defer asker.close()
		permit := func(p *ploke.PermissionAskParams) ploke.PermissionAnswer { return asker.ask(ctx, p) }
		client, err := connect(ctx, options, *workspace, handlers{show, permit, indexing})
		if err != nil {
			return err
		}
		params := &ploke.ChatSendParams{Text: question, Model: *model,
			PartialResultToken: ploke.Token(`"` + partialToken + `"`)}
		err = ask(ctx, client, shown, params, *noWait, *asJSON)
		return errors.Join(err, client.close())
	}
}

// ask runs one turn and prints its answer and proposals. It returns an error if the turn
// failed or reached a limit.
func ask(ctx context.Context, c *client, shown *liveAnswer, params *ploke.ChatSendParams, noWait, asJSON bool) error {
	if !noWait {
		if err := c.awaitIndex(ctx); err != nil {
			return err
		}
	}
	var result ploke.ChatSendResult
	if err := c.call(ctx, ploke.MethodChatSend, params, &result); err != nil {
		return err
	}
	var err error
	if asJSON {
		err = printJSON(shown.env.stdout, result)
	} else {
		shown.end()
		err = showProposals(ctx, c, shown.env, &result)
	}
	if result.StopReason == ploke.StopError || result.StopReason == ploke.StopLimit {
		err = errors.Join(errors.New(result.Error), err)
	} else if err == nil && result.Declined {
		err = errNothing
	}
	return err
}

// showProposals prints the proposals of a turn.
func showProposals(ctx context.Context, c *client, env environment, result *ploke.ChatSendResult) error {
	for _, id := range result.Proposals {
		shown, err := showProposal(ctx, c, env, id)
		if err != nil {
			return err
		}
		fmt.Fprintf(env.stdout, "\nproposed, nothing is written yet: ploke-lsp proposals accept %s\n",
			nameToDecide(env, shown))
	}
	return nil
}

func printJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
