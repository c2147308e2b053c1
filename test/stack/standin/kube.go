package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

const account = "/var/run/secrets/kubernetes.io/serviceaccount/"

// object is any Kubernetes object, as JSON has it.
type object = map[string]any

// kube talks to the API server with the pod's ServiceAccount.
type kube struct {
	base   string
	client *http.Client
	token  func() (string, error)
}

type statusError struct {
	code int
	text string
}

func (e *statusError) Error() string { return fmt.Sprintf("%d: %s", e.code, e.text) }

func hasStatus(err error, code int) bool {
	var status *statusError
	return errors.As(err, &status) && status.code == code
}

func inCluster() (*kube, error) {
	authority, err := os.ReadFile(account + "ca.crt")
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	host := net.JoinHostPort(os.Getenv("KUBERNETES_SERVICE_HOST"), os.Getenv("KUBERNETES_SERVICE_PORT"))
	return &kube{
		base:   "https://" + host,
		client: &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}},
		// Read each time: the kubelet renews it.
		token: func() (string, error) {
			text, err := os.ReadFile(account + "token")
			return strings.TrimSpace(string(text)), err
		},
	}, nil
}

func (k *kube) request(ctx context.Context, method, path, contentType string, body any) (*http.Response, error) {
	var reader io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		reader = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, k.base+path, reader)
	if err != nil {
		return nil, err
	}
	token, err := k.token()
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", contentType)
	response, err := k.client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 {
		defer response.Body.Close()
		text, _ := io.ReadAll(io.LimitReader(response.Body, 4096))
		return nil, &statusError{response.StatusCode, strings.TrimSpace(string(text))}
	}
	return response, nil
}

// call sends one request and decodes the object that comes back.
func (k *kube) call(ctx context.Context, method, path, contentType string, body any) (object, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	response, err := k.request(ctx, method, path, contentType, body)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var result object
	return result, json.NewDecoder(response.Body).Decode(&result)
}

func (k *kube) get(ctx context.Context, path string) (object, error) {
	return k.call(ctx, http.MethodGet, path, "application/json", nil)
}

func (k *kube) create(ctx context.Context, path string, o object) (object, error) {
	return k.call(ctx, http.MethodPost, path, "application/json", o)
}

func (k *kube) patch(ctx context.Context, path string, patch object) (object, error) {
	return k.call(ctx, http.MethodPatch, path, "application/merge-patch+json", patch)
}

func (k *kube) delete(ctx context.Context, path string) error {
	_, err := k.call(ctx, http.MethodDelete, path, "application/json", nil)
	return err
}

type event struct {
	Type   string `json:"type"`
	Object object `json:"object"`
}

// follow calls seen for every object of a list, and again at each change of one, until ctx ends. It lists anew when a
// watch ends, as watches do.
func (k *kube) follow(ctx context.Context, path string, listed func(), seen func(event)) {
	for ctx.Err() == nil {
		if err := k.followOnce(ctx, path, listed, seen); err != nil && ctx.Err() == nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", path, err)
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
			}
		}
	}
}

func (k *kube) followOnce(ctx context.Context, path string, listed func(), seen func(event)) error {
	list, err := k.get(ctx, path)
	if err != nil {
		return err
	}
	items, _ := list["items"].([]any)
	for _, item := range items {
		if o, ok := item.(object); ok {
			seen(event{"ADDED", o})
		}
	}
	listed()
	watch := fmt.Sprintf("%s?watch=1&timeoutSeconds=300&resourceVersion=%s", path, text(list, "metadata", "resourceVersion"))
	response, err := k.request(ctx, http.MethodGet, watch, "application/json", nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	decoder := json.NewDecoder(response.Body)
	for {
		var e event
		if err := decoder.Decode(&e); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if e.Type == "ERROR" {
			return fmt.Errorf("watch: %v", e.Object["message"])
		}
		seen(e)
	}
}

// value finds what stands under a path of keys; nil where a key is missing.
func value(o object, path ...string) any {
	var current any = o
	for _, key := range path {
		next, ok := current.(object)
		if !ok {
			return nil
		}
		current = next[key]
	}
	return current
}

func text(o object, path ...string) string {
	s, _ := value(o, path...).(string)
	return s
}

// nest puts a value under a path of keys: nest(1, "a", "b") is {a: {b: 1}}.
func nest(v any, path ...string) object {
	if len(path) == 1 {
		return object{path[0]: v}
	}
	return object{path[0]: nest(v, path[1:]...)}
}

// merge lays b over a, key by key.
func merge(a, b object) object {
	result := object{}
	for key, v := range a {
		result[key] = v
	}
	for key, v := range b {
		below, isObject := v.(object)
		if above, both := result[key].(object); both && isObject {
			result[key] = merge(above, below)
		} else {
			result[key] = v
		}
	}
	return result
}
