package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tenggat/tenggat/internal/near"
)

// A key that a block does not have is a typing mistake, or a word of the field
// for a key of the language, or it belongs elsewhere: a block deeper, a block
// higher, or another kind of thing.

// synonyms are what people who know other systems write, by the key that the
// language has for it.
var synonyms = []struct{ key, words string }{
	// The file.
	{"queues", "topics streams brokers"},
	{"jobs", "tasks messages producers"},
	{"workers", "consumers pools groups processes"},
	{"services", "databases dependencies apis backends"},
	{"locks", "mutexes leases"},
	{"monitors", "detectors failure_detectors watchdogs health"},
	{"events", "faults failures incidents chaos"},
	{"expect", "expectations assertions asserts slo slos"},
	{"about", "description title"},
	{"replications", "repeats repetitions iterations trials samples runs"},
	{"duration", "horizon"},
	// Claims.
	{"lease", "visibility_timeout ack_timeout ack_wait lock_duration lock_ttl lease_time lease_duration ttl visibility"},
	{"length", "duration timeout timeouts ttl visibility_timeout lease_duration"},
	{"renew", "renewal renew_interval keepalive keep_alive heartbeat extend refresh"},
	{"suspect", "timeout timeouts threshold suspicion session_timeout missed phi"},
	{"heartbeat", "heartbeat_interval heartbeats"},
	{"attempts", "retries max_retries max_attempts max_deliveries max_receive_count delivery_limit tries"},
	{"retry", "retries backoff redelivery"},
	{"delay", "backoff delays initial_delay base"},
	{"growth", "multiplier factor"},
	{"cap", "max_delay max_backoff"},
	{"dead_letter", "dlq dlx dead_letter_queue"},
	{"dedup", "dedupe deduplication"},
	{"capacity", "max_length max_size size"},
	{"prefetch", "qos batch_size prefetch_count max_poll_records"},
	{"checks", "idempotency idempotent idempotency_key fencing fence dedup"},
	// Who works, and how fast.
	{"count", "replicas instances processes workers nodes size"},
	{"members", "replicas nodes"},
	{"takes", "queue queues consumes subscribes"},
	{"slots", "threads parallelism max_concurrency handlers pool"},
	{"servers", "threads parallelism connections pool concurrency_limit"},
	{"time", "latency duration service_time response_time processing_time"},
	{"time_limit", "timeout timeouts deadline"},
	{"expires", "ttl deadline expiry"},
	{"arrivals", "rate load traffic rps cron schedule"},
	{"every", "interval period frequency"},
	{"errors", "error_rate failure_rate failures"},
	{"breaker", "circuit_breaker"},
	{"accepts", "rate_limit throttle"},
	// Steps and events.
	{"work", "sleep compute process execute"},
	{"call", "request rpc http query"},
	{"write", "insert update save store commit send"},
	{"lock", "acquire mutex"},
	{"unlock", "release"},
	{"publish", "enqueue send emit"},
	{"crash", "kill die down restart"},
	{"pause", "freeze stall gc"},
	{"stop", "shutdown sigterm terminate restart drain"},
	{"cut", "partition disconnect"},
	{"at", "when start time"},
	{"for", "duration lasts"},
}

// choices are what people write for a word that a value is chosen from.
var choices = []struct{ word, words string }{
	{"reads", "readonly read_only read-only ro"},
	{"reject", "refuse shed"},
	{"refuse", "reject rst"},
	{"drop", "discard blackhole lose"},
	{"never", "none no"},
	{"none", "no off never nothing false"},
	{"rising", "fencing fence monotonic true"},
	{"token", "fencing fence"},
	{"key", "idempotency idempotent idempotency_key unique"},
	{"version", "cas etag optimistic"},
}

// meantChoice is a hint for a text that is none of the words of a choice.
func meantChoice(text string, words []string) string {
	for _, c := range choices {
		if slices.Contains(words, c.word) && slices.Contains(strings.Fields(c.words), text) {
			return fmt.Sprintf("; did you mean %q?", c.word)
		}
	}
	return didYouMean(text, words)
}

// meant are the keys that a word of the field may stand for.
func meant(word string) (keys []string) {
	for _, s := range synonyms {
		if slices.Contains(strings.Fields(s.words), word) {
			keys = append(keys, s.key)
		}
	}
	return keys
}

// mostHomes is how many places a hint names; a word with more of them says
// nothing about what was meant.
const mostHomes = 3

// hint says where in the language an unknown key of a block belongs, by the most
// likely reading of it; or which keys the block has.
func hint(path, word string, b *block) string {
	keys := meant(word)
	within := within(path)
	for _, homes := range [][]string{
		homes(keys, b.here),
		homes(append([]string{word}, keys...), b.deeper, within.higher),
		homes([]string{near.Word(word, b.keyNames())}, b.here),
		homes(append([]string{word}, keys...), ofThings),
	} {
		if n := len(homes); n > 0 && n <= mostHomes {
			return "; did you mean " + strings.Join(homes, " or ") + "?"
		}
	}
	return didYouMean(word, b.keyNames())
}

// homes are the places of keys, by the first way of finding them that has any.
func homes(keys []string, ways ...func(key string) []string) (found []string) {
	for _, way := range ways {
		for _, key := range keys {
			found = append(found, way(key)...)
		}
		if len(found) > 0 {
			break
		}
	}
	return found
}

func (b *block) here(key string) (found []string) {
	if _, ok := b.row(key); ok {
		found = append(found, strconv.Quote(key))
	}
	return found
}

// deeper finds a key in the blocks that a block holds.
func (b *block) deeper(key string) (found []string) {
	for _, k := range b.keys {
		if k.form.block == nil {
			continue
		}
		if _, ok := k.form.block.row(key); ok {
			found = append(found, strconv.Quote(k.name+"."+key))
		}
	}
	return found
}

// enclosing are the blocks on the way to a block, outermost first.
type enclosing []struct {
	path string
	*block
}

// within walks down a path. Where the path goes on in a list, it ends.
func within(path string) (all enclosing) {
	f, here := fileBlock.form, ""
	for _, part := range append(splitPath(path), "") {
		if f.block != nil {
			all = append(all, struct {
				path string
				*block
			}{here, f.block})
			row, ok := f.block.row(part)
			if !ok {
				break
			}
			f = row.form
		} else if f.of != nil {
			f = f.of.form
		} else if row, ok := verbs.row(part); ok && f.steps {
			f = row.form
		} else {
			break
		}
		here = join(here, part)
	}
	return all
}

// higher finds a key in the block around, or in the one around that: between a
// step and its job stands the list of steps.
func (e enclosing) higher(key string) []string {
	for i := len(e) - 2; i >= max(0, len(e)-3); i-- {
		if _, ok := e[i].row(key); !ok {
			continue
		}
		if e[i].path == "" {
			return []string{strconv.Quote(key) + " at the top of the file"}
		}
		return []string{strconv.Quote(join(e[i].path, key))}
	}
	return nil
}

// ofThings finds a key that things of some kind have: queues.*.prefetch.
func ofThings(key string) (found []string) {
	for _, k := range settingsBlock.keys {
		if k.form.of == nil {
			continue
		}
		if _, ok := k.form.of.row(key); ok {
			found = append(found, strconv.Quote(k.name+".*."+key))
		}
	}
	return found
}
