// Command tenggat runs scenarios of queue workers whose internal communication fails in part, and says what their
// timeouts, leases and policies lead to. It holds flags and output; everything else is in the packages below it.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// The first signal lets finished points be kept, the second one ends the program at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
