package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// spanExporter is a [sdktrace.SpanExporter]. It drops links; there are none.
type spanExporter struct{ otlpClient }

// The messages of opentelemetry.proto.trace.v1; ids are hexadecimal.
type (
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

// otlpStatusCodes maps the SDK's codes to those of OTLP, which differ.
var otlpStatusCodes = map[codes.Code]int{codes.Ok: 1, codes.Error: 2}

// ExportSpans sends spans of one process.
func (e *spanExporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	if len(spans) == 0 {
		return nil
	}
	var list []otlpSpan
	for _, s := range spans {
		list = append(list, otlpSpanOf(s))
	}
	return e.export(ctx, otlpRequest("Spans", spans[0].Resource(), list))
}

// Shutdown does nothing: the exporter has no buffer.
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
