package acptest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"ploke-lsp/internal/testbed"
)

// installed returns the folder in which scripts/install-acp-client.sh put the protocol's SDK: the one in
// PLOKE_TEST_ACP_CLIENT, or the one that make uses.
func installed() string {
	return cmp.Or(os.Getenv("PLOKE_TEST_ACP_CLIENT"), filepath.Join(root(), "build", "acp-client"))
}

// root returns the folder of the module.
func root() string {
	dir, err := os.Getwd()
	for ; err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
	}
	return dir
}

// A checker compares the lines of a connection with the protocol's schema, in both directions.
type checker struct {
	schema *jsonschema.Resolved

	mu       sync.Mutex
	requests map[string]string // the method by direction and id
}

// loadSchema returns the schema, a schema of objects whose properties are the definitions.
var loadSchema = sync.OnceValues(func() (*jsonschema.Resolved, error) {
	text, err := os.ReadFile(schemaFile())
	if err != nil {
		return nil, err
	}
	all := new(jsonschema.Schema)
	if err := json.Unmarshal(text, all); err != nil {
		return nil, err
	}
	all.AnyOf, all.Properties = nil, map[string]*jsonschema.Schema{}
	for name, definition := range all.Defs {
		all.Properties[name] = &jsonschema.Schema{Ref: "#/$defs/" + name}
		method, isMessage := definition.Extra["x-method"].(string)
		side, _ := definition.Extra["x-side"].(string)
		kind := "params"
		if strings.HasSuffix(name, "Response") {
			kind = "result"
		}
		if isMessage {
			all.Properties[side+" "+method+" "+kind] = &jsonschema.Schema{Ref: "#/$defs/" + name}
		}
	}
	seal(all, all.Defs, map[*jsonschema.Schema]bool{})
	return all.Resolve(nil)
})

// seal makes the values that a schema describes refuse fields that it does not name, as JSON Schema alone does not.
// A value is what a field or an element of a list holds: what is put together by allOf and its like is one value.
func seal(s *jsonschema.Schema, defs map[string]*jsonschema.Schema, done map[*jsonschema.Schema]bool) {
	if s == nil || done[s] {
		return
	}
	done[s] = true
	values := append(slices.Collect(maps.Values(s.Properties)), s.Items)
	for _, value := range values {
		if value != nil && value.UnevaluatedProperties == nil && hasFields(value, defs) {
			value.UnevaluatedProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
		}
	}
	for _, inner := range slices.Concat(values, parts(s, defs)) {
		seal(inner, defs, done)
	}
}

// parts returns the schemas that a schema is put together of.
func parts(s *jsonschema.Schema, defs map[string]*jsonschema.Schema) []*jsonschema.Schema {
	list := slices.Concat(s.AllOf, s.AnyOf, s.OneOf)
	if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
		list = append(list, defs[name])
	}
	return list
}

// hasFields reports whether a schema names fields, unlike one of any JSON.
func hasFields(s *jsonschema.Schema, defs map[string]*jsonschema.Schema) bool {
	return len(s.Properties) > 0 ||
		slices.ContainsFunc(parts(s, defs), func(part *jsonschema.Schema) bool { return hasFields(part, defs) })
}

func schemaFile() string {
	return filepath.Join(installed(), "node_modules", "@agentclientprotocol", "sdk", "schema", "v1", "schema.json")
}

// newChecker returns nil, which checks nothing, on a machine without the schema.
func newChecker(t testing.TB) *checker {
	if _, err := os.Stat(schemaFile()); !testbed.Has(t, "the schema of ACP", err) {
		return nil
	}
	schema, err := loadSchema()
	if err != nil {
		t.Fatal(err)
	}
	return &checker{schema: schema, requests: map[string]string{}}
}

// message is what the checker must know of a line.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

// check checks a line that the agent or the client has sent. A nil checker finds nothing wrong.
func (c *checker) check(from, line string) error {
	if c == nil {
		return nil
	}
	to := map[string]string{"agent": "client", "client": "agent"}[from]
	var m message
	if err := json.Unmarshal([]byte(line), &m); err != nil || m.JSONRPC != "2.0" {
		return fmt.Errorf("the %s sent %q, which is not a message: %v", from, line, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case m.Method == "$/cancel_request":
		return c.compare("CancelRequestNotification", m.Params, line)
	case m.Method != "":
		c.requests[from+string(m.ID)] = m.Method
		return c.compare(to+" "+m.Method+" params", m.Params, line)
	case m.Error != nil:
		return c.compare("Error", m.Error, line)
	}
	method, ok := c.requests[to+string(m.ID)]
	if !ok {
		return fmt.Errorf("the %s answered a request that was not sent: %s", from, line)
	}
	return c.compare(from+" "+method+" result", m.Result, line)
}

// compare checks a value against a definition.
func (c *checker) compare(definition string, raw json.RawMessage, line string) error {
	if _, known := c.schema.Schema().Properties[definition]; !known {
		return fmt.Errorf("the schema has no %s: %s", definition, line)
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return fmt.Errorf("%s: %v: %s", definition, err, line)
	}
	if err := c.schema.Validate(map[string]any{definition: value}); err != nil {
		return fmt.Errorf("%s: %v: %s", definition, err, line)
	}
	return nil
}
