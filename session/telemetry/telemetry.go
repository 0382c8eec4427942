// Package telemetry tells an OpenTelemetry collector what happens on the bus.
//
// Its promises:
//
//   - Nothing is exported unless the environment or the settings name a
//     collector; see [Find].
//   - No text leaves by this way: no messages, code, arguments, paths or words of
//     errors; names of tools and models, ids, codes, times and counts alone.
//   - It is an observer: however slow the collector is, nothing waits for it. If
//     it falls behind, it loses the spans that are open, says so, and goes on.
//
// There is a span for each turn, and in it one for each request to a model and
// each tool call, with the attributes request_id (the turn), parent_id,
// conversation_id, call_id, tool and model where they apply.
package telemetry

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"ploke-lsp/session/bus"
)

const (
	scope  = "ploke-lsp"
	buffer = 4096 // events that an observer may lag by
	// closeGrace is how long the last export may take.
	closeGrace = 3 * time.Second
)

// Telemetry exports what happens on a bus.
type Telemetry struct {
	log       *slog.Logger
	traces    *sdktrace.TracerProvider
	metrics   *sdkmetric.MeterProvider
	observing sync.WaitGroup
}

// Start observes b until it is closed, and exports over OTLP (HTTP with JSON) to
// c. The version is the program's.
func Start(b *bus.Bus, c *Collector, client *http.Client, version string, log *slog.Logger) (*Telemetry, error) {
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("exporting telemetry failed", "error", err) }))
	what, err := resource.Merge(resource.Default(), resource.NewSchemaless(
		attribute.String("service.name", scope), attribute.String("service.version", version)))
	if err != nil {
		log.Warn("the environment's description of this process is not understood", "error", err)
	}
	spans, measures := []sdktrace.TracerProviderOption{sdktrace.WithResource(what)}, []sdkmetric.Option{sdkmetric.WithResource(what)}
	if c.traces.url != "" {
		spans = append(spans, sdktrace.WithBatcher(&spanExporter{otlpClient{c.traces, client}}))
	}
	if c.metrics.url != "" {
		measures = append(measures, sdkmetric.WithReader(sdkmetric.NewPeriodicReader(&metricExporter{otlpClient{c.metrics, client}})))
	}
	t := &Telemetry{log: log, traces: sdktrace.NewTracerProvider(spans...), metrics: sdkmetric.NewMeterProvider(measures...)}
	if err := t.observe(b, b.Observer("telemetry", buffer)); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// observe follows what is on the bus, from sub on.
func (t *Telemetry) observe(b *bus.Bus, sub *bus.Subscription) error {
	counters, err := newInstruments(t.metrics.Meter(scope))
	if err != nil {
		sub.Close()
		return err
	}
	t.observing.Go(func() {
		for errors.Is(newObserver(t.traces.Tracer(scope), counters).follow(sub), bus.ErrFellBehind) {
			sub = b.Observer("telemetry", buffer)
			t.log.Warn("telemetry fell behind; what was going on is not exported")
		}
	})
	return nil
}

// Close waits for the end of the bus, which must have been closed, and exports
// what is left.
func (t *Telemetry) Close() error {
	t.observing.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	return errors.Join(t.traces.Shutdown(ctx), t.metrics.Shutdown(ctx))
}
