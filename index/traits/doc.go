// Package traits says what kind of file a path and a text are: a test, vendored or generated,
// documentation, data, or none of these.
//
// It knows conventions of all languages and nothing of a workspace, and answers the same for the
// same path and text.
package traits
