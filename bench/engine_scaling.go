package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ploke-lsp/internal/store"
	ploke "ploke-lsp/lsp/protocol"
)

// engineScaling measures over the wire what one more unit costs among many, compared with a tenth
// as many: a call in a response, a turn in a conversation, and a turn with staged proposals.
func (b *bench) engineScaling(ctx context.Context, t *tree) (err error) {
	url, stop, err := startModelServer(http.HandlerFunc(obey))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	folder, err := b.oneFileTree(t.name)
	if err != nil {
		return err
	}
	config, err := b.writeSettings("limits.contextTokens = 100_000_000\n") // everything fits into it
	if err != nil {
		return err
	}
	s, err := b.serve(ctx, folder, "XDG_CONFIG_HOME="+config, "PLOKE_BASE_URL="+url, "PLOKE_MODEL=m", "PLOKE_API_KEY=")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.shutDown(ctx)) }()
	if _, _, err := s.ask(ctx, "", "hello"); err != nil { // the first turn takes longer
		return err
	}
	row := func(name string, many int, few, all time.Duration) figure {
		return millis(t.name, name, all).vs("a tenth of them", inMillis(few)).note("of %d", many)
	}
	for _, tool := range []string{"list_dir", "create_file"} {
		few, err := s.callTime(ctx, tool, b.sampling.batch/10)
		if err != nil {
			return err
		}
		all, err := s.callTime(ctx, tool, b.sampling.batch)
		if err != nil {
			return err
		}
		b.table.add(row("one call of "+tool+" in a response", b.sampling.batch, few, all).timesAtMost(flat))
	}
	few, all, err := s.turnTimes(ctx, b.sampling.longTurns)
	if err != nil {
		return err
	}
	b.table.add(row("one turn in a conversation", b.sampling.longTurns, few, all).timesAtMost(flat))
	if few, all, err = s.timesWithProposals(ctx, folder, b.sampling.proposals); err != nil {
		return err
	}
	b.table.add(row("one turn beside staged proposals", b.sampling.proposals, few, all).timesAtMost(flat))
	return nil
}

// writeSettings writes settings, and returns the folder that XDG_CONFIG_HOME names for them.
func (b *bench) writeSettings(settings string) (config string, err error) {
	if config, err = os.MkdirTemp(b.temp, "config-"); err != nil {
		return "", err
	}
	dir := filepath.Join(config, "ploke-lsp")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	return config, os.WriteFile(filepath.Join(dir, "config.toml"), []byte(settings), 0o600)
}

// scalingTimeout bounds one turn.
const scalingTimeout = 10 * time.Minute

// ask runs a turn and returns its conversation and how long it took.
func (s *server) ask(ctx context.Context, conversation, text string) (string, time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, scalingTimeout)
	defer cancel()
	began := time.Now()
	var result ploke.ChatSendResult
	_, err := s.conn.Call(ctx, ploke.MethodChatSend, &ploke.ChatSendParams{ConversationID: conversation, Text: text},
		&result)
	if err == nil && result.Error != "" {
		err = errors.New(result.Error)
	}
	return result.ConversationID, time.Since(began), err
}

// callTime returns the time for one of n calls of a tool in a response.
func (s *server) callTime(ctx context.Context, tool string, n int) (time.Duration, error) {
	_, took, err := s.ask(ctx, "", fmt.Sprint(tool, " ", n))
	return took / time.Duration(n), err
}

// turnTimes runs n turns in one conversation, and returns the median time after a tenth of them and
// at the end.
func (s *server) turnTimes(ctx context.Context, n int) (few, all time.Duration, err error) {
	var took []time.Duration
	conversation := ""
	for range n {
		var t time.Duration
		if conversation, t, err = s.ask(ctx, conversation, "go on"); err != nil {
			return 0, 0, err
		}
		took = append(took, t)
	}
	tenth := n / 10
	return percentile(took[tenth:2*tenth], 50), percentile(took[n-tenth:], 50), nil
}

