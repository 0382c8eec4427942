package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// shells are those that completions can be written for.
var shells = map[string]func([]described) string{
	"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion, "powershell": powershellCompletion,
}

// valueLists are what "completion" prints for the shells, in the current folder.
var valueLists = []string{"models", "proposals"}

func completionCommand(_ *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	return func(ctx context.Context, env environment, args []string) error {
		if err := oneArgument("shell", args); err != nil {
			return err
		}
		if slices.Contains(valueLists, args[0]) {
			return c.printList(ctx, env, args[0])
		}
		if shells[args[0]] == nil {
			return wrongUsage("there is no shell %q%s", args[0], nearestTo(args[0], slices.Sorted(maps.Keys(shells))))
		}
		_, err := fmt.Fprint(env.stdout, shells[args[0]](describeCommands()))
		return err
	}
}

// names returns the names of the commands.
func names(all []described) (names []string) {
	for _, d := range all {
		names = append(names, d.name)
	}
	return names
}

// flagNames returns the flags with their dashes.
func (d described) flagNames() (names []string) {
	for _, f := range d.flags {
		names = append(names, "--"+f.name)
	}
	return names
}

// command returns the command that prints a list for a shell.
func (v values) command() string { return "ploke-lsp completion " + v.list + " 2>/dev/null" }

// inBash returns words for "compgen -W".
func (v values) inBash() string {
	if v.list != "" {
		return "$(" + v.command() + ")"
	}
	return strings.Join(v.words, " ")
}

func bashCompletion(all []described) string {
	var b strings.Builder
	b.WriteString(`_ploke_lsp() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words='' flags='' second='' after=''
  [ "$before" = = ] && before=${COMP_WORDS[COMP_CWORD-2]}
  [ "$word" = = ] && word=''
  COMPREPLY=()
`)
	fmt.Fprintf(&b, "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W '%s' -- \"$word\"))\n    return\n"+
		"  fi\n",
		strings.Join(names(all), " "))
	b.WriteString("  case $before in\n    --workspace|--state-dir) COMPREPLY=($(compgen -d -- \"$word\")); return ;;\n")
	for _, name := range slices.Sorted(maps.Keys(flagValues)) {
		fmt.Fprintf(&b, "    --%s) COMPREPLY=($(compgen -W \"%s\" -- \"$word\")); return ;;\n", name,
			flagValues[name].inBash())
	}
	b.WriteString("  esac\n  case ${COMP_WORDS[1]} in\n")
	for _, d := range all {
		second := ""
		if d.second.list != "" {
			second = fmt.Sprintf(" after=' %s ' second=%s", strings.Join(d.second.after, " "), d.second.list)
		}
		fmt.Fprintf(&b, "    %s) words='%s' flags='%s'%s ;;\n", d.name, strings.Join(d.words, " "),
			strings.Join(d.flagNames(), " "), second)
	}
	b.WriteString(`  esac
  case $word in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
    *)
      if [ "$COMP_CWORD" -eq 3 ] && [ -n "$second" ] && [ "${after#* ${COMP_WORDS[2]} }" != "$after" ]; then
        COMPREPLY=($(compgen -W "$(ploke-lsp completion "$second" 2>/dev/null)" -- "$word"))
        return
      fi
      [ "$COMP_CWORD" -eq 2 ] && COMPREPLY=($(compgen -W "$words" -- "$word"))
      [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$word"))
      ;;
  esac
}
complete -o filenames -F _ploke_lsp ploke-lsp
`)
	return b.String()
}

