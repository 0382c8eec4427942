package session

// Configure sets the limits and the fallback model for turns that begin from now on.
// The fallback model replaces a model that is overloaded; "" means none.
func (e *Engine) Configure(limits Limits, fallback string) {
	limits = limits.withDefaults()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.opts.Limits, e.opts.Fallback = limits, fallback
	e.dispatcher.timeout.Store(int64(limits.ToolTimeout))
}

// configured returns the values that [Engine.Configure] set last.
func (e *Engine) configured() (limits Limits, fallback string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.opts.Limits, e.opts.Fallback
}
