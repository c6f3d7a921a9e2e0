package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/experiments/verify"
)

func init() { commands = append(commands, verifyCommand) }

// verifySeed is the seed of a verification that is given none.
const verifySeed = 7

func verifyCommand(f *flags) *cobra.Command {
	quick := false
	cmd := &cobra.Command{
		Use:   "verify [ID…]",
		Short: "Compare the simulator with cases whose right answer is known",
		Long: `Compare the simulator with cases whose right answer is known, by closed forms: queues, leases, detectors, retries
and breakers. A miss is a fault of the simulator until shown otherwise; --seed tries again with other luck.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range []string{"set", "replications", "out"} {
				if cmd.Flags().Changed(name) {
					return fmt.Errorf("verify takes no --%s: its cases are fixed", name)
				}
			}
			oracles, err := verify.Oracles(args...)
			if err != nil {
				return err
			}
			options := verify.Options{Quick: quick, Seed: verifySeed, Workers: f.workers}
			if cmd.Flags().Changed("seed") {
				options.Seed = f.seed
			}
			progress, done := progressBar(cmd, f, false)
			options.Progress = progress
			rows, err := verify.Run(cmd.Context(), oracles, options)
			done()
			if err != nil {
				return err
			}
			table, missed := verify.Table(rows)
			if !f.quiet {
				if err := report.Write(cmd.OutOrStdout(), table, report.Format(f.format)); err != nil {
					return err
				}
			}
			if missed > 0 {
				return errCheckFailed
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&quick, "quick", false, "runs a tenth as long, with tolerances wider by √10")
	return cmd
}
