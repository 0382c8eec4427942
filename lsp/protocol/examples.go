package protocol

// MethodExamples returns questions that a person who is new to the workspace may ask.
const MethodExamples = "ploke/examples"

// ExamplesResult holds questions about names of the workspace. It is empty while nothing is indexed.
type ExamplesResult struct {
	Questions []string `json:"questions"` // at most four; each is a whole message
}
