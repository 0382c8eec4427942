package mcpclient

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestSchemasOfServers takes what real servers describe their arguments with, and leaves out what a provider
// would refuse.
func TestSchemasOfServers(t *testing.T) {
	deep := strings.Repeat(`{"properties":{"a":`, 40) + `{}` + strings.Repeat("}}", 40)
	for schema, want := range map[string]string{
		`{"type":"object"}`:                   `{"properties":{},"type":"object"}`,
		`{}`:                                  `{"properties":{},"type":"object"}`,
		`{"type":"object","properties":null}`: `{"properties":{},"type":"object"}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","required":["a"],"properties":{"a":{"type":["string","null"],"pattern":"(?=x)"}}}`:                               `{"properties":{"a":{"pattern":"(?=x)","type":"string"}},"required":["a"],"type":"object"}`,
		`{"type":"object","properties":{"a":{"type":"array","items":[{"type":"string"}]},"b":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"number"}}}`:                                           `{"properties":{"a":{"items":{"type":"string"},"type":"array"},"b":{"type":"number"}},"type":"object"}`,
		`{"type":"object","properties":{"a":true},"additionalProperties":false}`:                                                                                                               `{"properties":{"a":{}},"type":"object"}`,
		`{"properties":{"a":{"type":["string","integer"]},"b":{"type":"array"},"c":{"const":"x"},"d":{"enum":["x","",null]},"e":{"enum":[1,2],"description":"Size."}}}`:                        `{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"integer"}]},"b":{"items":{"type":"string"},"type":"array"},"c":{"enum":["x"],"type":"string"},"d":{"enum":["x"],"type":"string"},"e":{"description":"Size. One of: 1, 2."}},"type":"object"}`,
		`{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null,"description":"d"},"b":{"oneOf":[{"type":"string"},{"type":"number"}]}}}`:                              `{"properties":{"a":{"description":"d","type":"string"},"b":{"anyOf":[{"type":"string"},{"type":"number"}]}},"type":"object"}`,
		`{"properties":{"a":{"allOf":[{"$ref":"#/definitions/p"},{"properties":{"y":{}},"required":["y","z"]}]}},"definitions":{"p":{"properties":{"x":{"type":"string"}},"required":["x"]}}}`: `{"properties":{"a":{"properties":{"x":{"type":"string"},"y":{}},"required":["x","y"],"type":"object"}},"type":"object"}`,
		`{"properties":{"a":{"$ref":"#/$defs/n"},"b":{"$ref":"elsewhere"}},"$defs":{"n":{"properties":{"next":{"$ref":"#/$defs/n"}}}}}`:                                                        `{"properties":{"a":{"properties":{"next":{}},"type":"object"},"b":{}},"type":"object"}`,
		`[]`:                                     "the schema of its arguments is not an object",
		`{"type":"array"}`:                       `the type of its arguments is not "object"`,
		`{"type":["object"]}`:                    `the type of its arguments is not "object"`,
		`{"properties":[]}`:                      "the properties of its arguments are not an object",
		`{"properties":{"a":{"type":"objekt"}}}`: "the schema of its arguments has the unknown type objekt",
		`{"properties":{"a":{"items":{"type":[]}}}}`:            "the schema of its arguments has the unknown type []",
		`{"properties":{"a":"string"}}`:                         "a part of the schema of its arguments is not a schema",
		`{"properties":{"a":{"anyOf":{}}}}`:                     `"anyOf" in the schema of its arguments is not a list`,
		`{"required":"a"}`:                                      `"required" in the schema of its arguments is not a list of names`,
		`{"properties":{"a":{"required":[1]}}}`:                 `"required" in the schema of its arguments is not a list of names`,
		`{"description":"` + strings.Repeat("x", 40_000) + `"}`: "the schema of its arguments has more than 32768 bytes",
		deep: "the schema of its arguments is too deep",
	} {
		var decoded any
		if err := json.Unmarshal([]byte(schema), &decoded); err != nil {
			t.Fatal(err)
		}
		got, err := argumentsSchema(decoded)
		if err != nil {
			got = json.RawMessage(err.Error())
		}
		if string(got) != want {
			t.Errorf("%s:\ngot  %s\nwant %s", cut(schema, 200), got, want)
		}
	}
}

// TestNamesOfTools have characters and lengths that each provider takes, and differ if the tools' do.
func TestNamesOfTools(t *testing.T) {
	long := strings.Repeat("long_name_", 10)
	names := []string{fullName("s", "get.it/now"), fullName("s", long+"1"), fullName("s", long+"2"),
		fullName(strings.Repeat("s", maxServerName), long)}
	for _, name := range names {
		if len(name) > 64 || notInNames.MatchString(name) {
			t.Errorf("%q", name)
		}
	}
	if names[0] != "s__get_it_now" || names[1] == names[2] {
		t.Errorf("%q", names)
	}
	var got []string
	for _, s := range withToolNames([]Server{{Name: "My Server"}, {Name: "my-server"}, {Name: "My.Server!"}, {Name: "日本"}, {Name: "my_server"}, {Name: "a__b_"},
		{Name: strings.Repeat("x", 40)}, {Name: strings.Repeat("y", 31) + "_z"}}) {
		got = append(got, s.Name)
	}
	if want := []string{"My_Server", "my-server", "My_Server_2", "server", "my_server", "a_b", strings.Repeat("x", 32), strings.Repeat("y", 31)}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestHashOfATool changes with all that a server says of a tool.
func TestHashOfATool(t *testing.T) {
	hashes := map[string]bool{}
	for _, tool := range []mcp.Tool{
		{Name: "a"}, {Name: "b"}, {Name: "a", Description: "x"}, {Name: "a", Title: "x"}, {Name: "a", OutputSchema: map[string]any{"type": "object"}},
		{Name: "a", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
	} {
		tool.InputSchema = map[string]any{"type": "object"}
		d, err := define("s", &tool)
		if err != nil {
			t.Fatal(err)
		}
		hashes[d.hash] = true
	}
	d, _ := define("s", &mcp.Tool{Name: "a", InputSchema: map[string]any{"type": "object", "properties": map[string]any{"x": map[string]any{}}}})
	hashes[d.hash] = true
	if len(hashes) != 7 {
		t.Errorf("%d hashes", len(hashes))
	}
}

// TestReferencesDoNotMultiply reads a small schema whose references would make it one of a billion parts.
func TestReferencesDoNotMultiply(t *testing.T) {
	defs := map[string]any{"x9": map[string]any{"type": "string"}}
	for i := range 9 {
		properties := map[string]any{}
		for j := range 10 {
			properties[fmt.Sprint("p", j)] = map[string]any{"$ref": fmt.Sprint("#/$defs/x", i+1)}
		}
		defs[fmt.Sprint("x", i)] = map[string]any{"properties": properties}
	}
	got, err := argumentsSchema(map[string]any{"properties": map[string]any{"a": map[string]any{"$ref": "#/$defs/x0"}}, "$defs": defs})
	if parts := strings.Count(string(got), "{"); err != nil || parts > 4*maxSchemaParts {
		t.Errorf("%d parts, %v", parts, err)
	}
}
