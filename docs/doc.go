// Package docs holds the documentation for users. Its tests keep the pages true to
// the program. It has no code of its own.
package docs
