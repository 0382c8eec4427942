package llm

// Embedded returns the model that needs no network and no weights: a planner
// that drives the tools by rules. It is no language model, and says so.
func Embedded() Model {
	return Model{}
}
