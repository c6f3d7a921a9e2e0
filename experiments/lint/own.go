package lint

import (
	"fmt"
	"strings"
	"time"

	"github.com/tenggat/tenggat/model/scenario"
)

// usualRange is how many times smaller or larger than the preset's a value under its own name may be before one asks
// for the unit: a thousandfold is what seconds for milliseconds make.
const usualRange = 100

var ownUnit = Rule{
	ID:     "own-unit",
	Title:  "a time under a preset's own name is within 100 times what the preset has",
	Why:    "Own names take the system's unit: 30 for a time in milliseconds is 30 ms, where 30 s were meant.",
	Source: "rules without a run (units)",
	find: func(v *view) (all []found) {
		for _, setting := range v.Settings() {
			component, is := strings.CutSuffix(setting.Path, ".own")
			if !is {
				continue
			}
			for _, p := range scenario.Presets() {
				if v.settings[component+".preset"].Value == p.Name {
					all = append(all, v.ownUnits(setting, component, p)...)
				}
			}
		}
		return all
	},
}

// ownUnits judges the times that a component sets under the names of its preset.
func (v *view) ownUnits(setting scenario.Setting, component string, p scenario.Preset) (all []found) {
	for _, name := range p.Names {
		written, usual := strings.Contains(setting.Value, name.Name+": "), presetTime(p, name.Is)
		value, err := v.Setting(component + "." + name.Is)
		have, isTime := value.(float64)
		if !written || usual == 0 || err != nil || !isTime || have == 0 {
			continue
		}
		factor := 0.0
		switch {
		case name.Unit == "ms" && have < usual.Seconds()/usualRange:
			factor = 1000
		case name.Unit == "s" && have > usual.Seconds()*usualRange:
			factor = 1.0 / 1000
		default:
			continue
		}
		meant := have * factor
		if name.Unit == "ms" {
			meant *= 1000
		}
		all = append(all, found{
			severity: Warning,
			paths:    []string{setting.Path, component + ".preset"},
			sum:      fmt.Sprintf("%s, in %s, is %s beside %s in %s: did you mean %s?", name.Name, name.Unit, duration(seconds(have)), duration(usual), p.Name, number(meant)),
			changes:  [][]scenario.Assignment{change(set(component+".own."+name.Name, number(meant)))},
		})
	}
	return all
}

// presetTime is the time that a preset has at a path or at the block's main key; 0 where it has none, or one that
// follows from others.
func presetTime(p scenario.Preset, path string) time.Duration {
	for _, v := range p.Values {
		if v.Path == path || strings.HasPrefix(v.Path, path+".") {
			first, _, _ := strings.Cut(v.Value, " ")
			if d, err := time.ParseDuration(first); err == nil {
				return d
			}
		}
	}
	return 0
}
