package lspcheck

// progress is what a token stands for.
type progress struct {
	request    *request  // that gave the token; nil if the server created it
	partial    *metaType // of partial results; nil for work-done progress
	anything   bool      // the partial results have a type that LSP does not know
	over       bool      // the request was answered
	created    bool      // the client has agreed to the server's token
	last       string    // the kind of the last value
	percentage float64
	counts     bool // the progress has a percentage
	title      string
}

// giveTokens takes the tokens of a request of the client.
func (s *Session) giveTokens(r *request) {
	if token := field(r.params, "workDoneToken"); token != nil {
		s.give(r, token, &progress{request: r})
	}
	if token := field(r.params, "partialResultToken"); token != nil {
		p := &progress{request: r, anything: true}
		if meta := s.model.requests[r.method]; meta != nil {
			p.partial, p.anything = meta.PartialResult, meta.PartialResult == nil
		}
		s.give(r, token, p)
	}
}

func (s *Session) give(r *request, token any, p *progress) {
	s.progress[key(token)] = p
	r.tokens = append(r.tokens, key(token))
}

// takeTokens ends the time of a request's tokens, as the request has been answered.
func (s *Session) takeTokens(r *request) {
	for _, token := range r.tokens {
		p := s.progress[token]
		if p.request != r {
			continue // a later request uses the token again
		}
		p.over = true
		s.checkEnded(token, p)
	}
}

// createProgress checks a token that the server creates.
func (s *Session) createProgress(m *message) {
	token := key(field(m.params, "token"))
	if s.progress[token] != nil {
		s.violated(RuleProgress, "the token %s exists already", token)
		return
	}
	p := &progress{}
	s.progress[token] = p
	s.asked[m.id].answered = func(ok bool) { p.created = ok }
}

// checkProgress checks a value of a progress.
func (s *Session) checkProgress(m *message) {
	token, value := key(field(m.params, "token")), field(m.params, "value")
	p := s.progress[token]
	switch {
	case p == nil:
		s.violated(RuleProgress, "no request has given the token %s", token)
	case p.over:
		s.violated(RuleProgress, "the request of the token %s was answered before", token)
	case p.request == nil && !p.created:
		s.violated(RuleProgress, "the client has not agreed to the token %s yet", token)
	case p.anything:
	case p.partial != nil:
		s.conforms(value, p.partial, "params.value")
	default:
		s.checkWorkDone(token, p, value)
	}
}

// workDone are the types of the values of work-done progress, by kind.
var workDone = map[string]*metaType{
	"begin":  {Kind: "reference", Name: "WorkDoneProgressBegin"},
	"report": {Kind: "reference", Name: "WorkDoneProgressReport"},
	"end":    {Kind: "reference", Name: "WorkDoneProgressEnd"},
}

// checkWorkDone checks a value of work-done progress.
func (s *Session) checkWorkDone(token string, p *progress, value any) {
	kind := text(value, "kind")
	t := workDone[kind]
	if t == nil {
		s.violated(RuleProgress, "the value of the progress %s has the kind %q", token, kind)
		return
	}
	if !s.conforms(value, t, "params.value") {
		return
	}
	if began := p.last != ""; began == (kind == "begin") || p.last == "end" {
		s.violated(RuleProgress, "the progress %s gets %s after %q", token, kind, p.last)
	}
	p.last = kind
	s.checkPercentage(token, p, kind, value)
}

// checkPercentage checks that a percentage lies between the last one and 100. Clients ignore it
// if the progress began without one.
func (s *Session) checkPercentage(token string, p *progress, kind string, value any) {
	percentage, ok := field(value, "percentage").(float64)
	if kind == "begin" {
		p.counts, p.title = ok, text(value, "title")
	}
	switch {
	case !ok:
	case !p.counts:
		s.violated(RulePercentage, "the progress %s of %q began without a percentage", token, p.title)
	case percentage > 100:
		s.violated(RulePercentage, "the progress %s of %q is at %v %%", token, p.title, percentage)
	case percentage < p.percentage:
		s.violated(RulePercentage, "the progress %s of %q goes back from %v %% to %v %%", token, p.title, p.percentage,
			percentage)
	default:
		p.percentage = percentage
	}
}

// checkEnded checks that a progress that has begun has ended.
func (s *Session) checkEnded(token string, p *progress) {
	if p.last != "" && p.last != "end" {
		s.violated(RuleUnended, "the progress %s of %q has not ended", token, p.title)
	}
}

// checkAllEnded checks that each progress has ended.
func (s *Session) checkAllEnded() {
	for token, p := range s.progress {
		s.checkEnded(token, p)
	}
}
