package inquiries

import (
	"testing"

	"ploke-lsp/session/llm/embedded/lexicon"
)

// files makes what a search by names has found.
func files(names ...string) (found Found) {
	for _, name := range names {
		found.Files = append(found.Files, struct{ File string }{"/w/" + name})
	}
	return found
}

func TestErrands(t *testing.T) {
	scripts := matches("/w/package.json", `    "db:start:pg": "docker compose up -d pg",`, `    "db:start": "docker compose up -d`,
		`    "db:stop": "docker compose down",`,
		`    "test:db": "mocha",`, `    "db-up": "^5.0.0",`, `    "docs": "vitepress dev docs",`)
	make_ := matches("/w/Makefile", "", "start-db:", "\tdb start", "seed: db")
	sentence := matches("/w/CONTRIBUTING.md", "The databases can be started with:")
	sentence.Matches[0].After = []string{"", "```bash", "docker compose up -d", "```"}
	heading := matches("/w/CONTRIBUTING.md", "Start the databases first.")
	heading.Matches[0].After = []string{"## Lint", "    npm run lint"}
	task := matches("/w/tasks.py", "", "def devenv(c):", `    """Stop all dockers, and clean up."""`)
	task.Matches[0].Before, task.Matches[1].Before = []string{"@task"}, []string{"@task", "def devenv(c):"}
	plain := matches("/w/tasks.py", "def start_database(c):")
	compose := matches("/w/docker-compose.yml", "services:", "  main:", "    image: postgres:14", "  mail:", "volumes:", "  database:")
	nested := matches("/w/ci/docker-compose.yml", "services:", "  postgres:")
	none := Found{}
	tests := []struct {
		message  string
		found    []Found
		has, not []string
	}{
		{"how do I start the databases for the integration tests?", []Found{scripts}, []string{
			"- `npm run db:start` — package.json:2: `docker compose up -d`\n- `npm run db:start:pg` — package.json:1"}, []string{"stop", "mocha", "db-up", "vitepress"}},
		{"how do i bring the db up", []Found{scripts, none, files("pnpm-lock.yaml")}, []string{"- `pnpm run db:start`"}, nil},
		{"how do I start the database for the crawler", []Found{scripts, compose}, []string{"- `npm run db:start`"}, []string{"by convention"}},
		{"how do I start the mail database", []Found{sentence}, nil, nil},
		{"how to spin up a test db", []Found{scripts}, []string{"- `npm run db:start`"}, nil},
		{"how do I stop the database", []Found{scripts}, []string{"- `npm run db:stop`"}, []string{"db:start"}},
		{"how do I start the database", []Found{make_}, []string{"- `make start-db` — Makefile:2"}, []string{"seed"}},
		{"how do I start the databases", []Found{sentence}, []string{"- `docker compose up -d` — CONTRIBUTING.md:4"}, []string{"bash"}},
		{"how do I start the databases", []Found{heading}, nil, nil},
		{"how do I stop the docker containers", []Found{task}, []string{"- `invoke devenv` — tasks.py:3: `Stop all dockers, and clean up.`"}, nil},
		{"how do I start the database", []Found{plain}, nil, nil},
		{"how do I start the database", []Found{none, compose}, []string{"- `docker compose up -d main` — as docker-compose.yml has it by convention"}, []string{"mail"}},
		{"how do I shut down the database", []Found{none, nested}, []string{"- `docker compose -f ci/docker-compose.yml stop postgres`"}, nil},
		{"how do I seed the database", []Found{none, compose}, nil, nil},
		{"how do I update the icons", []Found{none, none, files("scripts/update-icons.sh", "scripts/update-all.sh", "src/update-icons.sh")},
			[]string{"- `scripts/update-icons.sh` — scripts/update-icons.sh:1"}, []string{"update-all", "src/"}},
		{"how do I install the git hooks", []Found{none, none, files(".pre-commit-config.yaml")}, []string{"- `pre-commit install`"}, nil},
		{"how do I start a server for the users of the database", []Found{scripts}, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.message, func(t *testing.T) {
			e, ok := lexicon.ErrandIn(tt.message)
			if !ok {
				t.Fatal("no errand")
			}
			got := ask(t, Errand{e}, nil, tt.found...)
			said(t, got, tt.has, tt.not)
			if tt.has == nil && got != "" {
				t.Errorf("said: %s", got)
			}
		})
	}
	for _, message := range []string{"how do I start it", "start the database", "who starts the database", "how do I create a FooBar", "how do I start a transaction", "how do I use the database"} {
		if e, ok := lexicon.ErrandIn(message); ok {
			t.Errorf("%s: an errand, %v", message, e)
		}
	}
}
