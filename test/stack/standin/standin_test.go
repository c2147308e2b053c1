package main

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"
)

func TestParseScript(t *testing.T) {
	steps, err := parseScript("Creating:20s, Running")
	want := []step{{"Creating", 20 * time.Second}, {"Running", 0}}
	if err != nil || !reflect.DeepEqual(steps, want) {
		t.Errorf("got %v, %v", steps, err)
	}
	for _, wrong := range []string{"", "Creating:soon", "Creating:1s,,Running"} {
		if _, err := parseScript(wrong); err == nil {
			t.Errorf("%q was accepted", wrong)
		}
	}
}

func TestBegin(t *testing.T) {
	o := &operator{path: []string{"status", "phase"}, observe: true}
	script := []step{{"Creating", time.Second}, {"Running", 0}}
	status := func(phase string, observed float64) object {
		return object{"status": object{"phase": phase, "observedGeneration": observed}}
	}
	for _, c := range []struct {
		name   string
		target object
		want   int
	}{
		{"a new object", object{}, 0},
		{"one that runs", status("Running", 1), 1},
		{"one whose spec changed since", status("Running", 0), 0},
		{"one in a state of another script", status("Paused", 1), 0},
	} {
		if got := o.begin(script, c.target, 1.0); got != c.want {
			t.Errorf("%s begins with step %d, want %d", c.name, got, c.want)
		}
	}
}

func TestCollectionPath(t *testing.T) {
	for want, got := range map[string]string{
		"/apis/g/v1/things":              collectionPath("g", "v1", "", "things"),
		"/apis/g/v1/namespaces/n/things": collectionPath("g", "v1", "n", "things"),
		"/api/v1/services":               collectionPath("", "v1", "", "services"),
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestWhere(t *testing.T) {
	balancer := object{"spec": object{"type": "LoadBalancer"}}
	for where, want := range map[string]bool{"": true, "spec.type=LoadBalancer": true, "spec.type=ClusterIP": false} {
		if got := parseCondition(where).holds(balancer); got != want {
			t.Errorf("%q: got %v", where, got)
		}
	}
}

func TestObjectPath(t *testing.T) {
	o := object{"metadata": object{"name": "a", "namespace": "n"}}
	for collection, want := range map[string]string{
		"/apis/g/v1/things":              "/apis/g/v1/namespaces/n/things/a",
		"/apis/g/v1/namespaces/n/things": "/apis/g/v1/namespaces/n/things/a",
	} {
		if got := objectPath(collection, o); got != want {
			t.Errorf("%s: got %s", collection, got)
		}
	}
	if got := objectPath("/apis/g/v1/things", object{"metadata": object{"name": "a"}}); got != "/apis/g/v1/things/a" {
		t.Errorf("of the cluster: got %s", got)
	}
}

func TestMerge(t *testing.T) {
	got := merge(object{"status": object{"ready": true}}, nest("Running", "status", "phase"))
	want := object{"status": object{"ready": true, "phase": "Running"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestReadiness(t *testing.T) {
	ready := false
	server := httptest.NewServer(readiness(func() bool { return ready }, "hello"))
	defer server.Close()
	status := func(path string) int {
		response, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		return response.StatusCode
	}
	if status("/readyz") != http.StatusServiceUnavailable || status("/") != http.StatusOK {
		t.Error("before it is ready, only /readyz says no")
	}
	ready = true
	if status("/readyz") != http.StatusOK {
		t.Error("when it is ready, /readyz says so")
	}
}