// quoted returns a text in single quotes, as POSIX shells read it.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func zshCompletion(all []described) string {
	escape := strings.NewReplacer(`\`, `\\`, ":", `\:`, "[", `\[`, "]", `\]`)
	var b strings.Builder
	b.WriteString("#compdef ploke-lsp\n\n_ploke_lsp() {\n  local -a commands\n  commands=(\n")
	for _, d := range all {
		fmt.Fprintf(&b, "    %s\n", quoted(d.name+":"+escape.Replace(d.summary)))
	}
	b.WriteString("  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n" +
		"  local name=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $name in\n")
	for _, d := range all {
		fmt.Fprintf(&b, "    %s) _arguments", d.name)
		for _, f := range d.flags {
			spec := "--" + f.name + "[" + escape.Replace(f.usage) + "]"
			switch {
			case f.takesPath():
				spec += ":" + f.value + ":_files"
			case f.value != "" || f.values.known():
				spec += ":" + cmp.Or(f.value, f.name) + ":" + f.values.inZsh()
			}
			b.WriteString(" \\\n      " + quoted(spec))
		}
		if d.words != nil {
			b.WriteString(" \\\n      " + quoted("1:argument:"+values{words: d.words}.inZsh()))
		}
		if d.second.known() {
			b.WriteString(" \\\n      " + quoted("2:argument:"+d.second.inZsh()))
		}
		b.WriteString(" \\\n      '*:file:_files' ;;\n")
	}
	b.WriteString("  esac\n}\n\n_ploke_lsp \"$@\"\n")
	return b.String()
}

// known reports whether there are values.
func (v values) known() bool { return v.words != nil || v.list != "" }

// inZsh returns an action of _arguments.
func (v values) inZsh() string {
	switch {
	case v.list != "":
		return `{compadd -- ${(f)"$(` + v.command() + `)"}}`
	case v.words != nil:
		return "(" + strings.Join(v.words, " ") + ")"
	}
	return ""
}

// inFish returns the value of -a.
func (v values) inFish() string {
	if v.list != "" {
		return "(" + v.command() + ")"
	}
	return strings.Join(v.words, " ")
}

// inFish returns the flags that say what follows this one.
func (f describedFlag) inFish() string {
	switch {
	case f.values.known():
		return " -x -a " + quoted(f.values.inFish())
	case f.value != "":
		return " -r"
	}
	return ""
}

func fishCompletion(all []described) string {
	escape := strings.NewReplacer(`\`, `\\`, "'", `\'`)
	var b strings.Builder
	for _, d := range all {
		fmt.Fprintf(&b, "complete -c ploke-lsp -f -n __fish_use_subcommand -a %s -d '%s'\n", d.name,
			escape.Replace(d.summary))
		if d.words != nil {
			fmt.Fprintf(&b, "complete -c ploke-lsp -f -n '__fish_seen_subcommand_from %s' -a %s\n", d.name,
				quoted(strings.Join(d.words, " ")))
		}
		if d.second.known() {
			fmt.Fprintf(&b, "complete -c ploke-lsp -f -n '__fish_seen_subcommand_from %s; and "+
				"__fish_seen_subcommand_from %s' -a %s\n", d.name, strings.Join(d.second.after, " "), quoted(d.second.inFish()))
		}
		for _, f := range d.flags {
			fmt.Fprintf(&b, "complete -c ploke-lsp -n '__fish_seen_subcommand_from %s' -l %s%s -d '%s'\n", d.name, f.name,
				f.inFish(), escape.Replace(f.usage))
		}
	}
	return b.String()
}

func powershellCompletion(all []described) string {
	list := func(words []string) string { return "'" + strings.Join(words, "', '") + "'" }
	var b strings.Builder
	b.WriteString("Register-ArgumentCompleter -Native -CommandName ploke-lsp -ScriptBlock {\n  param($word, $ast, " +
		"$position)\n  $known = @{\n")
	for _, d := range all {
		fmt.Fprintf(&b, "    '%s' = @(%s)\n", d.name, list(append(d.words, d.flagNames()...)))
	}
	b.WriteString("  }\n  $values = @{\n")
	for _, name := range slices.Sorted(maps.Keys(flagValues)) {
		if v := flagValues[name]; v.list != "" {
			fmt.Fprintf(&b, "    '--%s' = { ploke-lsp completion %s 2>$null }\n", name, v.list)
		} else {
			fmt.Fprintf(&b, "    '--%s' = { %s }\n", name, list(v.words))
		}
	}
	fmt.Fprintf(&b, `  }
  $elements = @($ast.CommandElements | ForEach-Object { $_.ToString() })
  $typed = if ($word) { 2 } else { 1 }
  $before = $elements[[Math]::Max(0, $elements.Count - $typed)]
  $offered = if ($elements.Count -le $typed) { @(%s) } elseif ($values[$before]) { & $values[$before] } else { $known[$elements[1]] }
  $offered | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`, list(names(all)))
	return b.String()
}
