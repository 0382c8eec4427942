package lexicon

// Examples are questions to begin with.
const Examples = "- `what is this project?`\n- `where is NAME defined?`\n- `who calls NAME?`\n- `rename OLD to " +
	"NEW`\n\n" +
	"`help` lists everything that I understand.\n"

// Abilities say what rules can do.
const Abilities = "What I can do:\n\n" +
	"- `what is this project?`: the README's beginning, folders and entry points\n" +
	"- `where is NAME defined?`, `explain NAME`, `explain FILE:LINE`: a symbol with its documentation\n" +
	"- `who calls NAME?`, `where is NAME used?`, `what does NAME call?`, `what implements NAME?`, `what tests NAME?`\n" +
	"- `how do I build it?` (or run, test, lint), its license, version, dependencies, scripts, features and entry " +
	"points, TODOs\n" +
	"- `what changed recently?`, `who wrote FILE?`, `uncommitted changes`, `lines of code`, `unused symbols`\n" +
	"- `grep \"TEXT\"`, `what imports NAME?`, `outline of FILE`, `what is in FOLDER/`, `exported symbols of PACKAGE`, " +
	"`largest files`, `longest functions`\n" +
	"- a diff, as in `git diff | ploke-lsp ask \"review this\"` or `/review`: what it changes, who uses that, and which " +
	"tests name it\n" +
	"- any other question about the code: I search, and quote the best places\n" +
	"- `rename OLD to NEW`: OLD may be qualified, as in `Server.Run`; NEW must be free\n" +
	"- `replace \"OLD TEXT\" with \"NEW TEXT\" in FILE`, `in the folder FOLDER`, or `in comments`\n" +
	"- `delete NAME`, `move NAME to FILE`: a symbol, with a list of what uses it\n" +
	"- `rename OLD-FILE to NEW-FILE`, `move FILE to FOLDER/`: with the imports that it breaks\n" +
	"- `add a doc comment to NAME: TEXT`\n" +
	"- `create FILE with \"TEXT\"`, or with a fenced block\n\n" +
	"NAME may be `Run`, `Server.Run` or `Server::Run`. What I change is a proposal until you accept it.\n\n"

// Configure says what rules can't do, and how a language model is set up.
const Configure = "I can't write, review or judge code, and I can't talk about other things. For that, set up a " +
	"language model.\n\n" + Setup

// Setup says how a language model is set up.
const Setup = "A language model is set up in one of three ways:\n\n" +
	"- Run `ploke-lsp setup` in a terminal: it finds a model on your machine, or a key, shows what it would write, and " +
	"asks.\n" +
	"- Set three variables in the environment of your editor or shell, and restart it: PLOKE_BASE_URL (any " +
	"OpenAI-compatible endpoint, ending in /v1), PLOKE_API_KEY (its key, if it needs one) and PLOKE_MODEL (the " +
	"model's name there).\n" +
	"- Write `~/.config/ploke-lsp/config.toml`. It counts from the next message on. For a model of a local Ollama:\n\n" +
	"```toml\nmodel = \"home/qwen3\"\n\n[providers.home]\ntype = \"ollama\"\n```\n\n" +
	"`ploke-lsp doctor` shows where your settings file belongs, and tries the model. `docs/settings.md` of ploke-lsp " +
	"lists every setting.\n"
