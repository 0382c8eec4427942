package project

import (
	"log/slog"

	"ploke-lsp/internal/config"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/telemetry"
)

// startTelemetry exports spans and counts, if the environment or the settings
// name a collector. If that fails, everything else still works.
func startTelemetry(events *bus.Bus, o Options, settings config.Telemetry) (t *telemetry.Telemetry) {
	collector, err := telemetry.Find(o.Getenv, settings.Endpoint, settings.Headers)
	if err == nil && collector != nil {
		t, err = telemetry.Start(events, collector, o.HTTPClient, o.Version, o.Logger)
	}
	if err != nil {
		o.Logger.Warn("telemetry is not exported", "error", err)
	}
	return t
}

// stopTelemetry exports the rest. The bus must be closed.
func stopTelemetry(t *telemetry.Telemetry, log *slog.Logger) {
	if t == nil {
		return
	}
	if err := t.Close(); err != nil {
		log.Warn("the last telemetry was not exported", "error", err)
	}
}
