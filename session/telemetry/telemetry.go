// Package telemetry tells an OpenTelemetry collector what happens on the bus.
//
// Its promises:
//
//   - Nothing is exported unless the environment names a collector
//     (OTEL_EXPORTER_OTLP_ENDPOINT and its like); see [Configured].
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
	"fmt"
	"log/slog"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
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

// Configured reports whether the environment names a collector, by the standard
// variables of OpenTelemetry.
func Configured(getenv func(string) string) bool {
	if getenv("OTEL_SDK_DISABLED") == "true" {
		return false
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"} {
		if getenv(name) != "" {
			return true
		}
	}
	return false
}

// Telemetry exports what happens on a bus.
type Telemetry struct {
	log       *slog.Logger
	traces    *sdktrace.TracerProvider
	metrics   *sdkmetric.MeterProvider
	observing sync.WaitGroup
}

// Start observes b until it is closed, and exports over OTLP (HTTP with
// protobuf) to where the process's environment says. The version is the
// program's.
func Start(ctx context.Context, b *bus.Bus, version string, log *slog.Logger) (*Telemetry, error) {
	spans, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("the exporter of traces could not be set up: %v", err)
	}
	metrics, err := otlpmetrichttp.New(ctx)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the exporter of metrics could not be set up: %v", err), spans.Shutdown(ctx))
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("exporting telemetry failed", "error", err) }))
	what, err := resource.Merge(resource.Default(), resource.NewSchemaless(
		attribute.String("service.name", scope), attribute.String("service.version", version)))
	if err != nil {
		log.Warn("the environment's description of this process is not understood", "error", err)
	}
	t := &Telemetry{
		log:     log,
		traces:  sdktrace.NewTracerProvider(sdktrace.WithBatcher(spans), sdktrace.WithResource(what)),
		metrics: sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(metrics)), sdkmetric.WithResource(what)),
	}
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
