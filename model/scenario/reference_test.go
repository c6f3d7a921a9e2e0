package scenario

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const manual = "../../docs/scenario-language.md"

// The tables of the manual are made from the tables of the reader.
func TestReferenceIsCurrent(t *testing.T) {
	data, err := os.ReadFile(manual)
	require.NoError(t, err)
	const begin, end = "<!-- reference: begin -->\n", "<!-- reference: end -->"
	before, rest, found := strings.Cut(string(data), begin)
	require.True(t, found)
	_, after, found := strings.Cut(rest, end)
	require.True(t, found)
	golden(t, manual, before+begin+referenceText()+end+after)
}

// Every YAML example of the manual is a scenario without mistakes.
func TestExamplesOfTheManual(t *testing.T) {
	data, err := os.ReadFile(manual)
	require.NoError(t, err)
	examples := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(data), -1)
	require.NotEmpty(t, examples)
	for i, example := range examples {
		_, err := ParseAll(fmt.Sprintf("example %d", i+1), []byte(example[1]))
		assert.NoError(t, err, example[1])
	}
}

// referenceBlocks are the tables in the order of the manual.
var referenceBlocks = []struct {
	title  string
	blocks []*block
}{
	{"Top of the file", []*block{fileBlock, runBlock, networkBlock, linkBlock, burstBlock}},
	{"Jobs and steps", []*block{jobBlock, fatesBlock, verbs, callBlock, writeBlock, readBlock, onceBlock, publishBlock, repeatBlock, failBlock}},
	{"Lease", []*block{deliveryLease, renewBlock, checkBlock, lateBlock}},
	{"Queues", []*block{queueBlock, attemptsBlock, dedupBlock, partitionsBlock, clockBlock}},
	{"Locks", []*block{lockBlock, waitBlock, membersBlock}},
	{"Monitors", []*block{monitorBlock, heartbeatBlock, suspectBlock}},
	{"Services", []*block{serviceBlock, retryBlock, budgetBlock, breakerBlock, tripBlock, concurrencyBlock, acceptsBlock}},
	{"Caches", []*block{cacheBlock}},
	{"Workers", []*block{groupBlock, pauseWhenBlock, scaleBlock}},
	{"Reconcilers and alerts", []*block{reconcilerBlock, alertBlock}},
	{"Events", []*block{eventBlock, revokeBlock, jumpBlock, thenBlock, replayBlock, flushBlock, cutBlock}},
	{"Sweeps and presets", []*block{sweepBlock, plotBlock, presetBlock}},
}

func referenceText() string {
	var b strings.Builder
	for _, section := range referenceBlocks {
		fmt.Fprintf(&b, "\n### %s\n", section.title)
		for _, block := range section.blocks {
			fmt.Fprintf(&b, "\n**%s**\n\n| key | values | default | meaning |\n|---|---|---|---|\n", block.name)
			for _, k := range block.keys {
				star := ""
				if k.name == block.main {
					star = "★"
				}
				if k.client {
					star += "ᶜ"
				}
				initial := ""
				if k.initial != "" && k.initial != "{}" {
					initial = "`" + k.initial + "`"
				}
				fmt.Fprintf(&b, "| `%s`%s | %s | %s | %s |\n", k.name, star, values(k.form), initial, strings.ReplaceAll(k.help, "|", `\|`))
			}
			if len(block.later) > 0 {
				fmt.Fprintf(&b, "\nNot yet: `%s`.\n", strings.Join(block.later, "` `"))
			}
		}
	}
	return b.String() + "\n"
}

func values(f *form) string {
	switch {
	case f.block != nil:
		return f.name + " block"
	case f.of != nil:
		return "named " + f.of.name + "s"
	}
	var all []string
	for _, w := range f.words {
		all = append(all, "`"+w+"`")
	}
	if f.open || f.raw || f.steps {
		all = append(all, f.name)
	}
	text := strings.Join(all, " ")
	switch f.many {
	case script:
		text += ", script"
	case set:
		text += ", list"
	}
	return text
}

func TestEveryBlockIsInTheReference(t *testing.T) {
	in := map[*block]bool{sessionBlock: true, lockLease: true, settingsBlock: true} // as monitor, delivery lease, scenario
	for _, section := range referenceBlocks {
		for _, b := range section.blocks {
			in[b] = true
		}
	}
	var walk func(b *block)
	seen := map[*block]bool{}
	walk = func(b *block) {
		if b == nil || seen[b] {
			return
		}
		seen[b] = true
		assert.True(t, in[b], b.name)
		for _, k := range b.keys {
			assert.NotEmpty(t, k.help, "%s.%s", b.name, k.name)
			walk(k.form.block)
			walk(k.form.of)
		}
	}
	walk(fileBlock)
	walk(verbs)
}
