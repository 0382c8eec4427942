package protocol

// MethodSlashCommands lists the slash commands: those that are built in, and the user's, which come before them. A
// message that begins with one, as in "/review a.go", is sent to the model as what the command stands for.
const MethodSlashCommands = "ploke/commands"

// SlashCommandsResult holds the commands, and what is wrong with other files in the user's folder.
type SlashCommandsResult struct {
	Folder   string                `json:"folder"`   // a path; empty if there can't be commands
	Commands []SlashCommand        `json:"commands"` // by name
	Problems []SlashCommandProblem `json:"problems"`
}

// A SlashCommand is a command by its name. Unknown values are omitted.
type SlashCommand struct {
	Name         string `json:"name"` // without the slash
	Description  string `json:"description,omitempty"`
	ArgumentHint string `json:"argumentHint,omitempty"`
}

// A SlashCommandProblem says why a file, or the folder, can't be used.
type SlashCommandProblem struct {
	Path  string `json:"path"`
	Error string `json:"error"`
}
