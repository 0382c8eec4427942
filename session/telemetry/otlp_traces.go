package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// spanExporter is a [sdktrace.SpanExporter]. It leaves links out, of which
// there are none.
type spanExporter struct{ otlpClient }

// The messages of opentelemetry.proto.trace.v1; ids are hexadecimal.
type (
	otlpTraces struct {
		ResourceSpans []otlpResourceSpans `json:"resourceSpans"`
	}
	otlpResourceSpans struct {
		Resource   otlpResource     `json:"resource"`
		ScopeSpans []otlpScopeSpans `json:"scopeSpans"`
	}
	otlpScopeSpans struct {
		Scope otlpScope  `json:"scope"`
		Spans []otlpSpan `json:"spans"`
	}
	otlpSpan struct {
		TraceID    trace.TraceID   `json:"traceId"`
		SpanID     trace.SpanID    `json:"spanId"`
		Parent     string          `json:"parentSpanId,omitempty"`
		Name       string          `json:"name"`
		Kind       trace.SpanKind  `json:"kind"`
		Start      string          `json:"startTimeUnixNano"`
		End        string          `json:"endTimeUnixNano"`
		Attributes []otlpAttribute `json:"attributes"`
		Events     []otlpEvent     `json:"events,omitempty"`
		Status     otlpStatus      `json:"status"`
	}
	otlpEvent struct {
		Time       string          `json:"timeUnixNano"`
		Name       string          `json:"name"`
		Attributes []otlpAttribute `json:"attributes"`
	}
	otlpStatus struct {
		Code    int    `json:"code"`
		Message string `json:"message,omitempty"`
	}
)

// otlpStatusCodes has the two that are not zero; the SDK numbers them otherwise.
var otlpStatusCodes = map[codes.Code]int{codes.Ok: 1, codes.Error: 2}

// ExportSpans sends spans, which are of one process.
func (e *spanExporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	if len(spans) == 0 {
		return nil
	}
	scoped := otlpScopeSpans{Scope: otlpScope{scope}}
	for _, s := range spans {
		scoped.Spans = append(scoped.Spans, otlpSpanOf(s))
	}
	return e.export(ctx, otlpTraces{[]otlpResourceSpans{{otlpResourceOf(spans[0].Resource()), []otlpScopeSpans{scoped}}}})
}

// Shutdown has nothing to do: nothing is held.
func (*spanExporter) Shutdown(context.Context) error { return nil }

func otlpSpanOf(s sdktrace.ReadOnlySpan) otlpSpan {
	span := otlpSpan{
		TraceID: s.SpanContext().TraceID(), SpanID: s.SpanContext().SpanID(), Name: s.Name(), Kind: s.SpanKind(),
		Start: otlpTime(s.StartTime()), End: otlpTime(s.EndTime()), Attributes: otlpAttributes(s.Attributes()),
		Status: otlpStatus{otlpStatusCodes[s.Status().Code], s.Status().Description},
	}
	if p := s.Parent().SpanID(); p.IsValid() {
		span.Parent = p.String()
	}
	for _, e := range s.Events() {
		span.Events = append(span.Events, otlpEvent{otlpTime(e.Time), e.Name, otlpAttributes(e.Attributes)})
	}
	return span
}
