package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ploke-lsp/internal/config"
	"ploke-lsp/project"
	"ploke-lsp/session"
	"ploke-lsp/session/llm/llmtest"
)

func TestDoctorTriesTheModelForVectors(t *testing.T) {
	server := llmtest.NewEmbeddings(t, 48)
	for _, c := range []struct {
		turn *llmtest.Turn
		want string
	}{
		{nil, "ok    vectors    home/m made a vector of 48 dimensions in "},
		{&llmtest.Turn{Status: 404}, "warn  vectors    home/m does not make vectors: home: scripted error (HTTP 404): check the model's name and the base URL"},
	} {
		server.Answer = func(int, *llmtest.EmbeddingsRequest) *llmtest.Turn { return c.turn }
		settings := project.NewSettings(config.FromJSON("", fmt.Appendf(nil,
			`{"providers": {"home": {"type": "ollama", "baseUrl": %q}}, "index": {"embeddings": {"provider": "home", "model": "m"}}}`, server.URL)))
		models := project.NewModels(project.Options{Settings: settings})
		var out strings.Builder
		d := doctor{out: &out}
		if d.checkEmbeddings(t.Context(), models, settings.Now().Index.Embeddings, "config.toml"); !strings.HasPrefix(out.String(), c.want) ||
			d.failed {
			t.Errorf("got %q, want %q", out.String(), c.want)
		}
	}
}

func TestDoctorNamesStandingAnswers(t *testing.T) {
	var out strings.Builder
	d := doctor{out: &out}
	since := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	d.report(project.PermissionFindings([]session.StandingAnswer{
		{Key: "check:lint", Title: "run the check lint", Allowed: true, Since: since},
		{Key: "check:test", Title: "run the check test", Since: since},
	}, revocation)...)
	want := `ok    permission "run the check lint" is always allowed, since 2026-03-01 12:00:00; the command ploke.permission.forget with the key "check:lint" deletes this answer
ok    permission "run the check test" is always rejected, since 2026-03-01 12:00:00; the command ploke.permission.forget with the key "check:test" deletes this answer
`
	if out.String() != want || d.failed {
		t.Errorf("got\n%s", out.String())
	}
}
