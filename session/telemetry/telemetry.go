// Package telemetry exports spans and metrics of the bus's events to an OpenTelemetry
// collector.
//
// Its promises:
//
//   - Nothing is exported unless the environment or the settings name a collector;
//     see [Find].
//   - No text is exported: no messages, code, arguments, paths or error messages.
//     Only names of tools and models, ids, codes, times and counts are.
//   - Spans, counts and headers go to the collector's origin alone: a redirect to
//     another one is refused.
//   - It is an observer of the bus: nothing ever waits for the collector. If it
//     falls behind, it loses the open spans, logs that, and continues.
//
// There is a span for each turn, with a child span for each request to a model and
// each tool call. Their attributes are request_id (the turn), parent_id,
// conversation_id, call_id, tool and model, where they apply.
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
	"ploke-lsp/session/llm"
)

const (
	scope  = "ploke-lsp"
	buffer = 4096 // number of unread events
	// closeGrace is the maximum time of the last export.
	closeGrace = 3 * time.Second
)

// Telemetry exports the events of a bus.
type Telemetry struct {
	log       *slog.Logger
	traces    *sdktrace.TracerProvider
	metrics   *sdkmetric.MeterProvider
	observing sync.WaitGroup
}

// Start observes b until it is closed, and exports to c over OTLP (HTTP with JSON).
// version is the program's version.
func Start(b *bus.Bus, c *Collector, client *http.Client, version string, log *slog.Logger) (*Telemetry, error) {
	client = llm.Outbound(client)
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("exporting telemetry failed", "error", err) }))
	what, err := resource.Merge(resource.Default(), resource.NewSchemaless(
		attribute.String("service.name", scope), attribute.String("service.version", version)))
	if err != nil {
		log.Warn("the environment's resource attributes can't be used", "error", err)
	}
	spans, measures := []sdktrace.TracerProviderOption{sdktrace.WithResource(what)},
		[]sdkmetric.Option{sdkmetric.WithResource(what)}
	if c.traces.url != "" {
		spans = append(spans, sdktrace.WithBatcher(&spanExporter{otlpClient{c.traces, client}}))
	}
	if c.metrics.url != "" {
		measures = append(measures,
			sdkmetric.WithReader(sdkmetric.NewPeriodicReader(&metricExporter{otlpClient{c.metrics, client}})))
	}
	t := &Telemetry{log: log, traces: sdktrace.NewTracerProvider(spans...),
		metrics: sdkmetric.NewMeterProvider(measures...)}
	if err := t.observe(b, b.Observer("telemetry", buffer)); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// observe follows the events of sub.
func (t *Telemetry) observe(b *bus.Bus, sub *bus.Subscription) error {
	counters, err := newInstruments(t.metrics.Meter(scope))
	if err != nil {
		sub.Close()
		return err
	}
	t.observing.Go(func() {
		for errors.Is(newObserver(t.traces.Tracer(scope), counters).follow(sub), bus.ErrFellBehind) {
			sub = b.Observer("telemetry", buffer)
			t.log.Warn("telemetry fell behind; the open spans are lost")
		}
	})
	return nil
}

// Close waits for the end of the bus, which must have been closed, and exports the
// remaining data.
func (t *Telemetry) Close() error {
	t.observing.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	return errors.Join(t.traces.Shutdown(ctx), t.metrics.Shutdown(ctx))
}
