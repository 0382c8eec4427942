package lspcheck

// CheckClient has the client's messages checked, too: their types, as far as LSP has their methods. report is called
// for the first violation of each rule. It must not call the session.
func (s *Session) CheckClient(report func(Violation)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ofClient = &clientCheck{model: s.model, report: report, reported: map[Rule]bool{}}
}

// clientCheck checks the messages of the client.
type clientCheck struct {
	model    *metaModel
	report   func(Violation)
	reported map[Rule]bool
}

// check checks a message; asked is the request that a response is for, nil if there is none.
func (c *clientCheck) check(m *message, body []byte, asked *request) {
	if c == nil {
		return
	}
	var value any
	var t *metaType
	switch {
	case m.method != "":
		methods := c.model.notifications
		if m.id != "" {
			methods = c.model.requests
		}
		if meta := methods[m.method]; meta != nil {
			if !meta.fromClient() {
				c.violated(RuleMethod, "LSP has no "+m.method+" from a client to a server", body)
			}
			value, t = m.params, meta.Params
		}
	case asked == nil:
		c.violated(RuleAnswer, "the server has not asked for this", body)
	case !m.hasFailure && c.model.requests[asked.method] != nil:
		value, t = m.result, c.model.requests[asked.method].Result
	}
	if t == nil {
		return
	}
	for _, w := range c.model.conform(value, t, "params or result") {
		c.violated(w.rule, w.text, body)
	}
}

func (c *clientCheck) violated(rule Rule, text string, body []byte) {
	if !c.reported[rule] {
		c.reported[rule] = true
		c.report(Violation{rule, text, clip(string(body), maxShown)})
	}
}
