package telemetry

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// metricExporter is a [sdkmetric.Exporter] for the kinds of metrics in [instruments],
// all cumulative. It drops exemplars.
type metricExporter struct{ otlpClient }

// otlpCumulative is AGGREGATION_TEMPORALITY_CUMULATIVE.
const otlpCumulative = 2

// The messages of opentelemetry.proto.metrics.v1.
type (
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

// Temporality is cumulative, so that the next export makes up for a failed one.
func (*metricExporter) Temporality(sdkmetric.InstrumentKind) metricdata.Temporality {
	return metricdata.CumulativeTemporality
}

// Aggregation returns the SDK's default.
func (*metricExporter) Aggregation(kind sdkmetric.InstrumentKind) sdkmetric.Aggregation {
	return sdkmetric.DefaultAggregationSelector(kind)
}

// Export sends the current values.
func (e *metricExporter) Export(ctx context.Context, measured *metricdata.ResourceMetrics) error {
	var metrics []otlpMetric
	for _, s := range measured.ScopeMetrics {
		for _, m := range s.Metrics {
			metric, err := otlpMetricOf(m)
			if err != nil {
				return err
			}
			metrics = append(metrics, metric)
		}
	}
	if len(metrics) == 0 {
		return nil
	}
	return e.export(ctx, otlpRequest("Metrics", measured.Resource, metrics))
}

// ForceFlush and Shutdown do nothing: the exporter has no buffer.
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
		return out, fmt.Errorf("the metric %s has the unsupported type %T", m.Name, m.Data)
	}
	return out, nil
}

func newSum[N int64 | float64](sum metricdata.Sum[N], set func(*otlpNumber, N)) *otlpSum {
	out := &otlpSum{Temporality: otlpCumulative, Monotonic: sum.IsMonotonic}
	for _, p := range sum.DataPoints {
		point := otlpNumber{otlpPoint: newPoint(p.Attributes, p.StartTime, p.Time)}
		set(&point, p.Value)
		out.Points = append(out.Points, point)
	}
	return out
}

func otlpHistogramOf(h metricdata.Histogram[float64]) *otlpHistogram {
	out := &otlpHistogram{Temporality: otlpCumulative}
	for _, p := range h.DataPoints {
		point := otlpBuckets{otlpPoint: newPoint(p.Attributes, p.StartTime, p.Time),
			Count: strconv.FormatUint(p.Count, 10), Sum: p.Sum, Bounds: p.Bounds}
		for _, n := range p.BucketCounts {
			point.Counts = append(point.Counts, strconv.FormatUint(n, 10))
		}
		out.Points = append(out.Points, point)
	}
	return out
}

func newPoint(attributes attribute.Set, start, end time.Time) otlpPoint {
	return otlpPoint{otlpAttributes(attributes.ToSlice()), otlpTime(start), otlpTime(end)}
}
