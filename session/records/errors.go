package records

import "fmt"

// NotFoundError reports that something, such as a conversation or message, does not
// exist.
type NotFoundError struct{ What, ID string }

func (e *NotFoundError) Error() string { return fmt.Sprintf("there is no %s %q", e.What, e.ID) }
