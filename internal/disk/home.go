package disk

import (
	"os"
	"os/user"
)

// AccountHomes returns the home folders of the user whom this process runs as, and of the one who became that user by
// sudo or pkexec, as the system's account database has them. Variables such as HOME are missing where a scheduler or a
// container starts a process, or name the folder of another user.
func AccountHomes() (homes []string) {
	if own, err := user.Current(); err == nil {
		homes = append(homes, own.HomeDir)
	}
	for _, variable := range []string{"SUDO_UID", "PKEXEC_UID"} {
		if before, err := user.LookupId(os.Getenv(variable)); err == nil {
			homes = append(homes, before.HomeDir)
		}
	}
	return homes
}
