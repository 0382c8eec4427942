package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	ploke "ploke-lsp/lsp/protocol"
)

func askCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	workspace := fs.String("workspace", ".", "`folder` to ask about")
	model := fs.String("model", "",
		"\"embedded\" or PROVIDER/MODEL (or PLOKE_MODEL with PLOKE_BASE_URL and PLOKE_API_KEY)")
	asJSON := fs.Bool("json", false, "print one JSON object at the end instead of streaming text")
	noWait := fs.Bool("no-wait", false, "wait five seconds at most for the end of the first indexing")
	return func(ctx context.Context, env environment, args []string) error {
		asked, err := questionOf(ctx, env, args)
		if err != nil {
			return err
		}
		if asked.words == "" {
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
		if !*noWait {
			err = client.awaitIndex(ctx)
		}
		if err == nil {
			err = ask(ctx, client, shown, asked, *model, *asJSON)
		}
		return errors.Join(err, client.close())
	}
}

// ask runs one turn and prints its answer and proposals. It returns an error if the turn
// failed or reached a limit.
func ask(ctx context.Context, c *client, shown *liveAnswer, asked question, model string, asJSON bool) error {
	attachments, err := attachMentioned(ctx, c, shown.env, asked.words)
	if err != nil {
		return err
	}
	params := &ploke.ChatSendParams{Text: asked.words + asked.piped, Attachments: attachments, Model: model,
		PartialResultToken: ploke.Token(`"` + partialToken + `"`)}
	var result ploke.ChatSendResult
	if err := c.call(ctx, ploke.MethodChatSend, params, &result); err != nil {
		if shown.held != "" {
			shown.end()
		}
		return err
	}
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

// attachMentioned returns what a question mentions, as in "@lib/x.go#L1-L9". It tells what looks like a mention and
// is none.
func attachMentioned(ctx context.Context, c *client, env environment, words string) ([]ploke.Attachment, error) {
	var list []ploke.Attachment
	var result ploke.ChatMentionsResult
	if err := c.call(ctx, ploke.MethodChatMentions, &ploke.ChatMentionsParams{Text: words}, &result); err != nil {
		return nil, err
	}
	for _, m := range result.Mentions {
		list = append(list, m.Attachment)
	}
	if len(result.Unknown) == 0 {
		return list, nil
	}
	var told []string
	for _, word := range result.Unknown {
		told = append(told, fmt.Sprintf("%s (%s)", word.Text, word.Reason))
	}
	fmt.Fprintln(env.stderr, fitting(env.stderr, "ploke-lsp: sent as mere text: "+strings.Join(told, ", ")))
	return list, nil
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