// timesWithProposals returns the median time of a turn with a tenth of n staged proposals of
// the same conversation, and with all of them.
func (s *server) timesWithProposals(ctx context.Context, folder *tree, n int) (few, all time.Duration, err error) {
	conversation, _, err := s.ask(ctx, "", "create_file 1")
	if err != nil {
		return 0, 0, err
	}
	for _, count := range []int{n / 10, n} {
		if err := copyProposals(ctx, folder.state, count); err != nil {
			return 0, 0, err
		}
		var took []time.Duration
		for range 10 {
			var t time.Duration
			if conversation, t, err = s.ask(ctx, conversation, "list_dir 1"); err != nil {
				return 0, 0, err
			}
			took = append(took, t)
		}
		few, all = all, percentile(took, 50)
	}
	return few, all, nil
}

// copyProposals copies the last proposal until there are n copies, each of a turn of its own.
func copyProposals(ctx context.Context, state string, n int) error {
	files, err := filepath.Glob(filepath.Join(state, "*", "state.db"))
	if err != nil || len(files) != 1 {
		return errors.Join(err, fmt.Errorf("%s has %d databases", state, len(files)))
	}
	db, err := store.Open(ctx, files[0])
	if err != nil {
		return err
	}
	defer db.Close()
	return db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
			INSERT INTO proposals (id, conversation_id, request_id, call_id, title, body, status, created_at, updated_at)
			SELECT 'copy ' || n, conversation_id, 'turn ' || n, call_id, title, body, status, created_at, updated_at
			FROM number, (SELECT * FROM proposals WHERE status = 'staged' ORDER BY rowid DESC LIMIT 1)
			WHERE true
			ON CONFLICT (id) DO NOTHING`, n)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `
			INSERT INTO proposal_changes (proposal_id, position, change)
			SELECT copies.id, position, change FROM proposals copies, proposal_changes
			WHERE copies.id LIKE 'copy %' AND proposal_id =
				(SELECT id FROM proposals WHERE status = 'staged' AND id NOT LIKE 'copy %' ORDER BY rowid DESC LIMIT 1)
			ON CONFLICT DO NOTHING`)
		return err
	})
}

// obey answers chat completions: a person's message "TOOL N" gets N calls of the tool, and
// everything else gets a word.
func obey(w http.ResponseWriter, r *http.Request) {
	last, err := lastMessage(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	tool, n := "", 0
	if words := strings.Fields(last.Content); last.Role == "user" && len(words) > 1 {
		tool = words[len(words)-2]
		_, _ = fmt.Sscan(words[len(words)-1], &n) // else there are no calls
	}
	if n == 0 {
		fmt.Fprintf(w, "data: %s\n\ndata: %s\n\n", completionChunk("Done.", ""), completionChunk("", "stop"))
	}
	for i := range n {
		fmt.Fprintf(w, "data: %s\n\n", callChunk(i, tool))
	}
	if n > 0 {
		fmt.Fprintf(w, "data: %s\n\n", completionChunk("", "tool_calls"))
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// chatMessage is a message of a request in OpenAI's format.
type chatMessage struct{ Role, Content string }

// lastMessage reads a request and returns the last of its messages. It decodes no other one, since the model's own time
// must not grow with the conversation. No JSON string has these quotation marks without a backslash.
func lastMessage(body io.Reader) (last chatMessage, err error) {
	request, err := io.ReadAll(body)
	if err != nil {
		return last, err
	}
	messages, _, found := bytes.Cut(request, []byte(`],"model":`))
	start := bytes.LastIndex(messages, []byte(`{"content":`))
	if !found || start < 0 {
		return last, errors.New("not a request")
	}
	return last, json.Unmarshal(messages[start:], &last)
}

// callChunk returns a chunk with one call.
func callChunk(i int, tool string) []byte {
	arguments := `{"dir":"."}`
	if tool == "create_file" {
		arguments = fmt.Sprintf(`{"file":"new%d.txt","content":"new"}`, i)
	}
	type object = map[string]any
	chunk, err := json.Marshal(object{"choices": []object{{"index": 0, "delta": object{"tool_calls": []object{
		{"index": i, "id": fmt.Sprint("call", i), "function": object{"name": tool, "arguments": arguments}}}}}}})
	if err != nil {
		panic(err) // maps of plain values
	}
	return chunk
}
