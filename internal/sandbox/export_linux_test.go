package sandbox

// WithHome returns the sandbox for a user with another home folder.
func (s *Sandbox) WithHome(home string) *Sandbox {
	other := *s
	other.home = home
	return &other
}
