package telemetry

import (
	"cmp"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Collector is the destination of spans and metrics.
type Collector struct {
	traces, metrics endpoint
}

// endpoint receives one kind of data; an empty url means none.
type endpoint struct {
	url     string
	headers map[string]string
	timeout time.Duration // of an export including its retries
}

// exportTimeout is OpenTelemetry's default.
const exportTimeout = 10 * time.Second

// Find returns the collector of the standard environment variables
// OTEL_EXPORTER_OTLP_ENDPOINT, _HEADERS, _TIMEOUT and _PROTOCOL, or of the variables
// for one kind of data (OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, …_METRICS_…). Without
// them it returns the collector at base, which gets headers. It returns nil if there
// is none, or if OTEL_SDK_DISABLED is "true". Specification:
// https://opentelemetry.io/docs/specs/otel/protocol/exporter/
func Find(getenv func(string) string, base string, headers map[string]string) (*Collector, error) {
	if strings.EqualFold(getenv("OTEL_SDK_DISABLED"), "true") {
		return nil, nil
	}
	settings := endpoint{url: base, headers: headers, timeout: exportTimeout}
	var c Collector
	var err error
	if c.traces, err = findEndpoint(getenv, "TRACES", "v1/traces", settings); err != nil {
		return nil, err
	}
	if c.metrics, err = findEndpoint(getenv, "METRICS", "v1/metrics", settings); err != nil {
		return nil, err
	}
	if c.traces.url == "" && c.metrics.url == "" {
		return nil, nil
	}
	return &c, nil
}

// findEndpoint returns the endpoint of one kind of data: its own address unchanged,
// or path below the general address.
func findEndpoint(getenv func(string) string, kind, path string, settings endpoint) (endpoint, error) {
	variable := func(name string) (value, from string) {
		own, general := "OTEL_EXPORTER_OTLP_"+kind+"_"+name, "OTEL_EXPORTER_OTLP_"+name
		if value := getenv(own); value != "" {
			return value, own
		}
		return getenv(general), general
	}
	e := settings
	address, name := variable("ENDPOINT")
	if address != "" {
		list, from := variable("HEADERS")
		headers, err := parseHeaders(list)
		if err != nil {
			return e, fmt.Errorf("%s is not NAME=VALUE,NAME=VALUE: %v", from, err)
		}
		e.url, e.headers = address, headers
	}
	if e.url == "" {
		return e, nil
	}
	u, err := url.Parse(e.url)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return e, fmt.Errorf("%s is not the address of a collector, like http://127.0.0.1:4318", name)
	}
	if !strings.Contains(name, kind) {
		e.url = u.JoinPath(path).String()
	}
	if protocol, name := variable("PROTOCOL"); cmp.Or(protocol, "http/json") != "http/json" {
		return e, fmt.Errorf("%s is %q, which is not supported: set it to http/json, which collectors accept at the port "+
			"of http/protobuf, usually 4318", name, protocol)
	}
	ms, name := variable("TIMEOUT")
	if n, err := strconv.Atoi(cmp.Or(ms, "0")); err != nil || n < 0 {
		return e, fmt.Errorf("%s is %q, not a number of milliseconds", name, ms)
	} else if n > 0 {
		e.timeout = time.Duration(n) * time.Millisecond
	}
	return e, nil
}

// parseHeaders parses "a=b,c=d" with URL-encoded values. Its errors don't contain the
// values, which may be keys.
func parseHeaders(list string) (map[string]string, error) {
	headers := map[string]string{}
	if list == "" {
		return headers, nil
	}
	for i, pair := range strings.Split(list, ",") {
		name, value, ok := strings.Cut(pair, "=")
		decoded, err := url.PathUnescape(strings.TrimSpace(value))
		if name = strings.TrimSpace(name); !ok || name == "" || err != nil {
			return nil, fmt.Errorf("header %d is invalid", i+1)
		}
		headers[name] = decoded
	}
	return headers, nil
}
