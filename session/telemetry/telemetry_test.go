package telemetry

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/telemetry/telemetrytest"
)

// collector is what an OpenTelemetry collector is sent, on loopback. The tests of e2e/libraries read it.
type collector struct {
	mu      sync.Mutex
	bodies  map[string][][]byte // by path
	busy    int                 // requests that it can't take now
	headers http.Header
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy > 0 {
		c.busy--
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if c.bodies == nil {
		c.bodies = make(map[string][][]byte)
	}
	c.headers, c.bodies[r.URL.Path] = r.Header, append(c.bodies[r.URL.Path], body)
}

// spans returns how many spans have arrived.
func (c *collector) spans() int {
	return bytes.Count(bytes.Join(c.bodies["/v1/traces"], nil), []byte(`"spanId"`))
}

// export publishes events to a collector.
func export(t *testing.T, c *collector, events ...bus.Event) {
	t.Helper()
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	to, err := Find(func(string) string { return "" }, server.URL, map[string]string{"X-Team": "us"})
	if err != nil {
		t.Fatal(err)
	}
	b := bus.New()
	telemetry, err := Start(b, to, server.Client(), "test", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		b.Publish(e)
	}
	testbed.Returns(t, b.Close, "the observer to read all")
	if err := telemetry.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestABusyCollectorIsRetried has a collector that rejects the first requests.
func TestABusyCollectorIsRetried(t *testing.T) {
	c := &collector{busy: 1}
	export(t, c, telemetrytest.Turn()...)
	if c.spans() != 6 || len(c.bodies["/v1/metrics"]) == 0 {
		t.Errorf("%d spans arrived", c.spans())
	}
	if c.headers.Get("X-Team") != "us" {
		t.Errorf("headers: %v", c.headers)
	}
}

// TestACollectorsErrorIsReported checks the texts of errors.
func TestACollectorsErrorIsReported(t *testing.T) {
	for _, tt := range []struct {
		status       int
		answer, want string
	}{
		{http.StatusOK, `{}`, ""},
		{http.StatusOK, `{"partialSuccess":{"rejectedSpans":"1","errorMessage":"too old"}}`, "too old"},
		{http.StatusBadRequest, `no such tenant`, "no such tenant"},
		{http.StatusUnauthorized, `bad header my-secret-key of tenant 1`, "bad header [X-Key] of tenant 1"},
		{http.StatusBadGateway, ``, "the collector did not accept the data within 10ms"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(tt.status)
			io.WriteString(w, tt.answer)
		}))
		client := otlpClient{endpoint{url: server.URL, timeout: 10 * time.Millisecond, headers: map[string]string{"X-Key": "my-secret-key", "X-Tenant": "1", "X-Team": "bad"}}, server.Client()}
		if tt.status != http.StatusBadGateway {
			client.timeout = time.Minute
		}
		err := client.export(t.Context(), struct{}{})
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%d %s: %v", tt.status, tt.answer, err)
		}
		server.Close()
	}
}

// TestNoHeaderGoesToAnotherOrigin has a collector that redirects, with each status.
func TestNoHeaderGoesToAnotherOrigin(t *testing.T) {
	var arrived atomic.Int32
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { arrived.Add(1) }))
	t.Cleanup(elsewhere.Close)
	for status := 301; status <= 308; status++ {
		var asked atomic.Int32
		collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			w.Header().Set("Location", elsewhere.URL+r.URL.Path)
			w.WriteHeader(status)
		}))
		var log bytes.Buffer
		to, err := Find(func(string) string { return "" }, collector.URL, map[string]string{"X-Team": "us"})
		if err != nil {
			t.Fatal(err)
		}
		b := bus.New()
		telemetry, err := Start(b, to, collector.Client(), "test", slog.New(slog.NewTextHandler(&log, nil)))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range telemetrytest.Turn() {
			b.Publish(e)
		}
		testbed.Returns(t, b.Close, "the observer to read all")
		err = telemetry.Close()
		if said := fmt.Sprint(err, log.String()); asked.Load() == 0 || arrived.Load() > 0 ||
			!strings.Contains(said, collector.URL+" redirects to "+elsewhere.URL) {
			t.Errorf("%d: %d requests, %d elsewhere: %s", status, asked.Load(), arrived.Load(), said)
		}
		collector.Close()
	}
}

func TestNoTextLeaves(t *testing.T) {
	c := &collector{}
	export(t, c, telemetrytest.Turn()...)
	if len(c.bodies) != 2 {
		t.Errorf("%d paths, want those of traces and metrics", len(c.bodies))
	}
	for path, bodies := range c.bodies {
		if bytes.Contains(bytes.Join(bodies, nil), []byte(telemetrytest.Secret)) {
			t.Errorf("%q was exported to %s", telemetrytest.Secret, path)
		}
	}
}

// TestFallingBehind checks that an observer that was cut off gets later events.
func TestFallingBehind(t *testing.T) {
	exporter, warned := tracetest.NewInMemoryExporter(), make(chan struct{})
	telemetry := &Telemetry{traces: sdktrace.NewTracerProvider(sdktrace.WithSyncer(exporter)), metrics: sdkmetric.NewMeterProvider(),
		log: slog.New(slog.NewTextHandler(writerFunc(func(p []byte) (int, error) { close(warned); return len(p), nil }), nil))}
	b := bus.New()
	sub := b.Observer("telemetry", 1)
	b.Publish(bus.TurnStarted{TurnRef: bus.TurnRef{RequestID: "lost"}})
	b.Publish(bus.Notice{})
	if err := telemetry.observe(b, sub); err != nil {
		t.Fatal(err)
	}
	testbed.Receive(t, warned, "the warning")
	for _, e := range telemetrytest.Turn() {
		b.Publish(e)
	}
	testbed.Returns(t, b.Close, "the observer to read all")
	testbed.Returns(t, telemetry.observing.Wait, "the observer to end")
	if n := len(exporter.GetSpans()); n != 6 {
		t.Errorf("%d spans; want the later turn's 6", n)
	}
	if err := telemetry.Close(); err != nil {
		t.Error(err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
