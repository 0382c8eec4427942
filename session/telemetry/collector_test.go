package telemetry

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestFind(t *testing.T) {
	const base, tracesOnly = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
	at := func(traces, metrics string, timeout time.Duration, headers map[string]string) *Collector {
		return &Collector{endpoint{traces, headers, timeout}, endpoint{metrics, headers, timeout}}
	}
	own := map[string]string{"X-Team": "us"}
	settings := at("http://set/v1/traces", "http://set/v1/metrics", exportTimeout, own)
	for _, tt := range []struct {
		name string
		env  map[string]string
		set  string
		want *Collector
		err  string
	}{
		{name: "nothing"},
		{name: "another variable", env: map[string]string{"OTEL_SERVICE_NAME": "x", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}},
		{name: "settings", set: "http://set", want: settings},
		{name: "disabled", set: "http://set", env: map[string]string{"OTEL_SDK_DISABLED": "true"}},
		{name: "environment above settings", set: "http://set", env: map[string]string{base: "http://e:4318/x/", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/json",
			"OTEL_EXPORTER_OTLP_HEADERS": "a=b%20c, d=e=f", "OTEL_EXPORTER_OTLP_TIMEOUT": "250"},
			want: at("http://e:4318/x/v1/traces", "http://e:4318/x/v1/metrics", 250*time.Millisecond, map[string]string{"a": "b c", "d": "e=f"})},
		{name: "one kind alone", env: map[string]string{tracesOnly: "http://e/in"},
			want: &Collector{traces: endpoint{"http://e/in", map[string]string{}, exportTimeout}, metrics: endpoint{timeout: exportTimeout}}},
		{name: "another protocol", env: map[string]string{base: "http://e", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, err: `OTEL_EXPORTER_OTLP_PROTOCOL is "grpc"`},
		{name: "the same of one kind", env: map[string]string{base: "http://e", "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL": "http/protobuf"}, err: "set it to http/json"},
		{name: "no address", env: map[string]string{tracesOnly: "e:4317"}, err: tracesOnly + " is not the address"},
		{name: "no time", env: map[string]string{base: "http://e", "OTEL_EXPORTER_OTLP_TIMEOUT": "10s"}, err: "OTEL_EXPORTER_OTLP_TIMEOUT"},
		{name: "no headers", env: map[string]string{base: "http://e", "OTEL_EXPORTER_OTLP_HEADERS": "a=b,key"}, err: "header 2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var headers map[string]string
			if tt.set != "" {
				headers = own
			}
			got, err := Find(func(name string) string { return tt.env[name] }, tt.set, headers)
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Fatalf("error %v, want %q", err, tt.err)
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(Collector{}, endpoint{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
