package aliases

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
)

// interpreters are the tools of other agents that run code in Python, by their plain names.
var interpreters = words("python ipython python_exec execute_python run_python code_interpreter")

// inMilliseconds are the shells of other agents whose timeout is in milliseconds, by their plain names.
var inMilliseconds = words("bash shell run_in_terminal run_shell_command")

// idleInShells are fields of other agents' shells that change nothing here, as plain names: how the output is waited
// for, and what a command may do outside of a sandbox.
var idleInShells = []string{"goal", "login", "shell", "tty", "yieldtimems", "maxoutputtokens", "waitmsbeforeasync",
	"blocking", "safetoautorun", "requireuserapproval", "sandboxpermissions", "withescalatedpermissions",
	"dangerouslydisablesandbox"}

// inBackground are fields of other agents' shells that start what goes on running, as plain names. Nothing does here.
var inBackground = []string{"background", "isbackground", "runinbackground"}

// least is the shortest timeout that is taken for milliseconds where other agents use the field for seconds, too.
const least = 1000

// ofShell makes the arguments of another agent's shell those of run_command.
func ofShell(plain string, args map[string]any) {
	maps.DeleteFunc(args, func(key string, value any) bool {
		field := Plain(key)
		return slices.Contains(idleInShells, field) || value == false && slices.Contains(inBackground, field)
	})
	if slices.Contains(inMilliseconds, plain) {
		args["timeout"] = seconds(args["timeout"], least)
	}
	for _, key := range []string{"timeout_ms", "timeoutMs"} {
		if ms, given := args[key]; given {
			delete(args, key)
			args["timeout"] = seconds(ms, 0)
		}
	}
	if args["timeout"] == nil {
		delete(args, "timeout")
	}
	if code, ok := args["code"].(string); ok && slices.Contains(interpreters, plain) {
		delete(args, "code")
		args["command"] = []any{"python3", "-c", code}
	}
}

// seconds returns milliseconds as whole seconds. It returns what is no number, or less than least, as it is.
func seconds(value any, least float64) any {
	ms, err := strconv.ParseFloat(fmt.Sprint(value), 64)
	if err != nil || ms < least {
		return value
	}
	return json.Number(strconv.FormatFloat(math.Ceil(ms/1000), 'f', 0, 64))
}
