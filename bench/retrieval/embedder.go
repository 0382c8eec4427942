package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"ploke-lsp/index"
	"ploke-lsp/session/llm"
)

// embedder makes vectors with a model at an endpoint of OpenAI's embeddings API, as the engine does. Most texts are
// the same in many commits, so it keeps each vector in a file that has the hash of the text as its name. It is safe for
// concurrent use.
type embedder struct {
	model *llm.Embeddings
	dir   string // of the vectors of this model
}

func newEmbedder(baseURL, model, dir string) *embedder {
	config := llm.OpenAIConfig{Name: "embeddings", BaseURL: baseURL}
	return &embedder{llm.OpenAIEmbeddings(config, model, 0), filepath.Join(dir, folderName(model))}
}

// Space implements [index.Embedder].
func (e *embedder) Space() string { return e.model.Model() }

// Embed implements [index.Embedder].
func (e *embedder) Embed(ctx context.Context, passages []index.Passage) ([][]float32, error) {
	texts := make([]string, len(passages))
	for i, p := range passages {
		texts[i] = p.Title + "\n" + p.Text
	}
	return e.vectors(ctx, texts)
}

// EmbedQuery implements [index.Embedder].
func (e *embedder) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	all, err := e.vectors(ctx, []string{text})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// vectors returns the vectors of texts, and asks the model for those that are not kept.
func (e *embedder) vectors(ctx context.Context, texts []string) ([][]float32, error) {
	all := make([][]float32, len(texts))
	var missing []int
	var wanted []string
	for i, text := range texts {
		v, err := readVector(e.file(text))
		if err != nil {
			return nil, err
		}
		if all[i] = v; v == nil {
			missing, wanted = append(missing, i), append(wanted, text)
		}
	}
	if len(wanted) == 0 {
		return all, nil
	}
	made, _, err := e.model.Embed(ctx, wanted)
	if err != nil {
		return nil, err
	}
	for n, i := range missing {
		all[i] = made[n]
		if err := writeVector(e.file(texts[i]), made[n]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (e *embedder) file(text string) string {
	sum := sha256.Sum256([]byte(text))
	name := hex.EncodeToString(sum[:])
	return filepath.Join(e.dir, name[:2], name)
}

// readVector returns nil if there is no such file.
func readVector(file string) ([]float32, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	v := make([]float32, len(data)/4)
	_, err = binary.Decode(data, binary.LittleEndian, v)
	return v, err
}

// writeVector writes a file at once: a run may be stopped.
func writeVector(file string, v []float32) error {
	var data bytes.Buffer
	err := binary.Write(&data, binary.LittleEndian, v)
	dir := filepath.Dir(file)
	if err := errors.Join(err, os.MkdirAll(dir, 0o755)); err != nil {
		return err
	}
	part, err := os.CreateTemp(dir, "part-*")
	if err != nil {
		return err
	}
	_, err = part.Write(data.Bytes())
	if err := errors.Join(err, part.Close()); err != nil {
		return err
	}
	return os.Rename(part.Name(), file)
}
