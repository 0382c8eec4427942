package telemetry

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
)

// otlpClient exports over OTLP: HTTP with JSON. The library's exporters are not used,
// since gRPC and protobuf would make up a third of the binary. Specification:
// https://opentelemetry.io/docs/specs/otlp/#otlphttp. The names are those of
// https://github.com/open-telemetry/opentelemetry-proto.
type otlpClient struct {
	endpoint
	http *http.Client
}

const (
	retryPause  = time.Second // if the collector sends no Retry-After
	largestBody = 64 << 10    // bytes of a response that are read
)

// export sends one message. It retries until the timeout while the collector is
// temporarily unable to accept it.
func (c *otlpClient) export(ctx context.Context, message any) error {
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout,
		fmt.Errorf("the collector did not accept the data within %v", c.timeout))
	defer cancel()
	for {
		pause, err := c.post(ctx, body)
		if pause == 0 && ctx.Err() == nil {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return fmt.Errorf("%v; at last: %v", context.Cause(ctx), err)
		}
	}
}

// post sends body once. A positive pause is the delay before a retry.
func (c *otlpClient) post(ctx context.Context, body []byte) (pause time.Duration, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	for name, value := range c.headers {
		request.Header.Set(name, value)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, largestBody))
	switch code := response.StatusCode; code {
	case http.StatusOK:
		return 0, c.partialSuccessError(answer)
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		pause = retryPause
		if s, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && s > 0 {
			pause = time.Duration(s) * time.Second
		}
		return pause, fmt.Errorf("%s answered %s", request.URL.Redacted(), response.Status)
	}
	return 0, fmt.Errorf("%s answered %s: %.200q", request.URL.Redacted(), response.Status,
		c.withoutHeaders(string(answer)))
}

// shortestKey is the length in bytes from which the value of a header may be a key, and not a word
// or the number of a tenant.
const shortestKey = 8

// withoutHeaders hides the values of our headers, which may be keys, in a text.
func (c *otlpClient) withoutHeaders(text string) string {
	for name, value := range c.headers {
		if len(value) >= shortestKey {
			text = strings.ReplaceAll(text, value, "["+name+"]")
		}
	}
	return text
}

// partialSuccessError returns the error in the body of a successful response, or nil.
func (c *otlpClient) partialSuccessError(answer []byte) error {
	var said struct {
		PartialSuccess struct {
			ErrorMessage string `json:"errorMessage"`
		} `json:"partialSuccess"`
	}
	if json.Unmarshal(answer, &said) == nil && said.PartialSuccess.ErrorMessage != "" {
		return fmt.Errorf("the collector rejected a part of the data: %s", c.withoutHeaders(said.PartialSuccess.ErrorMessage))
	}
	return nil
}

// The messages that traces and metrics share. 64-bit numbers are strings.
type (
	otlpAttribute struct {
		Key   string    `json:"key"`
		Value otlpValue `json:"value"`
	}
	otlpValue struct {
		String *string  `json:"stringValue,omitempty"`
		Bool   *bool    `json:"boolValue,omitempty"`
		Int    *int64   `json:"intValue,omitempty,string"`
		Double *float64 `json:"doubleValue,omitempty"`
	}
)

// otlpRequest returns the message that exports items of a kind, "Spans" or
// "Metrics", all of one resource and of our scope.
func otlpRequest(kind string, r *resource.Resource, items any) any {
	type object = map[string]any
	scoped := object{"scope": object{"name": scope}, strings.ToLower(kind): items}
	described := object{"attributes": otlpAttributes(r.Attributes())}
	return object{"resource" + kind: []object{{"resource": described, "scope" + kind: []object{scoped}}}}
}

// otlpAttributes encodes lists as strings; there are none at present.
func otlpAttributes(attributes []attribute.KeyValue) []otlpAttribute {
	list := make([]otlpAttribute, 0, len(attributes))
	for _, kv := range attributes {
		var v otlpValue
		switch kv.Value.Type() {
		case attribute.BOOL:
			v.Bool = new(kv.Value.AsBool())
		case attribute.INT64:
			v.Int = new(kv.Value.AsInt64())
		case attribute.FLOAT64:
			v.Double = new(kv.Value.AsFloat64())
		default:
			v.String = new(kv.Value.Emit())
		}
		list = append(list, otlpAttribute{string(kv.Key), v})
	}
	return list
}

// otlpTime returns t in nanoseconds since 1970.
func otlpTime(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }
