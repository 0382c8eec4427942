package llm

import (
	"context"
	"net/http"

	"github.com/openai/openai-go/v3/packages/ssestream"
)

func (p *openAI) sendChat(ctx context.Context, req *Request, emit func(Chunk) bool) error {
	body, err := p.chatBody(req)
	if err != nil {
		return err
	}
	var response *http.Response
	err = p.client.Post(ctx, "chat/completions", body, &response)
	stream := ssestream.NewStream[chatChunk](ssestream.NewDecoder(response), err)
	defer stream.Close()
	var a chatAnswer
	for stream.Next() {
		if c := a.add(stream.Current()); (c.Text != "" || c.Reasoning != "") && !emit(c) {
			return nil
		}
	}
	if err = stream.Err(); err == nil {
		err = a.complete()
	}
	if err != nil {
		return requestError(err, response, a.begun)
	}
	a.end(emit)
	return nil
}
