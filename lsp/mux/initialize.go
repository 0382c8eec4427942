package mux

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"

	"ploke-lsp/internal/display"
	"ploke-lsp/internal/lspclient"
	ploke "ploke-lsp/lsp/protocol"
)

const utf16 = "utf-16"

// A handshake is initialize: it is answered once both servers have answered it, or the inner one has had the time for
// it.
type handshake struct {
	mux      *Mux
	id       jsonrpc2.ID
	encoding string    // of positions, for both
	results  [2]object // nil of a server that can't be served
	timer    *time.Timer
	over     bool // the inner server has had its time
}

// initialize begins the handshake.
func (m *Mux) initialize(id jsonrpc2.ID, params json.RawMessage) {
	m.phase = initializing
	m.editor.SetResponsesApart(responsesApart(params))
	h := &handshake{mux: m, id: id, encoding: encodingFor(params)}
	h.timer = time.AfterFunc(m.options.StartTime, h.late)
	m.inner.ask(methodInitialize, innerParams(params, h.encoding), h.innerAnswered)
	m.ours.ask(methodInitialize, ourParams(params, h.encoding), h.oursAnswered)
}

// late takes the lock.
func (h *handshake) late() {
	m := h.mux
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.phase == initializing && m.inner.state == starting {
		m.tell(fmt.Sprintf("ploke: %s has not started within %v, so that only ploke-lsp answers. "+
			"Connect the editor again once it is faster", m.inner.name, m.options.StartTime))
		h.over = true
		h.end()
	}
}

func (h *handshake) oursAnswered(a answer) {
	if a.err != nil {
		h.timer.Stop()
		h.mux.phase = created
		h.mux.reply(h.id, a)
		return
	}
	h.introduced(h.mux.ours, a.result)
	h.end()
}

func (h *handshake) innerAnswered(a answer) {
	m := h.mux
	switch {
	case a.err == nil:
		h.introduced(m.inner, a.result)
	case m.inner.state != ended:
		m.endInner("it refuses to start: " + a.err.Error())
	}
	h.end()
}

// end answers the editor, unless it has to wait.
func (h *handshake) end() {
	m := h.mux
	if m.phase != initializing || m.ours.state == starting || m.inner.state == starting && !h.over {
		return
	}
	h.timer.Stop()
	m.phase = initialized
	m.reply(h.id, answer{result: h.result()})
}

// introduced takes what a server says of itself.
func (h *handshake) introduced(s *server, result json.RawMessage) {
	m, all := h.mux, objectOf(result)
	info := objectOf(all["serverInfo"])
	var name string
	if json.Unmarshal(info["name"], &name) == nil && name != "" {
		s.name = display.Name(display.Clip(name, maxCause))
	}
	_ = json.Unmarshal(info["version"], &s.version) // it need not have one
	can := newCapabilities(objectOf(all["capabilities"]))
	switch {
	case s == m.inner && can.encoding() != h.encoding:
		m.endInner(fmt.Sprintf("it counts positions in %.20q, and the editor takes %q", can.encoding(), h.encoding))
		return
	case m.phase != initializing && can.change == 1:
		m.endInner("it has started too late")
		return
	}
	s.can = can
	s.serve()
	h.results[s.side] = all
}

// result is the answer to initialize.
func (h *handshake) result() json.RawMessage {
	if h.results[inner] == nil {
		return h.results[ours].raw()
	}
	all := overlay(h.results[inner], h.results[ours])
	all["capabilities"] = joinCapabilities(objectOf(h.results[inner]["capabilities"]),
		objectOf(h.results[ours]["capabilities"])).raw()
	theirs, own := h.mux.inner, h.mux.ours
	info := object{"name": mustMarshal("ploke-lsp with " + lspclient.NameOf(theirs.name, theirs.version))}
	if own.version != "" {
		info["version"] = mustMarshal(own.version)
	}
	all["serverInfo"] = info.raw()
	return all.raw()
}

// encodingFor returns how both servers are to count positions: as every client and server can, unless this client says
// that it does not.
func encodingFor(params json.RawMessage) string {
	offered := stringsOf(objectOf(objectOf(objectOf(params)["capabilities"])["general"])["positionEncodings"])
	if len(offered) == 0 || slices.Contains(offered, utf16) {
		return utf16
	}
	return offered[0]
}

// withEncoding returns the client's capabilities with one encoding, where they have some.
func withEncoding(capabilities object, encoding string) {
	one := mustMarshal([]string{encoding})
	if general := objectOf(capabilities["general"]); general["positionEncodings"] != nil {
		general["positionEncodings"] = one
		capabilities["general"] = general.raw()
	}
	if capabilities["offsetEncoding"] != nil { // of clangd
		capabilities["offsetEncoding"] = one
	}
}

// innerParams returns the parameters of initialize for the inner server: the editor's, without the options of ours.
func innerParams(params json.RawMessage, encoding string) json.RawMessage {
	all := objectOf(params)
	capabilities := objectOf(all["capabilities"])
	withEncoding(capabilities, encoding)
	all["capabilities"] = capabilities.raw()
	if strings.HasPrefix(string(all["initializationOptions"]), "{") {
		all["initializationOptions"] = withoutMember(all["initializationOptions"], "ploke")
	}
	return all.raw()
}

// ourParams returns the parameters of initialize for ours: the options below ploke, and methods that the mux answers.
func ourParams(params json.RawMessage, encoding string) json.RawMessage {
	all := objectOf(params)
	delete(all, "workDoneToken") // the inner server's
	options := objectOf(all["initializationOptions"])
	own := objectOf(options["ploke"])
	declared := objectOf(objectOf(options["clientCapabilities"])["ploke"])
	delete(all, "initializationOptions")
	if len(own) > 0 {
		all["initializationOptions"] = own.raw()
	}
	capabilities := objectOf(all["capabilities"])
	withEncoding(capabilities, encoding)
	experimental := objectOf(capabilities["experimental"])
	if has := objectOf(experimental["ploke"]); len(has) > 0 {
		declared = has
	}
	if declared["version"] == nil {
		declared["version"] = mustMarshal(ploke.Version)
	}
	declared["methods"] = mustMarshal(union(stringsOf(declared["methods"]),
		[]string{ploke.MethodClientServers, ploke.MethodClientAsk}))
	experimental["ploke"] = declared.raw()
	capabilities["experimental"] = experimental.raw()
	all["capabilities"] = capabilities.raw()
	return all.raw()
}
