package verify

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tenggat/tenggat/experiments/theory"
)

// Oracle is one case whose right answer is known.
type Oracle struct {
	ID    string
	Title string
	// Theory is the name of a model of package theory and its parameters.
	Theory map[string]yaml.Node
	// Scenario is a scenario file, or else
	Scenario string
	// Policy is the name of a call of a policy, made in so many Replications.
	Policy       string
	Replications int
	Quantities   []Quantity

	model any // of package theory
}

// Quantity is one number of an oracle, or a list of numbers.
type Quantity struct {
	Name string
	// Theory is an expression over the methods of the oracle's model.
	Theory string
	// Published is its value as the oracle's source states it.
	Published []float64
	// Simulated is a reading of the variant in the language of expectations,
	// or the name of a result of the policy call. Empty: a formula only.
	Simulated string
	Variant   string // "base" if empty
	// Take is what is compared of the readings of all replications: their
	// "mean" (if empty), "sd", "p99" or "max".
	Take string
	// Rel and Abs are the tolerance, of a full run: |simulated − theory| is at
	// most Rel·|theory|, or Abs. With neither the two must be equal, up to the
	// rounding of floats.
	Rel, Abs float64
	// Bound asks that no sample exceeds the theory instead.
	Bound bool
}

//go:embed oracles.yaml
var oracles []byte

// Oracles are the cases with the given ids, all without any, in the order of
// the file.
func Oracles(ids ...string) ([]*Oracle, error) {
	var all []*Oracle
	decoder := yaml.NewDecoder(bytes.NewReader(oracles))
	decoder.KnownFields(true)
	if err := decoder.Decode(&all); err != nil {
		return nil, fmt.Errorf("oracles.yaml: %w", err)
	}
	var known []string
	for _, o := range all {
		if err := o.resolve(); err != nil {
			return nil, fmt.Errorf("oracles.yaml: %s: %w", o.ID, err)
		}
		known = append(known, o.ID)
	}
	for _, id := range ids {
		if !slices.Contains(known, id) {
			return nil, fmt.Errorf("there is no oracle %s; there are %s", id, strings.Join(known, " "))
		}
	}
	return slices.DeleteFunc(all, func(o *Oracle) bool { return len(ids) > 0 && !slices.Contains(ids, o.ID) }), nil
}

// resolve makes the oracle's model and fills in what is left out.
func (o *Oracle) resolve() (err error) {
	if len(o.Theory) != 1 {
		return fmt.Errorf("theory names %d models; name one", len(o.Theory))
	}
	for name, parameters := range o.Theory { // order-free: there is one
		read, ok := models[name]
		if !ok {
			return fmt.Errorf("package theory has no model %s here", name)
		}
		if o.model, err = read(&parameters); err != nil {
			return fmt.Errorf("theory: %s: %w", name, err)
		}
	}
	for i := range o.Quantities {
		q := &o.Quantities[i]
		if q.Variant == "" {
			q.Variant = "base"
		}
	}
	return nil
}

// models are the models of package theory by name.
var models = map[string]func(*yaml.Node) (any, error){
	"MM1": model[theory.MM1], "MMC": model[theory.MMC], "MMCK": model[theory.MMCK], "MD1": model[theory.MD1],
	"MG1": model[theory.MG1], "Trace": model[theory.Trace], "Drain": model[theory.Drain],
	"Visibility": model[theory.Visibility], "AckDeadline": model[theory.AckDeadline],
	"Extension": model[theory.Extension], "Dedup": model[theory.Dedup],
	"FailureLimit": model[theory.FailureLimit], "SlowLimit": model[theory.SlowLimit],
	"LeaseLoss": model[theory.LeaseLoss], "LeaseCall": model[theory.LeaseCall], "Drift": model[theory.Drift], "Pauses": model[theory.Pauses], "Failover": model[theory.Failover],
	"Orphan": model[theory.Orphan], "Partition": model[theory.Partition], "Fencing": model[theory.Fencing],
	"Chen": model[theory.Chen], "Silence": model[theory.Silence], "Phi": model[theory.Phi], "PhiHistory": model[theory.PhiHistory], "Rounds": model[theory.Rounds],
	"Attempts": model[theory.Attempts], "Layers": model[theory.Layers], "Backoff": model[theory.Backoff],
	"Priority": model[theory.Priority], "GM1": model[theory.GM1], "Batches": model[theory.Batches], "Breakdown": model[theory.Breakdown],
	"Quota": model[theory.Quota], "Herd": model[theory.Herd], "FlakyBreaker": model[theory.FlakyBreaker], "Throttle": model[theory.Throttle],
	"Bulkhead": model[theory.Bulkhead], "Storm": model[theory.Storm], "StormBudget": model[theory.StormBudget],
	"SeedRun": model[theory.SeedRun], "DeadBreaker": model[theory.DeadBreaker], "Sawtooth": model[theory.Sawtooth],
}

func model[T any](parameters *yaml.Node) (any, error) {
	var m T
	err := parameters.Decode(&m)
	return m, err
}
