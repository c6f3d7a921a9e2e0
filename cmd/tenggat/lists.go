package main

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tenggat/tenggat/experiments"
	"github.com/tenggat/tenggat/experiments/report"
	"github.com/tenggat/tenggat/experiments/scenarios"
	"github.com/tenggat/tenggat/model/metric"
	"github.com/tenggat/tenggat/model/scenario"
)

func scenariosCommand(f *flags) *cobra.Command {
	return &cobra.Command{
		Use: "scenarios", Short: "List the scenarios of the library", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t := report.Table{Head: []string{"name", "about", "source"}}
			for _, name := range scenarios.Names() {
				files, err := loadAll(name)
				if err != nil {
					return err
				}
				for _, file := range files {
					about, _, _ := strings.Cut(file.About, "\n")
					t.Add(report.Text("%s", name), report.Text("%s", about), report.Text("%s", file.Source))
				}
			}
			return report.Write(cmd.OutOrStdout(), t, report.Format(f.format))
		},
	}
}

func presetsCommand(f *flags) *cobra.Command {
	return &cobra.Command{
		Use: "presets [NAME]", Short: "List the presets of real systems, or show one with its sources", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			t := report.Table{Head: []string{"name", "kind", "system"}}
			for _, p := range scenario.Presets() {
				if len(args) == 0 {
					t.Add(report.Text("%s", p.Name), report.Text("%s", p.Kind), report.Text("%s", p.Title))
				} else if p.Name == args[0] {
					return report.Write(cmd.OutOrStdout(), presetTable(p), report.Format(f.format))
				}
			}
			if len(args) > 0 {
				return fmt.Errorf("there is no preset called %s; `tenggat presets` lists them", args[0])
			}
			return report.Write(cmd.OutOrStdout(), t, report.Format(f.format))
		},
	}
}

// presetTable is one preset: what it sets, how the system calls it, and where that was read.
func presetTable(p scenario.Preset) report.Table {
	t := report.Table{Title: p.Title + ", a preset for a " + p.Kind, Head: []string{"setting", "value", "own name"}}
	for _, v := range p.Values {
		own := ""
		for _, name := range p.Names {
			if name.Is == v.Path {
				own = name.Name
				if name.Unit != "" {
					own += " (" + name.Unit + ")"
				}
			}
		}
		t.Add(report.Text("%s", v.Path), report.Text("%s", v.Value), report.Text("%s", own))
	}
	for _, s := range p.Sources {
		t.Notes = append(t.Notes, "source "+s.Name+": "+s.Where)
	}
	for _, lack := range p.Lacks {
		t.Notes = append(t.Notes, "not modelled: "+lack)
	}
	return t
}

func metricsCommand(f *flags) *cobra.Command {
	return &cobra.Command{
		Use: "metrics", Short: "Say what each metric means, exactly", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t := report.Table{Head: []string{"metric", "unit", "meaning"}}
			for _, e := range metric.Catalogue() {
				t.Add(report.Text("%s", e.Name), report.Text("%s", e.Unit), report.Text("%s", e.Meaning))
			}
			return report.Write(cmd.OutOrStdout(), t, report.Format(f.format))
		},
	}
}

func versionCommand(*flags) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) {
			fmt.Fprintf(cmd.OutOrStdout(), "tenggat %s (%s %s/%s)\n", experiments.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
		},
	}
}
