package main

import (
	"fmt"
	"strings"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
)

const bashCompletion = `_hotloom() {
    local cur="${COMP_WORDS[COMP_CWORD]}" words=("${COMP_WORDS[@]:0:$COMP_CWORD}")
    [[ "$cur" == -* ]] && words+=("$cur")
    mapfile -t COMPREPLY < <(compgen -W "$("${words[@]}" --generate-bash-completion 2>/dev/null)" -- "$cur")
}
complete -o bashdefault -o default -F _hotloom hotloom
`

const zshCompletion = `#compdef hotloom
_hotloom() {
    local -a options
    if [[ "${words[CURRENT]}" == -* ]]; then
        options=("${(@f)$(${words[1,CURRENT]} --generate-bash-completion 2>/dev/null)}")
    else
        options=("${(@f)$(${words[1,CURRENT-1]} --generate-bash-completion 2>/dev/null)}")
    fi
    _describe 'values' options || _files
}
compdef _hotloom hotloom
`

func completionCommand() *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a shell's completion script",
		ArgsUsage: "bash|zsh|fish",
		Description: "Examples:\n" +
			"   source <(hotloom completion bash)\n" +
			"   hotloom completion zsh > \"${fpath[1]}/_hotloom\"\n" +
			"   hotloom completion fish > ~/.config/fish/completions/hotloom.fish",
		Action: func(c *cli.Context) error {
			shell := c.Args().First()
			script := map[string]string{"bash": bashCompletion, "zsh": zshCompletion}[shell]
			if shell == "fish" {
				var err error
				if script, err = c.App.ToFishCompletion(); err != nil {
					return fmt.Errorf("completion: %w", err)
				}
			}
			if script == "" {
				return command.Usagef("completion: want bash, zsh or fish, not %q", shell)
			}
			_, err := fmt.Fprint(c.App.Writer, script)
			return err
		},
	}
}

func manCommand() *cli.Command {
	return &cli.Command{
		Name:        "man",
		Usage:       "print the manual page",
		Description: "Example:\n   hotloom man | man -l -",
		Action: func(c *cli.Context) error {
			withDescriptions(c.App.Commands)
			page, err := c.App.ToMarkdown()
			if err != nil {
				return fmt.Errorf("man: %w", err)
			}
			_, err = c.App.Writer.Write(md2man.Render([]byte("% hotloom 1\n\n" + underscored(page))))
			return err
		},
	}
}

// withDescriptions has the library's page tell of each command what its help does: it leaves descriptions out.
func withDescriptions(commands []*cli.Command) {
	for _, c := range commands {
		if c.UsageText == "" {
			// Of several lines it makes a block of code, of one a quotation.
			c.UsageText = strings.TrimSpace(c.Name+" "+c.ArgsUsage) + "\n\n" + c.Description
		}
		withDescriptions(c.Subcommands)
	}
}

// underscored keeps Markdown from reading underscores, as of OS_CLOUD, as emphasis. It reads none in code.
func underscored(page string) string {
	lines := strings.Split(page, "\n")
	for n, line := range lines {
		if strings.HasPrefix(line, "    ") {
			continue
		}
		parts := strings.Split(line, "`")
		for i := 0; i < len(parts); i += 2 {
			parts[i] = strings.ReplaceAll(parts[i], "_", `\_`)
		}
		lines[n] = strings.Join(parts, "`")
	}
	return strings.Join(lines, "\n")
}
