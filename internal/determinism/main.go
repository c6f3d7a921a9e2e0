// Command determinism runs every variant of every scenario of the library once
// and prints its hashes, one line each. scripts/determinism builds it for
// several architectures and compares what they print, byte for byte.
//
// A run is cut after so many events (-cut), so that an emulated machine can do
// all of them; replication 0 is run. A scenario that fails is an error: the
// lines are then worth nothing.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/tenggat/tenggat/experiments/scenarios"
	"github.com/tenggat/tenggat/model"
	"github.com/tenggat/tenggat/model/scenario"
)

func main() {
	cut := flag.Uint64("cut", 20_000, "stop each run after so many events")
	flag.Parse()
	if err := run(*cut); err != nil {
		fmt.Fprintln(os.Stderr, "determinism:", err)
		os.Exit(1)
	}
}

func run(cut uint64) error {
	for _, name := range scenarios.Names() {
		text, _ := scenarios.Lookup(name)
		files, err := scenario.ParseAll(name+".yaml", text)
		if err != nil {
			return err
		}
		for _, file := range files {
			for _, variant := range file.Variants {
				sc, err := file.Resolve(variant)
				if err != nil {
					return err
				}
				r, err := model.Run(sc, model.Options{Cut: cut})
				if err != nil {
					return err
				}
				fmt.Printf("%s %s events %d trace %016x result %016x\n", file.Name, variant, r.Events, r.Trace, r.Hash)
			}
		}
	}
	return nil
}
