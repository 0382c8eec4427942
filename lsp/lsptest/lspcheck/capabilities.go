package lspcheck

import (
	"slices"
	"strings"
)

// capabilities are what a client has declared.
type capabilities struct {
	declared any // the capabilities of initialize
	options  any // the initializationOptions, where some clients declare ploke/*
	// undeclared are capabilities that the client has, whatever it declares.
	undeclared map[string]bool
}

// get returns a capability, such as "textDocument.hover.contentFormat"; nil if there is none.
func (c capabilities) get(path string) any { return field(c.declared, strings.Split(path, ".")...) }

// declares reports whether a capability is there and is not false.
func (c capabilities) declares(path string) bool {
	value := c.get(path)
	return value != nil && value != false || c.undeclared[path]
}

// includes reports whether a capability is a list with this value.
func (c capabilities) includes(path string, value any) bool {
	l, _ := c.get(path).([]any)
	return slices.Contains(l, value)
}

// ploke reports whether the client supports a method of the ploke extension.
func (c capabilities) ploke(method string) bool {
	return slices.Contains(list(c.declared, "experimental", "ploke", "methods"), any(method)) ||
		slices.Contains(list(c.options, "clientCapabilities", "ploke", "methods"), any(method))
}
