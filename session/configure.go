package session

// Configure has the turns that begin from now on keep to limits, and ask the
// model called fallback where theirs is overloaded; "" asks no other.
func (e *Engine) Configure(limits Limits, fallback string) {
	limits = limits.withDefaults()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.opts.Limits, e.opts.Fallback = limits, fallback
	e.dispatcher.timeout.Store(int64(limits.ToolTimeout))
}

// configured returns what [Engine.Configure] has set.
func (e *Engine) configured() (limits Limits, fallback string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.opts.Limits, e.opts.Fallback
}
