package shell

// StoreKey returns the command that stores a key in the keychain.
func StoreKey(service, user string) string {
	return "security add-generic-password -s " + Quote(service) + " -a " + Quote(user) + " -w"
}
