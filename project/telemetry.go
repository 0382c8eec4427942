package project

import (
	"ploke-lsp/internal/config"
	"ploke-lsp/session/telemetry"
)

// startTelemetry exports spans and counts, if the environment or the settings
// name a collector. If that fails, everything else still works.
func (p *Project) startTelemetry(o Options, settings config.Telemetry) {
	collector, err := telemetry.Find(o.Getenv, settings.Endpoint, settings.Headers)
	if err == nil && collector != nil {
		p.telemetry, err = telemetry.Start(p.bus, collector, o.HTTPClient, o.Version, o.Logger)
	}
	if err != nil {
		o.Logger.Warn("telemetry is not exported", "error", err)
	}
}

// stopTelemetry exports the rest. The bus must be closed.
func (p *Project) stopTelemetry() {
	if p.telemetry == nil {
		return
	}
	if err := p.telemetry.Close(); err != nil {
		p.log.Warn("the last telemetry was not exported", "error", err)
	}
}
