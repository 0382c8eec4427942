package shell

func quoted(argument string) string { return `"` + argument + `"` }

// Edit returns the command that opens a file in the person's editor.
func Edit(path string) string { return "notepad " + Quote(path) }

// Move returns the command that gives a file another name.
func Move(path, to string) string { return "move " + Quote(path) + " " + Quote(to) }

// Set returns the command that sets an environment variable to a value, which is in the words of
// the shell.
func Set(name, value string) string { return "setx " + name + " " + value }

// AddToPath returns the command that adds a folder to those in which programs are found.
func AddToPath(folder string) string { return Set("PATH", `"%PATH%;`+folder+`"`) }

// InHome returns the path of a name in the home folder, in the words of the shell.
func InHome(name string) string { return `"%USERPROFILE%\` + name + `"` }

// StoreKey returns the command that stores a key in the Credential Manager.
func StoreKey(service, user string) string {
	return "cmdkey /generic:" + Quote(service+":"+user) + " /user:" + Quote(user) + " /pass"
}
