package llm

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
)

// Embeddings is a model that turns texts into vectors, at an endpoint with OpenAI's
// embeddings API, such as OpenAI, Voyage, Ollama or llama.cpp. It is safe for
// concurrent use.
type Embeddings struct {
	endpoint
	model      string
	dimensions int
	service    openai.EmbeddingService
}

// OpenAIEmbeddings returns a model at the endpoint of c. dimensions is the length of
// its vectors; 0 means the model's default, which many models can't change.
func OpenAIEmbeddings(c OpenAIConfig, model string, dimensions int) *Embeddings {
	if c.BaseURL == "" {
		c.BaseURL = openAIBaseURL
	}
	return &Embeddings{endpoint: newEndpoint(c.Name, c.BaseURL, c.APIKey), model: model, dimensions: dimensions,
		service: openai.NewEmbeddingService(c.options(vectorBounds)...)}
}

// OllamaEmbeddings is [OpenAIEmbeddings] for an Ollama server.
func OllamaEmbeddings(c OllamaConfig, model string, dimensions int) *Embeddings {
	if c.BaseURL == "" {
		c.BaseURL = ollamaBaseURL
	}
	return OpenAIEmbeddings(OpenAIConfig{
		Name: c.Name, BaseURL: strings.TrimSuffix(strings.TrimSuffix(c.BaseURL, "/"), "/v1") + "/v1", APIKey: c.APIKey,
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

// Embed returns a vector for each text, in order, and the usage. It does not retry.
// If one text is too long for the model, the request fails with [ContextTooLong].
func (e *Embeddings) Embed(ctx context.Context, texts []string) ([][]float32, Usage, error) {
	// Without an encoding all servers send numbers; Voyage has no name for that encoding.
	params := openai.EmbeddingNewParams{Model: e.model, Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: texts}}
	if e.dimensions > 0 {
		params.Dimensions = param.NewOpt(int64(e.dimensions))
	}
	var response *http.Response
	answer, err := e.service.New(ctx, params, option.WithResponseInto(&response))
	if err != nil {
		return nil, Usage{}, e.explain(ctx, tooLongToEmbed(requestError(err, response, false)))
	}
	if answer == nil { // the answer is null
		answer = &openai.CreateEmbeddingResponse{}
	}
	usage := Usage{In: int(answer.Usage.PromptTokens)}
	vectors, err := inOrder(answer.Data, len(texts))
	if err != nil {
		return nil, usage, e.explain(ctx, err)
	}
	return vectors, usage, nil
}

// inOrder returns the vectors of n texts in their order; servers may send them in any
// order.
func inOrder(data []openai.Embedding, n int) ([][]float32, error) {
	vectors := make([][]float32, n)
	for _, d := range data {
		if d.Index < 0 || int(d.Index) >= n || vectors[d.Index] != nil || len(d.Embedding) == 0 {
			return nil, &Error{Class: BadResponse, Message: "the answer has vectors for texts that were not sent"}
		}
		v := make([]float32, len(d.Embedding))
		for i, x := range d.Embedding {
			v[i] = float32(x)
		}
		vectors[d.Index] = v
	}
	if len(data) < n {
		return nil, &Error{Class: BadResponse, Message: fmt.Sprintf("the answer has %d vectors for %d texts", len(data), n)}
	}
	return vectors, nil
}

// tooLongToEmbed recognizes servers' messages for a text that is too long. llama.cpp
// sends its message as a server error.
func tooLongToEmbed(e *Error) *Error {
	if strings.Contains(e.Message, "too large to process") || strings.Contains(e.Message, "input length exceeds") {
		e.Class = ContextTooLong
	}
	return e
}

// EmbeddingTokens estimates the tokens of a text with a number of bytes. It
// overestimates rather than underestimates.
func EmbeddingTokens(bytes int) int { return int(math.Ceil(float64(bytes) / embeddingBytes)) }

// embeddingBytes is a lower bound on the bytes of code per token, averaged over a
// file, in the vocabularies of embedding models. WordPiece has the shortest tokens.
const embeddingBytes = 3
