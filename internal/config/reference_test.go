package config_test

import (
	"slices"
	"testing"

	"ploke-lsp/internal/config"
)

// TestEverySettingHasADoc also checks a sample of the keys and the texts.
func TestEverySettingHasADoc(t *testing.T) {
	entries := config.Reference()
	for _, e := range entries {
		if e.Doc == "" {
			t.Errorf("%s has no doc tag", e.Key)
		}
	}
	for _, want := range []config.Entry{
		{Key: "model", Doc: `the model to use: "embedded" or "PROVIDER/MODEL"`, Default: `"embedded"`},
		{Key: "providers.NAME.models.ID.parallelTools", Doc: "whether the model can call several tools at once", Default: "true", UserOnly: true},
		{Key: "limits.dailyCost", Doc: "US dollars that may be spent in a day, for each workspace", Default: "no limit", UserOnly: true},
		{Key: "limits.toolTimeout", Doc: "seconds that a tool call may take", Default: "30"},
		{Key: "telemetry.headers.NAME", Doc: "a header to send with each request to the collector", UserOnly: true},
	} {
		if !slices.Contains(entries, want) {
			t.Errorf("there is no entry %+v", want)
		}
	}
}
