package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/tenggat/tenggat/model/scenario"
)

func newCommand(*flags) *cobra.Command {
	var system string
	cmd := &cobra.Command{
		Use: "new [FILE]", Short: "Write a scenario to start from, to FILE or to the terminal", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := scenario.Starter(system)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				_, err := cmd.OutOrStdout().Write(text)
				return err
			}
			file, err := os.OpenFile(args[0], os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if err != nil {
				return fmt.Errorf("%w; choose a name that is not taken", err)
			}
			if _, err := file.Write(text); err != nil {
				file.Close()
				return err
			}
			return file.Close()
		},
	}
	cmd.Flags().StringVar(&system, "system", "sqs-standard", "the `system` whose preset it starts from; see tenggat presets")
	return cmd
}

func schemaCommand(*flags) *cobra.Command {
	return &cobra.Command{
		Use: "schema", Short: "Print the JSON schema of scenario files, for editors", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(scenario.Schema())
			return err
		},
	}
}
