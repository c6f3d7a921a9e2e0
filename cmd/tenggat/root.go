package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tenggat/tenggat/experiments"
	"github.com/tenggat/tenggat/experiments/report"
)

// The exit codes.
const (
	exitFine        = 0
	exitCheckFailed = 1
	exitBadInput    = 2
	exitInterrupted = 3
	exitBug         = 4
)

// errCheckFailed says that what was wrong has been printed already.
var errCheckFailed = errors.New("a check failed")

// flags are those that every command has.
type flags struct {
	seed         uint64
	replications int
	sets         []string
	out          string
	format       string
	lang         string
	workers      int
	quiet        bool
}

// commands are the subcommands; other files of this package add theirs in an init.
var commands = []func(*flags) *cobra.Command{
	runCommand, sweepCommand, testCommand, scenariosCommand, presetsCommand, metricsCommand,
	newCommand, schemaCommand, versionCommand,
}

// run is the whole program; the result is its exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			code = reportBug(stderr, fmt.Sprint(p), args, debug.Stack())
		}
	}()
	root, out := rootCommand(), &output{to: stdout}
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if out.err != nil && (err == nil || errors.Is(err, errCheckFailed)) {
		err = fmt.Errorf("the output cannot be written: %w", out.err)
	}
	var bug *experiments.BugError
	switch {
	case err == nil:
		return exitFine
	case errors.Is(err, errCheckFailed):
		return exitCheckFailed
	case errors.As(err, &bug):
		return reportBug(stderr, bug.Error(), args, bug.Stack)
	case errors.Is(err, experiments.ErrInterrupted):
		fmt.Fprintln(stderr, "tenggat:", err)
		return exitInterrupted
	}
	fmt.Fprintln(stderr, "tenggat:", err)
	return exitBadInput
}

func rootCommand() *cobra.Command {
	f := &flags{}
	root := &cobra.Command{
		Use:   "tenggat",
		Short: "How often will these timeouts run a job twice, and how long until the backlog has drained?",
		Long: `Tenggat simulates queue workers whose internal communication fails in part: on virtual time, from a seed,
with the very policies that production runs. A scenario is a YAML file or the name of one in the library.

Exit codes: 0 fine, 1 a check failed, 2 bad input, 3 interrupted, 4 a bug of tenggat.`,
		SilenceUsage: true, SilenceErrors: true,
	}
	p := root.PersistentFlags()
	p.Var(&whole[uint64]{&f.seed, 0}, "seed", "seed of all chance (default: the file's)")
	p.Var(&whole[int]{&f.replications, 1}, "replications", "replications of each point (default: the file's)")
	p.StringArrayVar(&f.sets, "set", nil, "path=value: change a setting; may be repeated, later ones win")
	p.StringVar(&f.out, "out", "", "directory for the files written (default: results/NAME)")
	p.StringVar(&f.format, "format", string(report.Aligned), "table, json, csv or markdown")
	p.StringVar(&f.lang, "lang", "en", "language of what scenarios and metrics are about: en, or id for Indonesian")
	p.Var(&whole[int]{&f.workers, 1}, "workers", "replications run at once (default: one per processor); changes no result")
	p.BoolVar(&f.quiet, "quiet", false, "print no tables and no progress")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		if m := wrongNumber.FindStringSubmatch(err.Error()); m != nil {
			return fmt.Errorf("--%s %s: %s", m[2], m[1], m[3])
		}
		return err
	})
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return f.check(cmd) }
	root.SetHelpCommand(helpCommand(root))
	for _, command := range commands {
		root.AddCommand(command(f))
	}
	return root
}

// helpCommand is cobra's own, but for a command that there is not.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Say how a command is used",
		RunE: func(_ *cobra.Command, args []string) error {
			command, rest, err := root.Find(args)
			if err == nil && len(rest) > 0 {
				err = fmt.Errorf("there is no command %s; `tenggat help` lists them", strings.Join(args, " "))
			}
			if err != nil {
				return err
			}
			return command.Help()
		},
	}
}

// wrongNumber is how the flag library speaks of a number that whole refuses.
var wrongNumber = regexp.MustCompile(`^invalid argument "(.*)" for "--([a-z-]+)" flag: (use a .*)$`)

// check finds mistakes in the flags before anything is loaded.
func (f *flags) check(cmd *cobra.Command) error {
	switch report.Format(f.format) {
	case report.Aligned, report.JSON, report.CSV, report.Markdown:
	default:
		return fmt.Errorf("--format %s: use table, json, csv or markdown", f.format)
	}
	if f.lang != "en" && f.lang != "id" {
		return fmt.Errorf("--lang %s: use en or id", f.lang)
	}
	if cmd.Flags().Changed("seed") {
		f.sets = append(f.sets, fmt.Sprintf("seed=%d", f.seed))
	}
	if cmd.Flags().Changed("replications") {
		f.sets = append(f.sets, fmt.Sprintf("run.replications=%d", f.replications))
	}
	return nil
}

// reportBug prints what a maintainer needs.
func reportBug(stderr io.Writer, what string, args []string, stack []byte) int {
	fmt.Fprintf(stderr, `tenggat: %s
This is a bug of tenggat, not of the scenario. Please report it with the scenario file and this text:
  version: %s
  replay:  tenggat %s
%s`, what, experiments.Version, quoteAll(args), stack)
	return exitBug
}

// quoteAll joins arguments so that a shell reads them back.
func quoteAll(args []string) string {
	quoted := make([]string, len(args))
	for i, arg := range args {
		quoted[i] = arg
		if arg == "" || strings.ContainsAny(arg, " \t\n'\"\\$`*?[]{}()<>|&;#~!") {
			quoted[i] = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
