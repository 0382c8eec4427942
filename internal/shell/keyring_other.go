//go:build !darwin && !windows

package shell

// StoreKey returns the command that stores a key in the Secret Service.
func StoreKey(service, user string) string {
	return "secret-tool store --label=ploke-lsp service " + Quote(service) + " username " + Quote(user)
}
