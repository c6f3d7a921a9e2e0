package scenario

import (
	"slices"
	"strings"
)

// A group sees the world through its own glasses: what a caller, a holder or a
// waiter decides (the keys marked client in the tables) is for its processes as
// its policy has it, and on top of that as its own `with` does. Each group that
// wears any has a whole resolved scenario of its own, its view; what the server
// of a thing decides is the same in all of them.

var (
	withForm   = &form{name: "paths and values", raw: true}
	policyForm = textValue.form
)

// View is the scenario as the processes of Workers[group] see it. Of the groups
// only this one is meant in it. It is shared and read-only; a group without a
// policy and overrides sees s itself.
func (s *Scenario) View(group int) *Scenario {
	if s.views == nil || s.views[group] == nil {
		return s
	}
	return s.views[group]
}

// glasses resolves the view of every group that has one, and reports what is
// wrong there besides what is known to be wrong in the scenario.
func (s *Scenario) glasses(known Problems) (problems Problems) {
	for i, g := range s.origin.assigned.get("workers").entries() {
		if g.value.get("policy") == nil && g.value.get("with") == nil || i >= len(s.Workers) {
			continue
		}
		tree := s.origin.assigned.clone()
		found := s.putOn(tree, g.key, g.value)
		if len(found) == 0 {
			var v *Scenario
			v, found = s.origin.file.resolveTree(tree)
			v.Variant = s.Variant
			found = slices.DeleteFunc(found, func(p Problem) bool {
				return slices.ContainsFunc(known, func(k Problem) bool {
					k.Message = p.Message // it may say that the value comes from the policy
					return k == p
				})
			})
			found = found.below(join("workers", g.key) + ".with")
			if len(found) == 0 {
				found = s.shared(v, i, g.value.at)
			}
			if s.views == nil {
				s.views = make([]*Scenario, len(s.Workers))
			}
			s.views[i] = v
		}
		problems = append(problems, found...)
	}
	return problems
}

// putOn assigns a group's policy and then its own overrides in a tree.
func (s *Scenario) putOn(tree *node, group string, settings *node) (problems Problems) {
	path := join("workers", group)
	if named := settings.get("policy"); named != nil && !named.is("none") {
		l := presetLayer{own: s.origin.file.presets}
		if p, ok := l.find(named, "policy", join(path, "policy")); ok {
			problems = append(problems, s.see(tree, group, assignments(p.values))...)
		}
		problems = append(problems, l.problems...)
	}
	if with := settings.get("with"); with != nil && !with.is("none") {
		if with.kind != mapping {
			return append(problems, problemAt(with.at, join(path, "with"), "expected {path: value}, not %s", describe(with)))
		}
		problems = append(problems, s.see(tree, group, assignments(with)).below(join(path, "with"))...)
	}
	for _, g := range tree.get("workers").entries() { // a view has no views
		g.value.drop("policy")
		g.value.drop("with")
	}
	return problems
}

// see puts overrides in place for one group.
func (s *Scenario) see(tree *node, group string, all []assignment) (problems Problems) {
	var plain []assignment
	for _, a := range all {
		if found := a.seeable(splitPath(a.path), group); len(found) > 0 {
			problems = append(problems, found...)
			continue
		}
		plain = append(plain, s.spell(a, group, tree)...)
	}
	if len(problems) > 0 {
		return problems
	}
	return assignAll(tree, plain, false)
}

// spell writes a path with * out for each thing that it reaches. It reaches
// those that have the blocks on its way, from the scenario or from a policy that
// is put on the tree already: of a queue whose deliveries have no lease,
// queues.*.lease.renew makes none.
func (s *Scenario) spell(a assignment, group string, tree *node) (plain []assignment) {
	path := splitPath(a.path)
	if path[1] != "*" {
		return []assignment{a}
	}
	for _, name := range s.origin.resolved.get(path[0]).keys() {
		if path[0] == "workers" && name != group {
			continue
		}
		if slices.ContainsFunc([]*node{s.origin.resolved, tree}, func(root *node) bool {
			n := root.get(path[0]).get(name)
			for _, key := range path[2 : len(path)-1] {
				n = n.get(key)
			}
			return n != nil && n.kind == mapping
		}) {
			b := a
			b.path = strings.Join(append([]string{path[0], name}, path[2:]...), ".")
			plain = append(plain, b)
		}
	}
	return plain
}

