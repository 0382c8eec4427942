package session

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"ploke-lsp/index"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/redact"
)

// Embedding configures the model that makes vectors, and the texts that it gets.
type Embedding struct {
	// Model returns the model and may be slow. The model is kept until the provider rejects its key.
	Model func(context.Context) (*llm.Embeddings, error)
	// Space identifies the model and all settings that its vectors depend on.
	Space string
	// PassagePrefix and QueryPrefix come before each text. Many models were trained
	// to distinguish the two by such prefixes.
	PassagePrefix, QueryPrefix string
	Price                      *llm.Price // nil if unknown
}

// Embedder returns an embedder for an index. Its requests are in the ledger before
// they are sent, contain no secrets, and count for the daily limit.
func (e *Engine) Embedder(m Embedding) index.Embedder {
	return &embedder{Embedding: m, engine: e, vault: redact.New(newID())}
}

type embedder struct {
	Embedding
	engine *Engine
	vault  *redact.Vault

	mu    sync.Mutex
	model *llm.Embeddings // nil until resolved
}

func (m *embedder) resolveModel(ctx context.Context) (_ *llm.Embeddings, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.model == nil {
		m.model, err = m.Embedding.Model(ctx)
	}
	return m.model, err
}

// dropRejectedModel makes the next request resolve the model again if err says that
// its key was rejected.
func (m *embedder) dropRejectedModel(err error) {
	var e *llm.Error
	if errors.As(err, &e) && e.Class == llm.Auth {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.model = nil
	}
}

// hideSecrets hides the secrets in a server's words.
func (m *embedder) hideSecrets(err error) {
	var e *llm.Error
	if errors.As(err, &e) {
		e.Message, _ = m.hide(e.Message)
	}
}

// hide replaces the secrets in a text: those that the rules find, those that the engine's
// conversations know, and more.
func (m *embedder) hide(text string, more ...string) (hidden string, places int) {
	return m.vault.Hide(text, append(m.engine.kept.known.in(text), more...)...)
}

func (m *embedder) Space() string { return m.Embedding.Space }

// embeddingRetries is how often a request for passages is repeated. It runs in the
// background, so minutes are fine.
const embeddingRetries = 6

// Embed implements [index.Embedder]. It splits a batch that is too large for the
// model, and cuts off the end of a text that is too long.
func (m *embedder) Embed(ctx context.Context, passages []index.Passage) ([][]float32, error) {
	if err := m.engine.loadWrittenSecrets(ctx); err != nil {
		return nil, err
	}
	hidden := make([]hiddenPassage, len(passages))
	for i, p := range passages {
		hidden[i] = m.hidePassage(p)
	}
	return m.embed(ctx, hidden)
}

// hiddenPassage is a passage with placeholders for its secrets.
type hiddenPassage struct {
	index.Passage
	places int // in the title and the text
}

func (m *embedder) hidePassage(p index.Passage) hiddenPassage {
	title, inTitle := m.hide(p.Title)
	text, inText := m.hide(p.Text, p.Secrets...)
	p.Title, p.Text, p.Secrets = title, text, nil
	return hiddenPassage{p, inTitle + inText}
}

// embed embeds passages, in several requests if necessary.
func (m *embedder) embed(ctx context.Context, passages []hiddenPassage) ([][]float32, error) {
	vectors, err := m.embedWithRetry(ctx, passages)
	var e *llm.Error
	switch {
	case !errors.As(err, &e) || e.Class != llm.ContextTooLong:
		return vectors, err
	case len(passages) > 1:
		half := len(passages) / 2
		first, err := m.embed(ctx, passages[:half])
		if err != nil {
			return nil, err
		}
		rest, err := m.embed(ctx, passages[half:])
		return append(first, rest...), err
	case len(passages[0].Text) > 1:
		short := passages[0]
		short.Text = strings.ToValidUTF8(short.Text[:len(short.Text)/2], "")
		short.EndLine = short.StartLine + strings.Count(strings.TrimSuffix(short.Text, "\n"), "\n")
		return m.embed(ctx, []hiddenPassage{short})
	}
	return nil, err
}

// embedWithRetry sends passages, and repeats a request that failed temporarily.
func (m *embedder) embedWithRetry(ctx context.Context, passages []hiddenPassage) ([][]float32, error) {
	request := embeddingRequest{role: "passages"}
	texts := make([]string, len(passages))
	for i, p := range passages {
		texts[i] = m.PassagePrefix + p.Title + "\n" + p.Text
		request.secrets += p.places
		request.files = append(request.files,
			SentFile{Path: p.Path, StartLine: p.StartLine, EndLine: p.EndLine, Bytes: len(p.Text), SHA256: hashOf(p.Text)})
	}
	for attempt := 1; ; attempt++ {
		vectors, err := m.send(ctx, request, texts)
		wait, again := backOff(err, attempt, embeddingRetries)
		if err == nil || !again {
			return vectors, err
		}
		if err := m.engine.sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// EmbedQuery implements [index.Embedder].
func (m *embedder) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	request := embeddingRequest{role: "query", files: []SentFile{}}
	text, request.secrets = m.hide(text)
	vectors, err := m.send(ctx, request, []string{m.QueryPrefix + text})
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// embeddingRequest holds the values that the ledger stores of a request.
type embeddingRequest struct {
	role    string
	files   []SentFile
	secrets int // number of placeholders
}

// send sends texts once.
func (m *embedder) send(ctx context.Context, r embeddingRequest, texts []string) ([][]float32, error) {
	model, err := m.resolveModel(ctx)
	if err != nil {
		return nil, err
	}
	item := newSentItem(r.role, texts...)
	item.Secrets = r.secrets
	e, db := ledgerRow{id: newID(), provider: model.Name(), host: model.Host(), model: model.Model(),
		sent: []sentItem{item}, files: r.files}, m.engine.opts.DB
	if err := m.reserveBudget(ctx, e.id, item.Bytes); err != nil {
		return nil, err
	}
	defer m.engine.budget.release(e.id)
	if err := db.Record(ctx, func(tx *sql.Tx) error { return e.insert(ctx, tx) }); err != nil {
		return nil, fmt.Errorf("the ledger could not be written: %v", err)
	}
	began := time.Now()
	vectors, usage, err := model.Embed(ctx, texts)
	m.dropRejectedModel(err)
	m.hideSecrets(err)
	e.usage, e.latency = usage, time.Since(began)
	if m.Price != nil {
		e.usage.Cost = m.Price.Cost(usage)
	}
	settling := context.WithoutCancel(ctx)
	if stored := db.Record(settling, func(tx *sql.Tx) error { return e.settle(settling, tx) }); stored != nil {
		return nil, errors.Join(err, fmt.Errorf("the ledger could not be written: %v", stored))
	}
	return vectors, err
}

// reserveBudget reserves the maximum cost of texts with a number of bytes. It fails
// if the daily budget is not enough.
func (m *embedder) reserveBudget(ctx context.Context, id string, bytes int) error {
	limits, _ := m.engine.configured()
	if limits.DailyCost <= 0 || m.Price == nil {
		return nil
	}
	b := &m.engine.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	spent, err := spentSince(ctx, m.engine.opts.DB.Read(), midnight(time.Now()))
	if err != nil {
		return fmt.Errorf("the day's costs could not be read: %v", err)
	}
	need := m.Price.MaxCost(llm.EmbeddingTokens(bytes), 0)
	if held := b.reservedByOthers(id); spent+held+need > limits.DailyCost {
		return &limitError{bus.ErrorBudget, overBudget(limits.DailyCost, spent, held, need)}
	}
	b.reserve(id, need)
	return nil
}
