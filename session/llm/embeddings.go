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

// Embeddings is a model that turns texts into vectors, at an endpoint that speaks
// OpenAI's embeddings: OpenAI, Voyage, Ollama, llama.cpp. It is safe for concurrent use.
type Embeddings struct {
	name, host string
	model      string
	dimensions int
	service    openai.EmbeddingService
}

// OpenAIEmbeddings returns a model of the endpoint that c names, whose vectors have so
// many dimensions; 0 leaves that to the model, and many models have no choice.
func OpenAIEmbeddings(c OpenAIConfig, model string, dimensions int) *Embeddings {
	opts, host := c.connect()
	return &Embeddings{name: c.Name, host: host, model: model, dimensions: dimensions, service: openai.NewEmbeddingService(opts...)}
}

// OllamaEmbeddings is [OpenAIEmbeddings] of the server that c names.
func OllamaEmbeddings(c OllamaConfig, model string, dimensions int) *Embeddings {
	if c.BaseURL == "" {
		c.BaseURL = ollamaBaseURL
	}
	return OpenAIEmbeddings(OpenAIConfig{
		Name: c.Name, BaseURL: strings.TrimSuffix(strings.TrimSuffix(c.BaseURL, "/"), "/v1") + "/v1", APIKey: c.APIKey,
		HTTPClient: c.HTTPClient, FirstByte: c.FirstByte, Idle: c.Idle,
	}, model, dimensions)
}

// OpenRouterEmbeddings is [OpenAIEmbeddings] of OpenRouter.
func OpenRouterEmbeddings(c OpenAIConfig, model string, dimensions int) *Embeddings {
	if c.BaseURL == "" {
		c.BaseURL = openRouterBaseURL
	}
	return OpenAIEmbeddings(c, model, dimensions)
}

// Name is the provider's.
func (e *Embeddings) Name() string { return e.name }

// Host is where texts are sent to, as [Remote] has it.
func (e *Embeddings) Host() string { return e.host }

// Model is what the provider calls it.
func (e *Embeddings) Model() string { return e.model }

// Embed returns a vector for each text, in their order, and what that has used. It does
// not retry. A text that is too long for the model is a [ContextTooLong] for all.
func (e *Embeddings) Embed(ctx context.Context, texts []string) ([][]float32, Usage, error) {
	// No encoding is asked for: numbers are what all send then, and Voyage knows no name for them.
	params := openai.EmbeddingNewParams{Model: e.model, Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: texts}}
	if e.dimensions > 0 {
		params.Dimensions = param.NewOpt(int64(e.dimensions))
	}
	var response *http.Response
	answer, err := e.service.New(ctx, params, option.WithResponseInto(&response))
	if err != nil {
		return nil, Usage{}, annotate(ctx, e.name, tooLongToEmbed(requestError(err, response, false)))
	}
	usage := Usage{In: int(answer.Usage.PromptTokens)}
	vectors, err := inOrder(answer.Data, len(texts))
	return vectors, usage, annotate(ctx, e.name, err)
}

// inOrder are the vectors of n texts, which a server may give in any order.
func inOrder(data []openai.Embedding, n int) ([][]float32, error) {
	vectors := make([][]float32, n)
	for _, d := range data {
		if d.Index < 0 || int(d.Index) >= n || vectors[d.Index] != nil || len(d.Embedding) == 0 {
			return nil, &Error{Class: BadResponse, Message: "the answer has vectors for other texts than were sent"}
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

// tooLongToEmbed recognizes the words of servers for a text that is too long, which
// llama.cpp sends as if it were down.
func tooLongToEmbed(e *Error) *Error {
	if strings.Contains(e.Message, "too large to process") || strings.Contains(e.Message, "input length exceeds") {
		e.Class = ContextTooLong
	}
	return e
}

// EmbeddingTokens is about how many tokens a text of so many bytes is for a model, rather
// too many than too few.
func EmbeddingTokens(bytes int) int { return int(math.Ceil(float64(bytes) / embeddingBytes)) }

// embeddingBytes is how many bytes of code a token has at least, on the average of a file,
// in the vocabularies of embedding models: WordPiece's are the smallest.
const embeddingBytes = 3
