// Standin takes the place of a workload in tests: it becomes ready when told to, answers HTTP, ends with a code, plays
// the operator of a custom resource, or provides volumes. One static program, so that an image needs nothing else.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

const usage = `usage: standin COMMAND [flags]

  serve      answer HTTP; ready after --ready-after, unready again after --fail-after
  exit       end with --code after --after
  get URL    fetch a URL, with --attempts
  operate    walk the status of a custom resource's objects through --script
  provision  make volumes as directories of the node
  pause      do nothing until told to end

Each command prints its flags with --help.
`

var commands = map[string]func(context.Context, []string) error{
	"serve":     serve,
	"exit":      exit,
	"get":       get,
	"operate":   operate,
	"provision": provision,
	"pause":     pause,
}

func main() {
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if err := commands[os.Args[1]](ctx, os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "standin %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}

// pause holds a pod's namespaces. Processes that lost their parent come to it when the pod shares its process
// namespace, so it reaps them.
func pause(ctx context.Context, _ []string) error {
	children := make(chan os.Signal, 1)
	signal.Notify(children, syscall.SIGCHLD)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-children:
			for {
				if pid, _ := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); pid <= 0 {
					break
				}
			}
		}
	}
}
