package telemetry

import (
	"context"
	"fmt"
	"strconv"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// metricExporter is a [sdkmetric.Exporter] of the kinds of metrics that
// [instruments] are, all of them cumulative. It leaves exemplars out.
type metricExporter struct{ otlpClient }

// otlpCumulative is AGGREGATION_TEMPORALITY_CUMULATIVE.
const otlpCumulative = 2

// The messages of opentelemetry.proto.metrics.v1.
type (
	otlpMetrics struct {
		ResourceMetrics []otlpResourceMetrics `json:"resourceMetrics"`
	}
	otlpResourceMetrics struct {
		Resource     otlpResource       `json:"resource"`
		ScopeMetrics []otlpScopeMetrics `json:"scopeMetrics"`
	}
	otlpScopeMetrics struct {
		Scope   otlpScope    `json:"scope"`
		Metrics []otlpMetric `json:"metrics"`
	}
	otlpMetric struct {
		Name        string         `json:"name"`
		Description string         `json:"description,omitempty"`
		Unit        string         `json:"unit,omitempty"`
		Sum         *otlpSum       `json:"sum,omitempty"`
		Histogram   *otlpHistogram `json:"histogram,omitempty"`
	}
	otlpSum struct {
		Points      []otlpNumber `json:"dataPoints"`
		Temporality int          `json:"aggregationTemporality"`
		Monotonic   bool         `json:"isMonotonic"`
	}
	otlpHistogram struct {
		Points      []otlpBuckets `json:"dataPoints"`
		Temporality int           `json:"aggregationTemporality"`
	}
	otlpPoint struct {
		Attributes []otlpAttribute `json:"attributes"`
		Start      string          `json:"startTimeUnixNano"`
		Time       string          `json:"timeUnixNano"`
	}
	otlpNumber struct {
		otlpPoint
		Int    *int64   `json:"asInt,omitempty,string"`
		Double *float64 `json:"asDouble,omitempty"`
	}
	otlpBuckets struct {
		otlpPoint
		Count  string    `json:"count"`
		Sum    float64   `json:"sum"`
		Counts []string  `json:"bucketCounts"`
		Bounds []float64 `json:"explicitBounds"`
	}
)

// Temporality is cumulative: an export that failed is made up for by the next.
func (*metricExporter) Temporality(sdkmetric.InstrumentKind) metricdata.Temporality {
	return metricdata.CumulativeTemporality
}

// Aggregation is the SDK's choice.
func (*metricExporter) Aggregation(kind sdkmetric.InstrumentKind) sdkmetric.Aggregation {
	return sdkmetric.DefaultAggregationSelector(kind)
}

// Export sends what was measured up to now.
func (e *metricExporter) Export(ctx context.Context, measured *metricdata.ResourceMetrics) error {
	out := otlpResourceMetrics{Resource: otlpResourceOf(measured.Resource)}
	for _, s := range measured.ScopeMetrics {
		scoped := otlpScopeMetrics{Scope: otlpScope{s.Scope.Name}}
		for _, m := range s.Metrics {
			metric, err := otlpMetricOf(m)
			if err != nil {
				return err
			}
			scoped.Metrics = append(scoped.Metrics, metric)
		}
		out.ScopeMetrics = append(out.ScopeMetrics, scoped)
	}
	if len(out.ScopeMetrics) == 0 {
		return nil
	}
	return e.export(ctx, otlpMetrics{[]otlpResourceMetrics{out}})
}

// ForceFlush and Shutdown have nothing to do: nothing is held.
func (*metricExporter) ForceFlush(context.Context) error { return nil }
func (*metricExporter) Shutdown(context.Context) error   { return nil }

func otlpMetricOf(m metricdata.Metrics) (otlpMetric, error) {
	out := otlpMetric{Name: m.Name, Description: m.Description, Unit: m.Unit}
	switch data := m.Data.(type) {
	case metricdata.Sum[int64]:
		out.Sum = newSum(data, func(p *otlpNumber, n int64) { p.Int = &n })
	case metricdata.Sum[float64]:
		out.Sum = newSum(data, func(p *otlpNumber, n float64) { p.Double = &n })
	case metricdata.Histogram[float64]:
		out.Histogram = otlpHistogramOf(data)
	default:
		return out, fmt.Errorf("the metric %s is of a kind that is not exported, %T", m.Name, m.Data)
	}
	return out, nil
}

func newSum[N int64 | float64](sum metricdata.Sum[N], set func(*otlpNumber, N)) *otlpSum {
	out := &otlpSum{Temporality: otlpCumulative, Monotonic: sum.IsMonotonic}
	for _, p := range sum.DataPoints {
		point := otlpNumber{otlpPoint: otlpPoint{otlpAttributes(p.Attributes.ToSlice()), otlpTime(p.StartTime), otlpTime(p.Time)}}
		set(&point, p.Value)
		out.Points = append(out.Points, point)
	}
	return out
}

func otlpHistogramOf(h metricdata.Histogram[float64]) *otlpHistogram {
	out := &otlpHistogram{Temporality: otlpCumulative}
	for _, p := range h.DataPoints {
		point := otlpBuckets{otlpPoint: otlpPoint{otlpAttributes(p.Attributes.ToSlice()), otlpTime(p.StartTime), otlpTime(p.Time)},
			Count: strconv.FormatUint(p.Count, 10), Sum: p.Sum, Bounds: p.Bounds}
		for _, n := range p.BucketCounts {
			point.Counts = append(point.Counts, strconv.FormatUint(n, 10))
		}
		out.Points = append(out.Points, point)
	}
	return out
}
