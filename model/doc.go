// Package model builds the world of one scenario on the kernel and drives the
// real policies in it: brokers, lock stores, services, monitors and worker
// processes on nodes that pause and crash, joined by a network that loses,
// delays and cuts.
//
// Few mechanisms make all of it. A claim (policies/lease.Grant) is a delivery's
// lease and a lock's alike; a beat is a renewal or a heartbeat; a station is a
// service with servers and a queue; a call is a request with a number, a
// caller's patience and an answer that may come late. A component has a file of
// its own name: broker.go, lapse.go and settle.go for queues, lockstore.go,
// holder.go and renewal.go for the two sides of a lock, service.go and caller.go
// for those of a call, cache.go and reader.go for those of a cache, process.go
// and life.go for the worker process, compile.go and execution.go for a job's
// steps, members.go for stores of several nodes with a leader and quorum.go for
// those without, monitor.go and probe.go, fault.go, overlay.go, jump.go,
// network.go, node.go. What a process adds to its machine stands by itself:
// wish.go and lookout.go (how it asks for work), slot.go, limit.go, selfpause.go,
// needs.go; as does what groups add: partition.go, scale.go.
//
// Promise: equal scenario, seed and replication give equal facts in equal
// order on every CPU. Decisions about retries, leases, fencing, suspicion and
// work are made by the packages under policies; what this package decides is
// only what the world does to them.
//
// It does not promise to model goroutines, threads, the isolation of a
// database, or the cost of a message beyond its latency.
package model
