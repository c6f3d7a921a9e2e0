package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

var targetsValue = value[Target]{&form{name: "target", open: true, many: set}, parseTarget}

var targetNouns = []string{"workers", "queues", "locks", "services", "monitors", "caches"}

// parseTarget reads NOUN.NAME and, after a slash, which member of it:
//
//	workers.w   workers.w/1   workers.w/1..3   workers.w/any   locks.l/holder   locks.l/a
func parseTarget(text string) (Target, error) {
	if share, _, found := strings.Cut(text, " of "); found {
		return Target{}, fmt.Errorf("%q: a share of a group (%s of) is not yet supported", text, share)
	}
	whole, member, indexed := strings.Cut(text, "/")
	noun, name, dotted := strings.Cut(whole, ".")
	t := Target{Noun: noun, Name: name}
	switch {
	case !dotted:
		return t, fmt.Errorf("%q is no target: write noun and name, such as workers.w or locks.l", text)
	case !slices.Contains(targetNouns, noun):
		return t, fmt.Errorf("%q is no target: %q is none of its nouns%s", text, noun, didYouMean(noun, targetNouns))
	case !indexed:
		return t, nil
	}
	return t, t.member(text, member)
}

func (t *Target) member(text, member string) error {
	switch {
	case member == "holder" && t.Noun == "locks":
		t.Index = HolderOf
		return nil
	case member == "holder":
		return fmt.Errorf("%q: only a lock has a holder", text)
	case t.Noun == "caches":
		return fmt.Errorf("%q: a key version can only be flushed", text)
	case t.Noun == "locks":
		name, err := parseMember(member)
		t.Index, t.Member = Members, name
		return err
	case t.Noun == "queues" || t.Noun == "services":
		return fmt.Errorf("%q: members of %s are not yet supported", text, t.Noun)
	case t.Noun != "workers":
		return fmt.Errorf("%q: a monitor has no members", text)
	case member == "any":
		t.Index = AnyOf
		return nil
	}
	low, high, isRange := strings.Cut(member, "..")
	if !isRange {
		high = low
	}
	lo, err1 := strconv.Atoi(low)
	hi, err2 := strconv.Atoi(high)
	if err1 != nil || err2 != nil || lo < 1 || hi < lo {
		return fmt.Errorf("%q: %q is no member of a group: write 1, 1..3 or any (counted from 1)", text, member)
	}
	t.Index, t.Lo, t.Hi = Members, lo, hi
	return nil
}

// String is the target as a file writes it.
func (t Target) String() string {
	s := t.Noun + "." + t.Name
	switch {
	case t.Index == AnyOf:
		s += "/any"
	case t.Index == HolderOf:
		s += "/holder"
	case t.Member != "":
		s += "/" + t.Member
	case t.Index == Members && t.Lo == t.Hi:
		s += "/" + strconv.Itoa(t.Lo)
	case t.Index == Members:
		s += fmt.Sprintf("/%d..%d", t.Lo, t.Hi)
	case t.Version != "":
		s += "/" + t.Version
	}
	return s
}
