package lspcheck

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// A metaModel is LSP's description of itself for programs. Its format is described by
// metaModel.schema.json of the LSP specification.
type metaModel struct {
	requests      map[string]*metaMethod
	notifications map[string]*metaMethod
	structures    map[string]map[string]*property // with the inherited properties, by name
	enumerations  map[string]*enumeration
	aliases       map[string]*metaType
}

type metaMethod struct {
	Method              string
	Direction           string `json:"messageDirection"`
	ClientCapability    string
	ServerCapability    string
	Params              *metaType
	Result              *metaType
	PartialResult       *metaType
	RegistrationOptions *metaType
}

// fromServer reports whether a server may send the method.
func (m *metaMethod) fromServer() bool { return m.Direction != "clientToServer" }

// fromClient reports whether a client may send the method.
func (m *metaMethod) fromClient() bool { return m.Direction != "serverToClient" }

type property struct {
	Name     string
	Type     *metaType
	Optional bool
}

type enumeration struct {
	Name   string
	Type   *metaType
	Values []struct{ Value any }
	Open   bool `json:"supportsCustomValues"`
}

// A metaType is a type; which fields it has depends on its kind.
type metaType struct {
	Kind       string
	Name       string               // of a base type or a reference
	Items      []*metaType          // of or, and, tuple
	Element    *metaType            // of an array
	Key        *metaType            // of a map
	Value      json.RawMessage      // decoded into the fields below
	mapValue   *metaType            // of a map
	text       string               // of a stringLiteral
	properties map[string]*property // of a literal
}

// UnmarshalJSON implements [json.Unmarshaler]: the form of "value" depends on the kind.
func (t *metaType) UnmarshalJSON(data []byte) error {
	type plain metaType
	if err := json.Unmarshal(data, (*plain)(t)); err != nil {
		return err
	}
	switch t.Kind {
	case "map":
		return json.Unmarshal(t.Value, &t.mapValue)
	case "stringLiteral":
		return json.Unmarshal(t.Value, &t.text)
	case "literal":
		var literal struct{ Properties []*property }
		err := json.Unmarshal(t.Value, &literal)
		t.properties = map[string]*property{}
		for _, p := range literal.Properties {
			t.properties[p.Name] = p
		}
		return err
	}
	return nil
}

// typesFolder names the environment variable with the folder of the module of the LSP types, for
// tests that run where Go is not.
const typesFolder = "PLOKE_TEST_LSP_TYPES"

// loadMetaModel reads the meta model of LSP 3.18 from the module of the LSP types, which is
// generated from it. It is read once.
var loadMetaModel = sync.OnceValues(func() (*metaModel, error) {
	folder := os.Getenv(typesFolder)
	if folder == "" {
		out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "go.lsp.dev/protocol").Output()
		if err != nil {
			return nil, fmt.Errorf("the module with LSP's meta model was not found: %w; is go in the PATH?", err)
		}
		folder = strings.TrimSpace(string(out))
	}
	data, err := os.ReadFile(filepath.Join(folder, "internal/genlsp/testdata/metaModel.json"))
	if err != nil {
		return nil, err
	}
	return parseMetaModel(data)
})

func parseMetaModel(data []byte) (*metaModel, error) {
	var file struct {
		Requests, Notifications []*metaMethod
		Structures              []*structure
		Enumerations            []*enumeration
		TypeAliases             []property
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, err
	}
	m := &metaModel{
		requests: map[string]*metaMethod{}, notifications: map[string]*metaMethod{},
		structures:   map[string]map[string]*property{},
		enumerations: map[string]*enumeration{}, aliases: map[string]*metaType{},
	}
	for _, r := range file.Requests {
		m.requests[r.Method] = r
	}
	for _, n := range file.Notifications {
		m.notifications[n.Method] = n
	}
	for _, e := range file.Enumerations {
		m.enumerations[e.Name] = e
	}
	for _, a := range file.TypeAliases {
		m.aliases[a.Name] = a.Type
	}
	byName := map[string]*structure{}
	for _, s := range file.Structures {
		byName[s.Name] = s
	}
	for _, s := range file.Structures {
		m.structures[s.Name] = map[string]*property{}
		s.collect(byName, m.structures[s.Name])
	}
	return m, nil
}

type structure struct {
	Name            string
	Properties      []*property
	Extends, Mixins []*metaType
}

// collect adds the properties of a structure to all; its own replace inherited ones.
func (s *structure) collect(byName map[string]*structure, all map[string]*property) {
	for _, parents := range [][]*metaType{s.Mixins, s.Extends} {
		for _, parent := range parents {
			byName[parent.Name].collect(byName, all)
		}
	}
	for _, p := range s.Properties {
		all[p.Name] = p
	}
}
