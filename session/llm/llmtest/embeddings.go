package llmtest

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
)

// Embeddings is a server of OpenAI's embeddings API with meaningful vectors: texts
// that share words, or words that share three letters in a row, have similar
// directions. Synonyms maps words to words with the same meaning.
type Embeddings struct {
	URL        string // base URL, ends in /v1
	Dimensions int
	Synonyms   map[string]string
	// Answer returns the response to the n-th request, from 1. nil, or a turn without
	// a status, is a successful response, after its Hold. Calls may be concurrent.
	Answer func(n int, r *EmbeddingsRequest) *Turn

	mu       sync.Mutex
	requests []EmbeddingsRequest
}

// EmbeddingsRequest is a received request.
type EmbeddingsRequest struct {
	Header     http.Header `json:"-"`
	Model      string
	Input      []string
	Dimensions int

	Encoding string `json:"encoding_format"` // rejected, as Voyage rejects "float"
}

// NewEmbeddings runs a server until t ends.
func NewEmbeddings(t testing.TB, dimensions int) *Embeddings {
	t.Helper()
	e := &Embeddings{Dimensions: dimensions}
	h := httptest.NewServer(e)
	t.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
	})
	e.URL = h.URL + "/v1"
	return e
}

// Requests returns the requests so far, in order.
func (e *Embeddings) Requests() []EmbeddingsRequest {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.requests)
}

// Texts returns the texts of all requests so far, in order.
func (e *Embeddings) Texts() (texts []string) {
	for _, r := range e.Requests() {
		texts = append(texts, r.Input...)
	}
	return texts
}

// ServeHTTP answers one request.
func (e *Embeddings) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	req := EmbeddingsRequest{Header: r.Header.Clone()}
	err := json.NewDecoder(r.Body).Decode(&req)
	if err != nil || !strings.HasSuffix(r.URL.Path, "/embeddings") || req.Encoding != "" {
		writeError(w, &Turn{Status: http.StatusBadRequest},
			fmt.Sprintf("not an embeddings request: %s %s: %v", r.Method, r.URL, err))
		return
	}
	e.mu.Lock()
	e.requests = append(e.requests, req)
	n := len(e.requests)
	e.mu.Unlock()
	var turn *Turn
	if e.Answer != nil {
		turn = e.Answer(n, &req)
	}
	if turn != nil && turn.Hold != nil {
		close(turn.Hold.reached)
		select {
		case <-turn.Hold.open:
		case <-r.Context().Done():
			return
		}
	}
	if turn != nil && turn.Status != 0 && turn.Status != http.StatusOK {
		writeError(w, turn, "scripted error")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	e.answer(w, &req)
}

// answer writes the vectors in reverse order, since a client must not rely on their
// order.
func (e *Embeddings) answer(w io.Writer, req *EmbeddingsRequest) {
	type datum struct {
		Object    string    `json:"object"`
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	dimensions := e.Dimensions
	if req.Dimensions > 0 {
		dimensions = req.Dimensions
	}
	data, tokens := []datum{}, 0
	for i, text := range slices.Backward(req.Input) {
		data = append(data, datum{"embedding", i, e.Vector(text, dimensions)})
		tokens += (len(text) + 3) / 4
	}
	json.NewEncoder(w).Encode(map[string]any{"object": "list", "model": req.Model, "data": data,
		"usage": map[string]int{"prompt_tokens": tokens, "total_tokens": tokens}})
}

// Vector returns the vector of a text: the sum of the hashes of its words and their
// trigrams.
func (e *Embeddings) Vector(text string, dimensions int) []float32 {
	v := make([]float32, dimensions)
	v[0] = 0.1 // an empty text needs a direction, too
	for word := range strings.FieldsFuncSeq(strings.ToLower(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if other, ok := e.Synonyms[word]; ok {
			word = other
		}
		put(v, word, 1)
		for i := range max(len(word)-2, 0) {
			put(v, word[i:i+3], 0.3)
		}
	}
	return v
}

// put adds a feature to eight components of a vector.
func put(v []float32, feature string, weight float64) {
	h := fnv.New64a()
	io.WriteString(h, feature)
	sum := h.Sum64()
	for range 8 {
		sum = sum*6364136223846793005 + 1442695040888963407
		sign := float64(int64(sum>>62&2) - 1)
		v[int(sum>>33)%len(v)] += float32(sign * weight / math.Sqrt(8))
	}
}
