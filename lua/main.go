// Argo CD's Lua and the YAML parser of its tests, as one WebAssembly module. A request comes in and an answer goes out as
// JSON, through the memory of the instance.
package main

import (
	"encoding/json"
	"os"
	"runtime/debug"
	"unsafe"
)

// Below the 128 MiB that the instance may have: garbage is collected before it counts.
const collectedAt = 96 << 20

type request struct {
	// Cases is the text of a health_test.yaml. Its answer has Cases.
	Cases *string `json:"cases"`
	// Script alone asks whether it can be read; with an Object it is run. The answer has Health.
	Script   string  `json:"script"`
	Object   *string `json:"object"`
	OpenLibs bool    `json:"openLibs"`
}

type answer struct {
	Cases  []testCase    `json:"cases,omitempty"`
	Health *healthStatus `json:"health,omitempty"`
	Error  string        `json:"error,omitempty"`
}

var exchange []byte

// Makes room for a request of so many bytes, and says where.
//
//go:wasmexport request
func makeRoom(size uint32) unsafe.Pointer {
	exchange = make([]byte, size)
	return unsafe.Pointer(unsafe.SliceData(exchange))
}

// Answers the request, and says how many bytes the answer has; `answer` says where.
//
//go:wasmexport run
func run() uint32 {
	// What a script has set must not reach the next one.
	os.Clearenv()
	var asked request
	if err := json.Unmarshal(exchange, &asked); err != nil {
		panic(err)
	}
	encoded, err := json.Marshal(answerTo(asked))
	if err != nil {
		panic(err)
	}
	exchange = encoded
	return uint32(len(exchange))
}

//go:wasmexport answer
func whereAnswer() unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(exchange))
}

func answerTo(asked request) answer {
	var given answer
	var err error
	switch {
	case asked.Cases != nil:
		given.Cases, err = readCases(*asked.Cases)
	case asked.Object != nil:
		given.Health, err = runCheck(asked.Script, *asked.Object, asked.OpenLibs)
	default:
		err = compile(asked.Script)
	}
	if err != nil {
		given.Error = err.Error()
	}
	return given
}

func init() {
	debug.SetMemoryLimit(collectedAt)
}

func main() {}
