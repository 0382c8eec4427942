package llm

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strings"

	"github.com/tidwall/gjson"
)

// Embeddings is a model that turns texts into vectors, at an endpoint with OpenAI's
// embeddings API, such as OpenAI, Voyage, Ollama or llama.cpp. It is safe for
// concurrent use.
type Embeddings struct {
	endpoint
	model      string
	dimensions int
	client     *http.Client
}

// OpenAIEmbeddings returns a model at the endpoint of c. dimensions is the length of
// its vectors; 0 means the model's default, which many models can't change.
func OpenAIEmbeddings(c OpenAIConfig, model string, dimensions int) *Embeddings {
	if c.BaseURL == "" {
		c.BaseURL = openAIBaseURL
	}
	return &Embeddings{endpoint: newEndpoint(c.Name, c.BaseURL, c.APIKey).withVersion(), model: model,
		dimensions: dimensions,
		client:     newClient(c.HTTPClient, vectorBounds, c.FirstByte, c.Idle)}
}

// OllamaEmbeddings is [OpenAIEmbeddings] for an Ollama server.
func OllamaEmbeddings(c OllamaConfig, model string, dimensions int) *Embeddings {
	if c.BaseURL == "" {
		c.BaseURL = ollamaBaseURL
	}
	return OpenAIEmbeddings(OpenAIConfig{
		Name: c.Name, BaseURL: withPath(withoutVersion(c.BaseURL), "v1"), APIKey: c.APIKey,
		HTTPClient: c.HTTPClient, FirstByte: c.FirstByte, Idle: c.Idle,
	}, model, dimensions)
}

// OpenRouterEmbeddings is [OpenAIEmbeddings] for OpenRouter.
func OpenRouterEmbeddings(c OpenAIConfig, model string, dimensions int) *Embeddings {
	if c.BaseURL == "" {
		c.BaseURL = openRouterBaseURL
	}
	return OpenAIEmbeddings(c, model, dimensions)
}

// Model returns the provider's name of the model.
func (e *Embeddings) Model() string { return e.model }

// embeddingsRequest is the body of a request. Without an encoding all servers send numbers; Voyage has no name for that
// encoding.
type embeddingsRequest struct {
	Input      []string `json:"input"`
	Model      string   `json:"model"`
	Dimensions int      `json:"dimensions,omitempty"`
}

// Embed returns a vector for each text, in order, and the usage. It does not retry.
// If one text is too long for the model, the request fails with [ContextTooLong].
func (e *Embeddings) Embed(ctx context.Context, texts []string) ([][]float32, Usage, error) {
	body, err := appendJSON(nil, embeddingsRequest{Input: texts, Model: e.model, Dimensions: e.dimensions})
	if err != nil {
		return nil, Usage{}, err
	}
	var answer jsonValue
	if err := e.doJSON(ctx, e.client, http.MethodPost, "embeddings", body, &answer); err != nil {
		return nil, Usage{}, e.explain(ctx, tooLongToEmbed(err))
	}
	usage := Usage{In: int(answer.Get("usage.prompt_tokens").Int())}
	vectors, err := inOrder(listOf(answer.Result, "data"), len(texts))
	if err != nil {
		return nil, usage, e.explain(ctx, err)
	}
	return vectors, usage, nil
}

// inOrder returns the vectors of n texts in their order; servers may send them in any
// order.
func inOrder(data []gjson.Result, n int) ([][]float32, error) {
	vectors := make([][]float32, n)
	for _, d := range data {
		i, v := d.Get("index").Int(), vectorOf(d.Get("embedding"))
		if i < 0 || i >= int64(n) || vectors[i] != nil || v == nil {
			return nil, &Error{Class: BadResponse, Message: "the answer has vectors for texts that were not sent"}
		}
		vectors[i] = v
	}
	if len(data) < n {
		return nil, &Error{Class: BadResponse, Message: fmt.Sprintf("the answer has %d vectors for %d texts", len(data), n)}
	}
	return vectors, nil
}

// vectorOf returns the numbers of an array, or nil if there are none or something else is among
// them. null is 0: it is how some servers write a number that JSON does not have.
func vectorOf(array gjson.Result) (v []float32) {
	if !array.IsArray() {
		return nil
	}
	array.ForEach(func(_, x gjson.Result) bool {
		if x.Type != gjson.Number && x.Type != gjson.Null {
			v = nil
			return false
		}
		v = append(v, float32(x.Num))
		return true
	})
	return v
}

// tooLongToEmbed recognizes servers' messages for a text that is too long. llama.cpp
// sends its message as a server error.
func tooLongToEmbed(err error) error {
	if e, ok := err.(*Error); ok &&
		(strings.Contains(e.Message, "too large to process") || strings.Contains(e.Message, "input length exceeds")) {
		e.Class = ContextTooLong
	}
	return err
}

// EmbeddingTokens estimates the tokens of a text with a number of bytes. It
// overestimates rather than underestimates.
func EmbeddingTokens(bytes int) int { return int(math.Ceil(float64(bytes) / embeddingBytes)) }

// embeddingBytes is a lower bound on the bytes of code per token, averaged over a
// file, in the vocabularies of embedding models. WordPiece has the shortest tokens.
const embeddingBytes = 3
