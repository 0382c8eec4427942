package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
)

// provenance writes which source and which tools made which files: an in-toto statement with
// SLSA's predicate of version 1. It is not signed; whoever publishes signs it.
func (r *release) provenance(sums []sum) error {
	type digest map[string]string
	subjects := []any{}
	for _, s := range sums {
		subjects = append(subjects, map[string]any{"name": s.name, "digest": digest{"sha256": s.sha256}})
	}
	material := map[string]any{"digest": digest{"gitCommit": r.stamp.commit},
		"annotations": map[string]string{"tag": r.stamp.tag}}
	if r.publisher.Repository != "" {
		material["uri"] = "git+" + r.publisher.Repository
	}
	text, err := json.MarshalIndent(map[string]any{
		"_type":         "https://in-toto.io/Statement/v1",
		"subject":       subjects,
		"predicateType": "https://slsa.dev/provenance/v1",
		"predicate": map[string]any{
			"buildDefinition": map[string]any{
				"buildType":            "urn:ploke-lsp:make-release:v1",
				"externalParameters":   map[string]any{"version": r.stamp.tag},
				"internalParameters":   map[string]any{"go": runtime.Version()},
				"resolvedDependencies": []any{material},
			},
			"runDetails": map[string]any{"builder": map[string]any{"id": r.publisher.Builder}},
		},
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, r.name("provenance.intoto.json")), append(text, '\n'), 0o644)
}
