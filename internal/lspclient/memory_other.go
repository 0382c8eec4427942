//go:build !linux

package lspclient

func (p *program) memory() int64 { return 0 }