// seeable reports an override of what the processes of a group do not decide.
func (a assignment) seeable(path []string, group string) Problems {
	fail := func(format string, args ...any) Problems {
		return Problems{problemAt(a.at, a.path, format, args...)}
	}
	if len(path) < 3 {
		return fail("an override names a setting of one thing, or with * of all: locks.l.wait, services.*.retry")
	}
	noun, ok := settingsBlock.row(path[0])
	if !ok || noun.form.of == nil {
		return fail("%q has no settings of single things%s", path[0], didYouMean(path[0], settingsBlock.keyNames()))
	}
	if path[0] == "workers" && path[1] != "*" && group != "" && path[1] != group {
		return fail("a group has glasses for itself, not for %s", path[1])
	}
	b, here := noun.form.of, join(path[0], path[1])
	for i, name := range path[2:] {
		row, ok := b.row(name)
		switch last := i == len(path)-3; {
		case !ok:
			return Problems{unknownKey(a.at, here, name, b)}
		case row.client:
			return nil
		case last:
			return a.clientBelow(expand(a.value.clone(), row.form), row.form, join(here, name))
		case row.form.block == nil:
			return fail("%s is not for a group to decide: only what a caller, a holder or a waiter does is", join(here, name))
		}
		b, here = row.form.block, join(here, name)
	}
	return nil
}

// clientBelow reports keys of a block value that a group does not decide.
func (a assignment) clientBelow(n *node, f *form, path string) (problems Problems) {
	if f.block == nil || n.kind != mapping {
		return Problems{problemAt(a.at, path, "is not for a group to decide: only what a caller, a holder or a waiter does is")}
	}
	for _, p := range n.pairs {
		if row, ok := f.block.row(p.key); !ok {
			problems = append(problems, unknownKey(p.at, path, p.key, f.block))
		} else if !row.client {
			problems = append(problems, a.clientBelow(p.value, row.form, join(path, p.key))...)
		}
	}
	return problems
}

// shared reports what a group would have for itself though it is everybody's: a
// lease where the queue gives none, a breaker of all callers.
func (s *Scenario) shared(v *Scenario, group int, at place) (problems Problems) {
	fail := func(path, why string) {
		problems = append(problems, problemAt(at, "workers."+s.Workers[group].Name, "%s: %s", path, why))
	}
	for i, q := range s.Queues {
		if q.Lease == nil && v.Queues[i].Lease != nil {
			fail("queues."+q.Name+".lease", "deliveries of this queue have no lease, and no group can give them one")
		}
	}
	for i, j := range s.Jobs {
		if j.Lease == nil && v.Jobs[i].Lease != nil {
			fail("jobs."+j.Name+".lease", "this type has no lease of its own: speak of its queue's")
		}
	}
	for i, l := range s.Locks {
		if l.Lease == nil && v.Locks[i].Lease != nil {
			fail("locks."+l.Name+".lease", "this lock is permanent, and no group can give it an end")
		}
	}
	for i, c := range s.Services {
		b := v.Services[i].Breaker
		if b != nil && b.PerService && (c.Breaker == nil || !c.Breaker.PerService) {
			fail("services."+c.Name+".breaker.scope", "one breaker of all callers is the service's, not a group's")
		}
	}
	return problems
}

// checkOverrides reports events that change a group's overrides where these
// cannot change during a run.
func (s *Scenario) checkOverrides(sets []assignment) (problems Problems) {
	for _, a := range sets {
		path := splitPath(a.path)
		if len(path) < 3 || path[0] != "workers" || path[2] != "with" {
			continue
		}
		overrides := assignments(a.value)
		if len(path) > 3 {
			overrides = []assignment{{strings.Join(path[3:], "."), a.at, a.value}}
		}
		for _, o := range overrides {
			if len(o.seeable(splitPath(o.path), path[1])) == 0 {
				tree := s.origin.assigned.clone()
				problems = append(problems, assignAll(tree, s.spell(o, path[1], tree), true).below(strings.Join(path[:3], "."))...)
			}
		}
	}
	return problems
}

// policy reads the values of a preset that is a policy.
func (v view) policy() (paths *node, all []Setting) {
	n, path := v.at("values", presetForm)
	if n.kind != mapping {
		v.problem(n, path, "expected {path: value}, not %s", describe(n))
		return &node{kind: mapping}, nil
	}
	for _, a := range assignments(n) {
		v.problems = append(v.problems, a.seeable(splitPath(a.path), "")...)
		all = append(all, Setting{a.path, a.value.flow(), a.at.String()})
	}
	return n.clone(), all
}
