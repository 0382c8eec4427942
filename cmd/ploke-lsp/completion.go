package main

import (
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

func completionCommand(*flag.FlagSet, *common) func(context.Context, environment, []string) error {
	return func(_ context.Context, env environment, args []string) error {
		if err := oneArgument("shell", args); err != nil {
			return err
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

func bashCompletion(all []described) string {
	var b strings.Builder
	fmt.Fprintf(&b, `_ploke_lsp() {
  local word=${COMP_WORDS[COMP_CWORD]} words='' flags=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '%s' -- "$word"))
    return
  fi
  case ${COMP_WORDS[1]} in
`, strings.Join(names(all), " "))
	for _, d := range all {
		fmt.Fprintf(&b, "    %s) words='%s' flags='%s' ;;\n", d.name, strings.Join(d.words, " "), strings.Join(d.flagNames(), " "))
	}
	b.WriteString(`  esac
  case $word in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
    *)
      COMPREPLY=()
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
			case f.value != "":
				spec += ":" + f.value + ":"
			}
			b.WriteString(" \\\n      " + quoted(spec))
		}
		if d.words != nil {
			b.WriteString(" \\\n      " + quoted("1:argument:("+strings.Join(d.words, " ")+")"))
		}
		b.WriteString(" \\\n      '*:file:_files' ;;\n")
	}
	b.WriteString("  esac\n}\n\n_ploke_lsp \"$@\"\n")
	return b.String()
}

func fishCompletion(all []described) string {
	escape := strings.NewReplacer(`\`, `\\`, "'", `\'`)
	var b strings.Builder
	for _, d := range all {
		fmt.Fprintf(&b, "complete -c ploke-lsp -f -n __fish_use_subcommand -a %s -d '%s'\n", d.name, escape.Replace(d.summary))
		for _, word := range d.words {
			fmt.Fprintf(&b, "complete -c ploke-lsp -f -n '__fish_seen_subcommand_from %s' -a %s\n", d.name, word)
		}
		for _, f := range d.flags {
			required := ""
			if f.value != "" {
				required = " -r"
			}
			fmt.Fprintf(&b, "complete -c ploke-lsp -n '__fish_seen_subcommand_from %s' -l %s%s -d '%s'\n", d.name, f.name, required, escape.Replace(f.usage))
		}
	}
	return b.String()
}

func powershellCompletion(all []described) string {
	list := func(words []string) string { return "'" + strings.Join(words, "', '") + "'" }
	var b strings.Builder
	b.WriteString("Register-ArgumentCompleter -Native -CommandName ploke-lsp -ScriptBlock {\n  param($word, $ast, $position)\n  $known = @{\n")
	for _, d := range all {
		fmt.Fprintf(&b, "    '%s' = @(%s)\n", d.name, list(append(d.words, d.flagNames()...)))
	}
	fmt.Fprintf(&b, `  }
  $elements = @($ast.CommandElements | ForEach-Object { $_.ToString() })
  $typed = if ($word) { 2 } else { 1 }
  $offered = if ($elements.Count -le $typed) { @(%s) } else { $known[$elements[1]] }
  $offered | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`, list(names(all)))
	return b.String()
}
