package config

import "ploke-lsp/internal/process"

// KeyBounds are keyBounds, which a test may change.
func KeyBounds() *process.Bounds { return &keyBounds }
