package telemetry

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/bus"
)

// collector is what an OpenTelemetry collector is sent, on loopback.
type collector struct {
	mu      sync.Mutex
	bodies  [][]byte
	spans   []*traces.Span
	metrics metrics.MetricsData
	busy    int // requests that it can't take now
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
	c.headers = r.Header
	body, err := io.ReadAll(r.Body)
	if err == nil {
		c.bodies = append(c.bodies, body)
		err = c.take(r.URL.Path, body)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
}

// hexID finds the ids, which are hexadecimal, unlike all other bytes of protobuf's
// JSON.
var hexID = regexp.MustCompile(`"(traceId|spanId|parentSpanId)":"([0-9a-f]*)"`)

// take reads a body as OpenTelemetry's own definitions say; what they don't know is an error.
func (c *collector) take(path string, body []byte) error {
	if path == "/v1/metrics" {
		var data metrics.MetricsData
		err := protojson.Unmarshal(body, &data)
		proto.Merge(&c.metrics, &data)
		return err
	}
	body = hexID.ReplaceAllFunc(body, func(pair []byte) []byte {
		found := hexID.FindSubmatch(pair)
		id, _ := hex.DecodeString(string(found[2]))
		return fmt.Appendf(nil, "%q:%q", found[1], base64.StdEncoding.EncodeToString(id))
	})
	var data traces.TracesData
	if err := protojson.Unmarshal(body, &data); err != nil {
		return err
	}
	for _, r := range data.ResourceSpans {
		for _, s := range r.ScopeSpans {
			c.spans = append(c.spans, s.Spans...)
		}
	}
	return nil
}

// span returns the one span of this name and its attributes.
func (c *collector) span(t *testing.T, name string, with ...string) (*traces.Span, map[string]string) {
	t.Helper()
	for _, s := range c.spans {
		if attributes := plain(s.Attributes); s.Name == name && (with == nil || attributes[with[0]] == with[1]) {
			return s, attributes
		}
	}
	t.Fatalf("there is no span %q %v among %d", name, with, len(c.spans))
	return nil, nil
}

func plain(list []*common.KeyValue) map[string]string {
	attributes := map[string]string{}
	for _, kv := range list {
		attributes[kv.Key] = strings.Trim(strings.SplitN(kv.Value.String(), ":", 2)[1], `" `)
	}
	return attributes
}

// counts returns the sums of a counter by its attributes, in order.
func (c *collector) counts(name string) map[string]int64 {
	sums := map[string]int64{}
	for _, r := range c.metrics.ResourceMetrics {
		for _, s := range r.ScopeMetrics {
			for _, m := range s.Metrics {
				if m.Name != name {
					continue
				}
				for _, p := range m.GetSum().GetDataPoints() {
					var by []string
					for _, v := range plain(p.Attributes) {
						by = append(by, v)
					}
					slices.Sort(by)
					sums[strings.Join(by, " ")] += p.GetAsInt()
				}
			}
		}
	}
	return sums
}

// secret stands for all that must not leave.
const secret = "my secret code"

// turn is what the bus says of a turn with a request, three calls and an error.
func turn() []bus.Event {
	inTurn := bus.TurnRef{RequestID: "turn"}
	requested := func(id, name string) bus.Event {
		return bus.ToolCallRequested{CallRef: bus.CallRef{TurnRef: inTurn, ParentID: "message", ID: id, CallID: "call_" + id, Name: name},
			Arguments: []byte(secret)}
	}
	return []bus.Event{
		bus.TurnStarted{TurnRef: bus.TurnRef{ConversationID: "conversation", RequestID: "turn"}, ParentID: "message", Title: secret},
		bus.PromptConstructed{TurnRef: inTurn, Model: "provider/model", Messages: 2},
		bus.RequestStarted{TurnRef: inTurn, ParentID: "message", ID: "first", Model: "provider/model"},
		bus.MessageDelta{TurnRef: inTurn, Text: secret},
		bus.RequestFinished{TurnRef: inTurn, ID: "first", Model: "provider/model", Tokens: bus.Tokens{In: 10, Out: 5, Cached: 4, Cost: 0.5}},
		requested("a", "read"), requested("b", "read"), requested("c", secret),
		bus.ToolCallStarted{CallRef: bus.CallRef{TurnRef: inTurn, ID: "a", Name: "read"}},
		bus.ToolCallStarted{CallRef: bus.CallRef{TurnRef: inTurn, ID: "b", Name: "read"}},
		bus.ToolCallFailed{CallRef: bus.CallRef{TurnRef: inTurn, ID: "c", Name: secret}, Code: bus.CodeInvalid, Error: secret},
		bus.ToolCallCompleted{CallRef: bus.CallRef{TurnRef: inTurn, ID: "a", Name: "read"}, Content: []byte(secret), Summary: secret},
		bus.ToolCallFailed{CallRef: bus.CallRef{TurnRef: inTurn, ID: "b", Name: "read"}, Code: bus.CodeTimeout, Error: secret},
		bus.RequestStarted{TurnRef: inTurn, ParentID: "message", ID: "second", Model: "provider/model"},
		bus.RequestFinished{TurnRef: inTurn, ID: "second", Model: "provider/model", Error: secret},
		bus.TurnFinished{TurnRef: inTurn, StopReason: bus.StopError, Error: secret, Usage: bus.Tokens{In: 10}},
	}
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

func TestSpans(t *testing.T) {
	c := &collector{}
	export(t, c, turn()...)
	if len(c.spans) != 6 {
		t.Errorf("%d spans; want a turn's, two requests' and three calls'", len(c.spans))
	}
	whole, attributes := c.span(t, "turn")
	want := map[string]string{"request_id": "turn", "parent_id": "message", "conversation_id": "conversation", "model": "provider/model",
		"messages": "2", "stop_reason": "error", "tokens_in": "10", "tokens_out": "0", "tokens_cached": "0", "cost": "0"}
	if diff := cmp.Diff(want, attributes); diff != "" {
		t.Errorf("turn (-want +got):\n%s", diff)
	}
	call, attributes := c.span(t, "tool call", "call_id", "call_b")
	want = map[string]string{"request_id": "turn", "parent_id": "message", "call_id": "call_b", "tool": "read", "code": "timeout"}
	if diff := cmp.Diff(want, attributes); diff != "" {
		t.Errorf("call (-want +got):\n%s", diff)
	}
	request, attributes := c.span(t, "request")
	if attributes["model"] != "provider/model" || attributes["cost"] != "0.5" {
		t.Errorf("request: %v", attributes)
	}
	for _, s := range []*traces.Span{call, request} {
		if !bytes.Equal(s.ParentSpanId, whole.SpanId) || !bytes.Equal(s.TraceId, whole.TraceId) {
			t.Errorf("the span %q is not within its turn's", s.Name)
		}
	}
	for span, want := range map[*traces.Span]traces.Status_StatusCode{
		whole: traces.Status_STATUS_CODE_ERROR, call: traces.Status_STATUS_CODE_ERROR, request: traces.Status_STATUS_CODE_UNSET,
	} {
		if got := span.Status.GetCode(); got != want {
			t.Errorf("the span %q has the status %v; want %v", span.Name, got, want)
		}
	}
}

// TestTheOrderOfPromptAndRequest changes nothing: each finds its turn by the id.
func TestTheOrderOfPromptAndRequest(t *testing.T) {
	swapped := turn()
	swapped[1], swapped[2] = swapped[2], swapped[1]
	if _, ok := swapped[1].(bus.RequestStarted); !ok {
		t.Fatalf("%T stands where the request should", swapped[1])
	}
	inOrder, c := &collector{}, &collector{}
	export(t, inOrder, turn()...)
	export(t, c, swapped...)
	for _, name := range []string{"turn", "request"} {
		_, want := inOrder.span(t, name)
		_, got := c.span(t, name)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	whole, _ := c.span(t, "turn")
	if request, _ := c.span(t, "request"); !bytes.Equal(request.ParentSpanId, whole.SpanId) {
		t.Error("the request is not within its turn")
	}
}

func TestMetrics(t *testing.T) {
	c := &collector{}
	export(t, c, turn()...)
	for name, want := range map[string]map[string]int64{
		"ploke.turns":      {"error": 1},
		"ploke.tool.calls": {"completed read": 1, "read timeout": 1, " failed": 1},
		"ploke.requests":   {"completed provider/model": 1, "failed provider/model": 1},
		"ploke.tokens":     {"in provider/model": 10, "out provider/model": 5, "cached provider/model": 4},
	} {
		if diff := cmp.Diff(want, c.counts(name)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestTimesAreMeasured(t *testing.T) {
	c := &collector{}
	export(t, c, turn()...)
	var points []*metrics.HistogramDataPoint
	for _, m := range c.metrics.ResourceMetrics[0].ScopeMetrics[0].Metrics {
		if m.Name == "ploke.turn.duration" {
			points = m.GetHistogram().GetDataPoints()
		}
	}
	if len(points) != 1 || points[0].Count != 1 || points[0].GetSum() <= 0 || len(points[0].BucketCounts) != len(points[0].ExplicitBounds)+1 {
		t.Errorf("%v", points)
	}
}

// TestABusyCollectorIsRetried has a collector that rejects the first requests.
func TestABusyCollectorIsRetried(t *testing.T) {
	c := &collector{busy: 1}
	export(t, c, turn()...)
	if len(c.spans) != 6 || len(c.metrics.ResourceMetrics) == 0 {
		t.Errorf("%d spans arrived", len(c.spans))
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
		for _, e := range turn() {
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
	export(t, c, turn()...)
	for _, body := range c.bodies {
		if bytes.Contains(body, []byte(secret)) {
			t.Errorf("%q was exported", secret)
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
	for _, e := range turn() {
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
