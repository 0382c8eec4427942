package libraries

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
	"testing"

	"github.com/google/go-cmp/cmp"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/telemetry"
	"ploke-lsp/session/telemetry/telemetrytest"
)

// collector is what an OpenTelemetry collector is sent, on loopback.
type collector struct {
	mu      sync.Mutex
	spans   []*traces.Span
	metrics metrics.MetricsData
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	if err == nil {
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

// export publishes events to a collector.
func export(t *testing.T, c *collector, events ...bus.Event) {
	t.Helper()
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	to, err := telemetry.Find(func(string) string { return "" }, server.URL, map[string]string{"X-Team": "us"})
	if err != nil {
		t.Fatal(err)
	}
	b := bus.New()
	exporting, err := telemetry.Start(b, to, server.Client(), "test", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		b.Publish(e)
	}
	testbed.Returns(t, b.Close, "the observer to read all")
	if err := exporting.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestSpans(t *testing.T) {
	c := &collector{}
	export(t, c, telemetrytest.Turn()...)
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
	swapped := telemetrytest.Turn()
	swapped[1], swapped[2] = swapped[2], swapped[1]
	if _, ok := swapped[1].(bus.RequestStarted); !ok {
		t.Fatalf("%T stands where the request should", swapped[1])
	}
	inOrder, c := &collector{}, &collector{}
	export(t, inOrder, telemetrytest.Turn()...)
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
	export(t, c, telemetrytest.Turn()...)
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
	export(t, c, telemetrytest.Turn()...)
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
