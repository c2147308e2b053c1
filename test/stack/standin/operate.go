package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// scriptAnnotation gives one object a script of its own.
const scriptAnnotation = "standin.tiphys.dev/script"

// step is one state of a script, and how long it lasts. The last one stays.
type step struct {
	state string
	lasts time.Duration
}

// operator walks each object of one resource through a script:
//
//	nothing or an unknown state -> first step -> ... -> last step, where it stays
//
// A state that is in the script already, as after a restart of the operator, lasts its time again and goes on from there.
// A new generation of the object begins anew when generations are observed. An object that is given another script of
// its own, or loses it, goes on from its state in the new one.
type operator struct {
	kube       *kube
	collection string
	script     []step
	path       []string
	where      condition
	extra      map[string]object
	observe    bool

	mutex   sync.Mutex
	walking map[string]walk
}

// condition picks the objects whose text under a path is the wanted one; without a path, all.
type condition struct {
	path []string
	want string
}

func (c condition) holds(o object) bool {
	return len(c.path) == 0 || text(o, c.path...) == c.want
}

type walk struct {
	generation any
	own        string
	cancel     context.CancelFunc
}

func operate(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("operate", flag.ExitOnError)
	group := flags.String("group", "", "API group; none is that of Services and Pods")
	version := flags.String("version", "v1", "API version")
	resource := flags.String("resource", "", "plural name of the resource")
	namespace := flags.String("namespace", "", "only objects of this namespace")
	script := flags.String("script", "Creating:20s,Running", "states, each but the last with the time that it lasts")
	path := flags.String("path", "status.phase", "where the state is written; empty: nowhere, --extra says it all")
	where := flags.String("where", "", "only objects with this text: spec.type=LoadBalancer")
	extra := flags.String("extra", "{}", `more status by state, as JSON: {"Running": {"ready": true}}`)
	observe := flags.Bool("observe-generation", false, "write status.observedGeneration, and begin anew when the spec changes")
	listen := flags.String("listen", ":8080", "address of /readyz")
	if err := flags.Parse(args); err != nil {
		return err
	}
	steps, err := parseScript(*script)
	if err != nil {
		return err
	}
	o := &operator{script: steps, path: keys(*path), where: parseCondition(*where), observe: *observe, walking: map[string]walk{}}
	if err := json.Unmarshal([]byte(*extra), &o.extra); err != nil {
		return fmt.Errorf("--extra: %w", err)
	}
	o.collection = collectionPath(*group, *version, *namespace, *resource)
	if o.kube, err = inCluster(); err != nil {
		return err
	}
	var ready atomic.Bool
	go o.kube.follow(ctx, o.collection, func() { ready.Store(true) }, func(e event) { o.seen(ctx, e) })
	return listenAndServe(ctx, *listen, readiness(ready.Load, "operator of "+*resource))
}

// collectionPath is the path of all objects of a resource, or of those of one namespace.
func collectionPath(group, version, namespace, resource string) string {
	path := "/apis/" + group + "/" + version
	if group == "" {
		path = "/api/" + version
	}
	if namespace != "" {
		path += "/namespaces/" + namespace
	}
	return path + "/" + resource
}

// keys reads 'status.phase'.
func keys(path string) []string {
	if path == "" {
		return nil
	}
	return strings.Split(path, ".")
}

// parseCondition reads 'spec.type=LoadBalancer'.
func parseCondition(where string) condition {
	path, want, _ := strings.Cut(where, "=")
	return condition{keys(path), want}
}

// parseScript reads 'Creating:20s,Running'.
func parseScript(script string) ([]step, error) {
	var steps []step
	for _, part := range strings.Split(script, ",") {
		state, lasts, timed := strings.Cut(strings.TrimSpace(part), ":")
		if state == "" {
			return nil, fmt.Errorf("script %q has a step without a state", script)
		}
		s := step{state: state}
		if timed {
			duration, err := time.ParseDuration(lasts)
			if err != nil {
				return nil, fmt.Errorf("script %q: %w", script, err)
			}
			s.lasts = duration
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// seen starts a walk for an object that has none or needs another, and ends that of one that is gone.
func (o *operator) seen(ctx context.Context, e event) {
	key := text(e.Object, "metadata", "uid")
	generation := value(e.Object, "metadata", "generation")
	own := text(e.Object, "metadata", "annotations", scriptAnnotation)
	o.mutex.Lock()
	defer o.mutex.Unlock()
	current, known := o.walking[key]
	gone := e.Type == "DELETED" || !o.where.holds(e.Object)
	same := current.own == own && (!o.observe || current.generation == generation)
	if known && !gone && same {
		return
	}
	if known {
		current.cancel()
		delete(o.walking, key)
	}
	if gone {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	o.walking[key] = walk{generation, own, cancel}
	go o.walk(ctx, e.Object, generation)
}

func (o *operator) walk(ctx context.Context, target object, generation any) {
	script := o.script
	if own := value(target, "metadata", "annotations"); own != nil {
		if s, err := parseScript(text(target, "metadata", "annotations", scriptAnnotation)); err == nil {
			script = s
		}
	}
	for _, s := range script[o.begin(script, target, generation):] {
		for {
			err := o.write(ctx, target, s.state, generation)
			if err == nil || ctx.Err() != nil || hasStatus(err, http.StatusNotFound) {
				break
			}
			fmt.Fprintf(os.Stderr, "%s: %v\n", text(target, "metadata", "name"), err)
			if !sleep(ctx, time.Second) {
				return
			}
		}
		if !sleep(ctx, s.lasts) {
			return
		}
	}
}

// begin tells with which step of the script to go on.
func (o *operator) begin(script []step, target object, generation any) int {
	if o.observe && value(target, "status", "observedGeneration") != generation {
		return 0
	}
	for i, s := range script {
		if len(o.path) > 0 && text(target, o.path...) == s.state {
			return i
		}
	}
	return 0
}

func (o *operator) write(ctx context.Context, target object, state string, generation any) error {
	change := object{"status": object{}}
	if extra := o.extra[state]; extra != nil {
		change["status"] = extra
	}
	if len(o.path) > 0 {
		change = merge(change, nest(state, o.path...))
	}
	if o.observe {
		change = merge(change, nest(generation, "status", "observedGeneration"))
	}
	path := objectPath(o.collection, target)
	_, err := o.kube.patch(ctx, path+"/status", change)
	if hasStatus(err, http.StatusNotFound) { // The kind has no status subresource, or the object is gone.
		_, err = o.kube.patch(ctx, path, change)
	}
	if err == nil {
		fmt.Printf("%s/%s: %s\n", text(target, "metadata", "namespace"), text(target, "metadata", "name"), state)
	}
	return err
}

// objectPath is the path of one object of a collection, which may be that of all namespaces.
func objectPath(collection string, o object) string {
	name, namespace := text(o, "metadata", "name"), text(o, "metadata", "namespace")
	if namespace == "" || strings.Contains(collection, "/namespaces/") {
		return collection + "/" + name
	}
	slash := strings.LastIndex(collection, "/")
	return collection[:slash] + "/namespaces/" + namespace + collection[slash:] + "/" + name
}

// sleep is false if ctx ended before the time was over.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
