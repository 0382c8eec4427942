// Package process starts the programs that the user has configured: with an environment that has no
// keys, and so that all processes that they start end with them. It also bounds what a program may take.
package process
