package main

import (
	"encoding/json"
	"errors"
	"fmt"

	lua "github.com/yuin/gopher-lua"
	luajson "layeh.com/gopher-json"
	"sigs.k8s.io/yaml"
)

type healthStatus struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

type testCase struct {
	InputPath    string       `json:"inputPath"`
	HealthStatus healthStatus `json:"healthStatus"`
}

// Go takes names in any case. One that it does not know would be a case that tests nothing, so it is refused.
func readCases(text string) ([]testCase, error) {
	var file struct {
		Tests []testCase `json:"tests"`
	}
	if err := yaml.Unmarshal([]byte(text), &file, yaml.DisallowUnknownFields); err != nil {
		return nil, fmt.Errorf("It cannot be read: %w. List inputPath and healthStatus under tests.", innermost(err))
	}
	return file.Tests, nil
}

// Only whether it can be compiled.
func compile(script string) error {
	state := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer state.Close()
	_, err := state.LoadString(script)
	return err
}

func runCheck(script, objectText string, openLibs bool) (*healthStatus, error) {
	var object map[string]any
	if err := yaml.Unmarshal([]byte(objectText), &object); err != nil {
		return nil, fmt.Errorf("The object cannot be read: %w. Fix its YAML.", innermost(err))
	}
	state := newState(openLibs)
	defer state.Close()
	state.SetGlobal("actionParams", state.NewTable())
	state.SetGlobal("obj", luajson.DecodeValue(state, object))
	if err := state.DoString(script); err != nil {
		var problem *lua.ApiError
		if errors.As(err, &problem) {
			problem.StackTrace = ""
		}
		return nil, err
	}
	return healthFrom(state.Get(-1))
}

// The last value that a script returns. Argo CD reads it as JSON, and takes one of another shape for no status at all.
func healthFrom(returned lua.LValue) (*healthStatus, error) {
	if returned.Type() == lua.LTNil {
		return &healthStatus{}, nil
	}
	if returned.Type() != lua.LTTable {
		return nil, fmt.Errorf("It returns a %s. Return a table with status and message.", returned.Type())
	}
	encoded, err := luajson.Encode(returned)
	if err != nil {
		return nil, fmt.Errorf("It returns a table that is no JSON: %w. Return only status and message.", innermost(err))
	}
	var health healthStatus
	var otherShape *json.UnmarshalTypeError
	if err := json.Unmarshal(encoded, &health); errors.As(err, &otherShape) {
		return &healthStatus{}, nil
	} else if err != nil {
		return nil, fmt.Errorf("It returns a table that Argo CD cannot read: %w. Return only status and message.", err)
	}
	switch health.Status {
	case "Healthy", "Progressing", "Degraded", "Suspended", "Missing", "Unknown":
		return &health, nil
	}
	return &healthStatus{Status: "Unknown", Message: "Lua returned an invalid health status"}, nil
}

// Without the functions that have passed it on.
func innermost(err error) error {
	for cause := errors.Unwrap(err); cause != nil; cause = errors.Unwrap(err) {
		err = cause
	}
	return err
}
