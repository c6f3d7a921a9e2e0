package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tenggat/tenggat/experiments/explain"
	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/model/scenario"
)

func init() { commands = append(commands, explainCommand) }

func explainCommand(f *flags) *cobra.Command {
	q := explain.Question{}
	cmd := &cobra.Command{
		Use: "explain FILE|NAME", Args: cobra.ExactArgs(1),
		Short: "Tell what happened to one job, or how the first harm of a kind came about",
		Long: `Tells the story of a job (--job 17) or of the first harm of a kind (--first duplicate_effects) in the order of time,
from the history of the run alone. Lines with a bar happened to others and matter here. The end names the settings
that would have prevented the harm: each was tried in the same replication, with the same luck.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if (q.Harm == "") == !cmd.Flags().Changed("job") {
				return fmt.Errorf("say what to explain: --job NUMBER, or --first with one of %s", strings.Join(harms(), ", "))
			}
			file, err := load(args[0])
			if err != nil {
				return err
			}
			if q.Sets, err = assignments(f.sets); err != nil {
				return err
			}
			q.Candidates = candidates(file, q.Variant)
			story, err := explain.Explain(file, q)
			if err != nil {
				return inFile(args[0], err)
			}
			return writeStory(cmd.OutOrStdout(), report.Format(f.format), story)
		},
	}
	cmd.Flags().Int64Var(&q.Job, "job", -1, "number of the job, from 0 in the order of publishing")
	cmd.Flags().StringVar(&q.Harm, "first", "", "metric whose first event is explained: "+strings.Join(harms(), ", "))
	cmd.Flags().StringVar(&q.Variant, "variant", "base", "variant of the scenario")
	cmd.Flags().Uint64Var(&q.Replication, "replication", 0, "replication to look in first")
	return cmd
}

func harms() (names []string) {
	for _, h := range explain.Harms {
		names = append(names, h.Metric)
	}
	return names
}

// candidates are the file's other variants, as changes to the one explained.
func candidates(f *scenario.File, explained string) (all []explain.Change) {
	for _, v := range f.Variants {
		if v != explained {
			all = append(all, explain.Change{Name: "variant " + v, Variant: v})
		}
	}
	return all
}

func writeStory(out io.Writer, format report.Format, s *explain.Story) error {
	if format == report.JSON {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(s)
	}
	what := s.Subject
	if s.Harm != "" {
		what += ", the first of " + s.Harm
	}
	fmt.Fprintf(out, "%s %s, replication %d, seed %d: %s\n\n", s.Scenario, s.Variant, s.Replication, s.Seed, what)
	for _, l := range s.Lines {
		mark := " "
		if l.Context {
			mark = "|"
		}
		fmt.Fprintf(out, "%15.6f s %s %s\n", l.At.Seconds(), mark, l.Text)
	}
	switch {
	case s.Harm == "":
	case len(s.Prevented) > 0:
		fmt.Fprintf(out, "\nWith the same luck it would not have happened under:\n")
		for _, c := range s.Prevented {
			fmt.Fprintf(out, "  %s", c.Name)
			for i, a := range c.Sets {
				fmt.Fprintf(out, "%s%s=%s", [...]string{": ", " "}[min(i, 1)], a.Path, a.Value)
			}
			fmt.Fprintln(out)
		}
	case s.Tried > 0:
		fmt.Fprintf(out, "\nNone of the %d changes tried would have prevented it.\n", s.Tried)
	default:
		fmt.Fprintf(out, "\nThe scenario has no variant to try against it.\n")
	}
	return nil
}
