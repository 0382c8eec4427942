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

// initialize asks both servers, and answers once both have, or the inner one has had the time for it.
func (m *Mux) initialize(id jsonrpc2.ID, params json.RawMessage) {
	m.phase = initializing
	m.editor.SetResponsesApart(responsesApart(params))
	encoding := encodingFor(params)
	var results [2]object
	answerNow := func() {
		if m.phase != initializing || results[ours] == nil {
			return
		}
		m.phase = initialized
		m.reply(id, answer{result: m.initialized(results)})
	}
	late := func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.phase == initializing && m.inner.state == starting {
			m.tell(fmt.Sprintf("ploke: %s has not started within %v, so that only ploke-lsp answers. "+
				"Connect the editor anew once it is faster", m.inner.name, m.options.StartTime))
			answerNow()
		}
	}
	wait := time.AfterFunc(m.options.StartTime, late)
	done := func(s *server) func(answer) {
		return func(a answer) {
			switch {
			case s == m.ours && a.err != nil:
				wait.Stop()
				m.phase = created
				m.reply(id, a)
				return
			case a.err != nil && s.state != ended:
				m.endInner("it refuses to start: " + a.err.Error())
			case a.err == nil:
				results[s.side] = m.introduced(s, a.result, encoding)
			}
			if m.inner.state != starting && m.ours.state != starting {
				wait.Stop()
				answerNow()
			}
		}
	}
	m.ask(m.inner, methodInitialize, innerParams(params, encoding), done(m.inner))
	m.ask(m.ours, methodInitialize, ourParams(params, encoding), done(m.ours))
}

// introduced takes what a server says of itself, and returns it; nil if it can't be served.
func (m *Mux) introduced(s *server, result json.RawMessage, encoding string) object {
	all := objectOf(result)
	info := objectOf(all["serverInfo"])
	var name string
	if json.Unmarshal(info["name"], &name) == nil && name != "" {
		s.name = display.Name(display.Clip(name, maxCause))
	}
	_ = json.Unmarshal(info["version"], &s.version) // it need not have one
	static := objectOf(all["capabilities"])
	chosen := utf16
	_ = json.Unmarshal(static["positionEncoding"], &chosen)
	can := newCapabilities(static)
	switch {
	case s == m.inner && chosen != encoding:
		m.endInner(fmt.Sprintf("it counts positions in %.20q, and the editor takes %q", chosen, encoding))
		return nil
	case m.phase != initializing && can.change == 1:
		m.endInner("it has started too late")
		return nil
	}
	s.can = can
	m.serve(s)
	return all
}

// initialized is the answer to initialize.
func (m *Mux) initialized(results [2]object) json.RawMessage {
	if results[inner] == nil {
		return results[ours].raw()
	}
	all := overlay(results[inner], results[ours])
	all["capabilities"] = joinCapabilities(objectOf(results[inner]["capabilities"]),
		objectOf(results[ours]["capabilities"])).raw()
	info := object{"name": mustMarshal("ploke-lsp with " + lspclient.NameOf(m.inner.name, m.inner.version))}
	if m.ours.version != "" {
		info["version"] = mustMarshal(m.ours.version)
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
