package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// Membership is the nodes that a store consists of. The first leads at the
// start.
type Membership struct {
	Names    []string // "a", or "1" where only their number is given
	Agree    Agree
	Election time.Duration // without a leader
	Reset    bool          // failover: reset
	Lag      time.Duration // what a failover forgets
	Clock    Clock
}

// Agree is how members come to an answer.
type Agree uint8

const (
	ByLeader Agree = iota
	ByUncheckedLeader
	ByMajority
)

var (
	membersBlock = define(block{
		name: "members",
		main: "names",
		keys: []key{
			{name: "names", form: memberNames.form, fixed: true, help: "their names, or how many there are: 1, 2, …; the first leads at the start"},
			{name: "count", form: wholeValue.form, fixed: true, help: "how many, instead of names"},
			{name: "agree", form: agreeValue.form, initial: "leader", fixed: true, help: "leader: one serves as long as it reaches a majority; leader_unchecked: and one that was deposed still ends, when it wakes, what had run out by its old records; majority: independent nodes, granted at the reply that completes the majority"},
			{name: "election", form: durationValue.form, initial: "1s", help: "time without a leader after it was cut from the majority"},
			{name: "failover", form: failoverValue.form, initial: "keep", help: "leases under a new leader: keep what remains of them, or reset them to their full length"},
			{name: "lag", form: durationValue.form, initial: "0s", help: "a new leader does not know what was younger than this when the old one was lost"},
			{name: "clock", form: clockBlock.form, help: "their clocks, an offset for each; the store's if absent"},
		},
	})
	memberName    = value[string]{&form{name: "member", open: true}, parseMember}
	memberNames   = value[string]{&form{name: "member", unit: asCount, open: true, many: set}, parseMember}
	agreeValue    = choice[Agree]("agreement", "leader", "leader_unchecked", "majority")
	failoverValue = choice[uint8]("failover", "keep", "reset")
)

// attachKey names the member that callers talk to.
var attachKey = key{name: "attach", client: true, form: memberName.form, help: "member that its callers talk to, which passes on to the leader; the leader itself if absent"}

// mostMembers is the largest store: a majority of more is beyond any system
// that agrees on every write.
const mostMembers = 15

// parseMember reads a member's name: a name, or a number that counts from 1.
func parseMember(text string) (string, error) {
	if n, err := parseWhole(text); err == nil {
		return strconv.Itoa(n), nil
	}
	return parseName(text)
}

// members reads a store's members; nil if it is a single node.
func (v view) members() *Membership {
	b, ok := v.sub("members", membersBlock)
	if !ok {
		return nil
	}
	m := &Membership{
		Agree:    get(b, "agree", agreeValue),
		Election: get(b, "election", durationValue),
		Reset:    get(b, "failover", failoverValue) == 1,
		Lag:      get(b, "lag", durationValue),
		Clock:    v.clock(),
	}
	if b.has("clock") {
		m.Clock = b.clock()
	}
	m.Names = memberList(b.n)
	switch {
	case b.has("names") == b.has("count"):
		b.problem(b.n, b.path, "give either names or count")
	case !b.sound("names", "count"):
	case len(m.Names) == 0 || len(m.Names) > mostMembers:
		b.problem(b.n, b.path, "a store has 1 to %d members", mostMembers)
	}
	if getList(b, "names", memberNames); b.has("count") {
		get(b, "count", wholeValue)
	}
	for i, name := range m.Names {
		if slices.Contains(m.Names[:i], name) {
			b.wrong("names", "there are two members %q", name)
		}
	}
	if m.Agree == ByMajority && (b.n.get("lag").text != "0s" || m.Reset) {
		b.wrong("agree", "members that agree by majority have no leader whose failover could forget or reset; leave out lag and failover")
	}
	return m
}

// memberList is the names of the members in a block; none if it cannot be read.
func memberList(n *node) []string {
	names := n.get("names")
	number := n.get("count")
	if names != nil && names.kind == scalar {
		number = names
	}
	if names != nil && names.kind == list {
		var all []string
		for _, item := range names.items {
			all = append(all, item.text)
		}
		return all
	}
	if number == nil {
		return nil
	}
	count, err := parseWhole(number.text)
	if err != nil {
		if names == number { // a single name
			return []string{number.text}
		}
		return nil
	}
	all := make([]string, min(count, mostMembers+1))
	for i := range all {
		all[i] = strconv.Itoa(i + 1)
	}
	return all
}

// attached is the index of the member that callers talk to, -1 for the leader.
func (v view) attached(m *Membership) int {
	name := get(v, "attach", memberName)
	switch {
	case !v.has("attach") || !v.sound("attach"):
		return -1
	case m == nil:
		v.wrong("attach", "a store without members has none to attach to")
	case m.Agree == ByMajority:
		v.wrong("attach", "callers of members that agree by majority ask each of them")
	default:
		i := slices.Index(m.Names, name)
		if i < 0 {
			v.wrong("attach", "there is no member %q%s", name, didYouMean(name, m.Names))
		}
		return i
	}
	return -1
}

// member finds the members that a target of a store means.
func (v *builder) member(t *Target) error {
	names := memberList(v.root.get(t.Noun).get(t.Name).get("members"))
	if len(names) == 0 {
		return fmt.Errorf("%s matches nothing: %s.%s has no members", t, t.Noun, t.Name)
	}
	i := slices.Index(names, t.Member)
	if i < 0 {
		return fmt.Errorf("%s matches nothing: %s.%s has no member %q%s", t, t.Noun, t.Name, t.Member, didYouMean(t.Member, names))
	}
	t.Index, t.Lo, t.Hi = Members, i+1, i+1
	return nil
}
