package sandbox

// WithHome returns a sandbox for a user with another home folder.
func WithHome(s Sandbox, home string) Sandbox {
	switch s := s.(type) {
	case *bubblewrap:
		return &bubblewrap{s.program, home}
	case *landlock:
		return &landlock{s.version, home}
	}
	return s
}

// Landlock returns the sandbox of a machine without bubblewrap.
func Landlock() (Sandbox, error) {
	version, err := landlockVersion()
	return &landlock{version: version, home: homeFolder()}, err
}
