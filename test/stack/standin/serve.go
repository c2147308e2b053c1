package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// serve answers every path with a line of text, and /readyz with 200 only between --ready-after and --fail-after.
func serve(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("serve", flag.ExitOnError)
	listen := flags.String("listen", ":8080", "address to listen on")
	readyAfter := flags.Duration("ready-after", 0, "time until /readyz answers 200")
	failAfter := flags.Duration("fail-after", 0, "time until /readyz answers 503 again; 0: never")
	body := flags.String("body", "ok", "what / answers")
	if err := flags.Parse(args); err != nil {
		return err
	}
	began := time.Now()
	ready := func() bool {
		up := time.Since(began)
		return up >= *readyAfter && (*failAfter == 0 || up < *failAfter)
	}
	return listenAndServe(ctx, *listen, readiness(ready, *body))
}

// readiness serves /readyz by the given judgement, /livez always, and a text everywhere else.
func readiness(ready func() bool, body string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !ready() {
			http.Error(w, "not ready", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ready")
	})
	mux.HandleFunc("/livez", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "alive") })
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, body) })
	return mux
}

func listenAndServe(ctx context.Context, address string, handler http.Handler) error {
	server := &http.Server{Addr: address, Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	go func() {
		<-ctx.Done()
		server.Close()
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// exit ends with a code after a while. Told to end before, it ends at once with the code of a terminated program.
func exit(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("exit", flag.ExitOnError)
	code := flags.Int("code", 0, "exit status")
	after := flags.Duration("after", 0, "time until then")
	message := flags.String("message", "", "what to print before")
	if err := flags.Parse(args); err != nil {
		return err
	}
	select {
	case <-time.After(*after):
	case <-ctx.Done():
		os.Exit(143)
	}
	if *message != "" {
		fmt.Println(*message)
	}
	os.Exit(*code)
	return nil
}

// get prints the addresses of a URL's host and the answer's body. Anything but 200 is a failure.
func get(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("get", flag.ExitOnError)
	attempts := flags.Int("attempts", 1, "how often to try")
	interval := flags.Duration("interval", time.Second, "time between two attempts")
	timeout := flags.Duration("timeout", 3*time.Second, "time for one attempt")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("one URL is wanted, after the flags")
	}
	var err error
	for attempt := range *attempts {
		if attempt > 0 {
			select {
			case <-time.After(*interval):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if err = fetch(ctx, flags.Arg(0), *timeout); err == nil {
			return nil
		}
		fmt.Fprintf(os.Stderr, "attempt %d: %v\n", attempt+1, err)
	}
	return err
}

func fetch(ctx context.Context, address string, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	target, err := url.Parse(address)
	if err != nil {
		return err
	}
	addresses, err := net.DefaultResolver.LookupHost(ctx, target.Hostname())
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", response.Status, strings.TrimSpace(string(body)))
	}
	fmt.Printf("%s is %s\n%s", target.Hostname(), strings.Join(addresses, " "), body)
	return nil
}
