// Package lspcheck checks what a language server sends against LSP 3.18 and against what its
// client has declared. It is for tests.
//
// A [Session] follows one connection. It is given each message of both directions, in the order in
// which the client sends and receives them. The server's messages are checked; those of the
// client only tell what it supports, which requests wait for a response, and which texts it has.
//
// The types come from LSP's meta model. The rules that the meta model does not have are written
// here, one file for each topic. Each [Rule] is named in the report of a [Violation].
package lspcheck

import (
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// A Violation is a message that breaks a rule.
type Violation struct {
	Rule    Rule
	Problem string // what is wrong, and where in the message
	Message string // the message, cut if it is long
}

// A Session checks the messages of one connection. It is safe for concurrent use.
type Session struct {
	model  *metaModel
	report func(Violation)

	mu           sync.Mutex
	reported     map[Rule]bool
	body         []byte // of the message that is checked
	phase        phase
	clock        int // counts the client's messages
	client       capabilities
	offered      any // the server's capabilities
	countsRunes  bool
	unreadable   int                   // messages of the client that can't be decoded
	requests     map[string][]*request // of the client, which wait, by id
	asked        map[string]*request   // of the server, which wait, by id
	askedBefore  map[string]bool       // ids of all requests of the server
	progress     map[string]*progress  // by token, as JSON
	registered   map[string]string     // methods that the server registered, by id
	documents    map[string]*document  // by URI
	disk         map[string]*snapshot  // texts of files that have not changed since the start, by URI
	started      time.Time
	commandNames map[string]bool // which the server offers
	ofClient     *clientCheck    // nil if the client's messages are not checked
}

// A request waits for its response.
type request struct {
	method string
	params any
	clock  int // when the client sent it
	tokens []string
	// answered, if not nil, is called with the client's response to a request of the server.
	answered func(ok bool)
}

// NewSession returns a session that calls report for the first violation of each rule. report
// must not call the session.
func NewSession(report func(Violation)) (*Session, error) {
	model, err := loadMetaModel()
	if err != nil {
		return nil, err
	}
	return &Session{
		model: model, report: report, reported: map[Rule]bool{}, requests: map[string][]*request{},
		asked:       map[string]*request{},
		askedBefore: map[string]bool{}, progress: map[string]*progress{}, registered: map[string]string{},
		client: capabilities{undeclared: map[string]bool{}}, documents: map[string]*document{}, disk: map[string]*snapshot{},
		started: time.Now(),
	}, nil
}

// CountCodePoints tells the session that the client counts code points, whatever encoding
// initialize negotiates.
func (s *Session) CountCodePoints() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.countsRunes = true
}

// Support tells the session that the client supports what it does not declare, such as
// "textDocument.hover".
func (s *Session) Support(capabilities ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range capabilities {
		s.client.undeclared[c] = true
	}
}

// maxCertain is the size in bytes up to which a server must read a message.
const maxCertain = 32 << 20

// FromClient takes the body of a message that the client is about to send.
func (s *Session) FromClient(body []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock++
	if len(body) > maxCertain {
		s.unreadable++
	}
	m, err := parseMessage(body, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	switch {
	case err != nil || !validID(m.id):
		s.unreadable++
		return
	}
	s.ofClient.check(m, body, s.asked[m.id])
	switch {
	case m.method == "":
		s.clientResponded(m)
	case m.id == "" || m.id == "null":
		s.clientNotified(m)
	default:
		s.clientRequested(m)
	}
}

// validID reports whether a message may have this id.
func validID(id string) bool {
	return id == "" || id == "null" || strings.HasPrefix(id, `"`) || strings.Trim(id, "-+.eE0123456789") == ""
}

// FromServer checks the body of a message that the client has received.
func (s *Session) FromServer(body []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.body = body
	m, err := parseMessage(body)
	if err != nil {
		s.violated(RuleJSON, "the message is not a JSON object: %v", err)
		return
	}
	s.checkEnvelope(m)
	if m.method == "" {
		s.serverResponded(m)
	} else {
		s.serverCalled(m)
	}
}

// checkEnvelope checks the fields of JSON-RPC.
func (s *Session) checkEnvelope(m *message) {
	if m.version != "2.0" {
		s.violated(RuleEnvelope, "jsonrpc is %s, not 2.0", describe(m.version))
	}
	for _, name := range m.unknownFields {
		s.violated(RuleEnvelope, "the message has the field %s", name)
	}
	switch isCall := m.method != ""; {
	case isCall && (m.hasResult || m.hasFailure):
		s.violated(RuleEnvelope, "a call has a result")
	case isCall && m.id == "null":
		s.violated(RuleEnvelope, "the id of a request is null")
	case !isCall && m.id == "":
		s.violated(RuleEnvelope, "a response has no id")
	case !isCall && m.hasParams:
		s.violated(RuleEnvelope, "a response has parameters")
	case !isCall && m.hasResult == m.hasFailure:
		s.violated(RuleEnvelope, "a response must have either a result or an error")
	}
}
