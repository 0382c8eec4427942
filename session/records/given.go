package records

// Rules are instructions that a project gives to assistants.
type Rules struct {
	Path     string   `json:"path"`           // absolute, of the file
	Name     string   `json:"name,omitempty"` // of the file, for the model; "" is the path
	Text     string   `json:"text"`
	Hash     string   `json:"hash,omitempty"` // of the whole file; "" in rules of a folder says that they are gone
	Secrets  []string `json:"secrets,omitempty"`
	LeftOut  int      `json:"left_out,omitempty"` // lines of the file that are not in Text, for want of room
	Replaces bool     `json:"replaces,omitempty"` // the model was given other rules of the file before
}

// Size returns the size of the rules as a model gets them, in bytes.
func (r Rules) Size() int { return len(r.Name) + len(r.Text) }

// RulesSecrets returns the secrets in rules.
func RulesSecrets(rules []Rules) (secrets []string) {
	for _, r := range rules {
		secrets = append(secrets, r.Secrets...)
	}
	return secrets
}

// FileState is what a file was when the model was shown it.
type FileState struct {
	Path string `json:"path"` // absolute
	Hash string `json:"hash"` // of the person's text, or [NoFile]
	// Proposed is the hash of the text with the changes that waited for a decision, or [NoFile]; "" without any.
	Proposed string `json:"proposed,omitempty"`
}

// NoFile stands for the hash of a file that does not exist.
const NoFile = "none"

// Decisions holds what was reported to the model of proposals, by their ids; see [ProposalState.Key].
type Decisions map[string]string
