# `make` alone lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

FUZZTIME ?= 60s
SEEDS    ?= 10000
SCENARIO ?= lease-ttl
OUT      ?= out
SWEEPS   := lease-ttl visibility-timeout heartbeat-timeout

# Packages that start goroutines.
RACED := ./policies/live/... ./experiments ./cmd/tenggat

# Packages whose tests compare with files that -update rewrites.
GOLDEN = $(sort $(dir $(shell grep -rlE --include='*_test.go' '"update"|tenggat/policies/policytest"' .)))

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## build bin/tenggat
	go build -o bin/tenggat ./cmd/tenggat

.PHONY: test
test: vet ## vet, formatting, every test (race detector where goroutines are), the library; skips say why
	go test -v ./... | grep -vE '^(=== |PASS$$|[?])|^ *--- PASS'
	go run ./cmd/tenggat test experiments/scenarios
	@$(MAKE) --no-print-directory race

.PHONY: vet
vet: ## go vet and gofmt, which change nothing
	go vet ./...
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "not formatted (make tidy):" $$unformatted; exit 1; }

.PHONY: race
race: ## tests of the packages with goroutines, under the race detector
	@if command -v $$(go env CC) >/dev/null; then go test -race -skip '^TestPages$$' $(RACED); \
	else echo "race: left out: the race detector needs a C compiler"; [ -z "$${CI:-}" ]; fi

.PHONY: determinism
determinism: ## equal hashes on amd64, amd64 v3, 386, arm64 and wasm; no fused arithmetic
	scripts/determinism

.PHONY: fuzz
fuzz: ## fuzz each parser for FUZZTIME (60s)
	@grep -roE --include='*_test.go' '^func Fuzz\w+' . | sed -E 's,/[^/]*:func , ,' | sort | while read -r dir name; do \
		echo "$$dir $$name"; \
		go test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) "$$dir"; \
	done

.PHONY: swarm
swarm: ## SEEDS (10000) small worlds, each with other faults, under the policy bundle critical
	go test ./model -run 'TestSwarm$$' -swarm $(SEEDS) -timeout 0

.PHONY: golden
golden: ## rewrite scripts and golden files; read the diff before you commit it
	go test $(GOLDEN) -update
	git diff --stat

.PHONY: bench
bench: ## benchmarks, with allocations
	go test -run '^$$' -bench . -benchmem ./... | grep -vE '^(PASS|\?|ok .*no test)'

.PHONY: tidy
tidy: ## format the code and sort out go.mod
	gofmt -w .
	go mod tidy

.PHONY: docs
docs: ## run the commands in docs and notebooks and write what they print; read the diff before you commit it
	go test ./cmd/tenggat -run '^TestPages$$' -update

.PHONY: sweep
sweep: build ## the main job, three sweeps: lease length, visibility time-out, heartbeat time-out; into OUT (out)
	for name in $(SWEEPS); do bin/tenggat sweep $$name --out $(OUT)/$$name; done

.PHONY: results
results: ## rebuild results/: the three sweeps, and the table of failures and remedies
	$(MAKE) --no-print-directory sweep OUT=results
	$(MAKE) --no-print-directory failures
	git status --short results

.PHONY: failures
failures: build ## one table: each failure of the library, each remedy, the harm before and after; into results/
	bin/tenggat failures --quiet

.PHONY: verify
verify: build ## compare the simulator with cases whose right answer is known
	bin/tenggat verify

.PHONY: replay
replay: build ## run SCENARIO (lease-ttl) again with SEED=...
	@[ -n "$(SEED)" ] || { echo "say which seed: make replay SCENARIO=$(SCENARIO) SEED=7"; exit 1; }
	bin/tenggat run $(SCENARIO) --seed $(SEED) --out $(OUT)/$(SCENARIO)
