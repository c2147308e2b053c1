package main

import (
	"time"

	lua "github.com/yuin/gopher-lua"
)

var times = map[string]lua.LGFunction{"time": timeOf, "date": dateOf}

// A state with the libraries that Argo CD opens, in its order. Of `os` it has `time` and `date`, for scripts that require it.
func newState(openLibs bool) *lua.LState {
	state := lua.NewState(lua.Options{SkipOpenLibs: !openLibs})
	for _, library := range []struct {
		name string
		open lua.LGFunction
	}{
		{lua.LoadLibName, lua.OpenPackage},
		{lua.BaseLibName, lua.OpenBase},
		{lua.TabLibName, lua.OpenTable},
	} {
		state.Push(state.NewFunction(library.open))
		state.Push(lua.LString(library.name))
		state.Call(1, 0)
	}
	state.PreloadModule(lua.OsLibName, func(state *lua.LState) int {
		state.Push(state.SetFuncs(state.NewTable(), times))
		return 1
	})
	return state
}

// Seconds since 1970: now, or of the date in a table. Fields that are no numbers count as missing.
func timeOf(state *lua.LState) int {
	at := time.Now()
	if state.GetTop() > 0 {
		table := state.CheckTable(1)
		field := func(name string, missing int) int {
			if number, ok := table.RawGetString(name).(lua.LNumber); ok {
				return int(number)
			}
			return missing
		}
		at = time.Date(field("year", -1), time.Month(field("month", -1)), field("day", -1),
			field("hour", 12), field("min", 0), field("sec", 0), 0, time.Local)
	}
	state.Push(lua.LNumber(at.Unix()))
	return 1
}

// The function `date` of gopher-lua, from its library `os` in a state that no script sees.
var dateOf = func() lua.LGFunction {
	state := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer state.Close()
	state.Push(state.NewFunction(lua.OpenOs))
	state.Call(0, 1)
	return state.GetField(state.Get(-1), "date").(*lua.LFunction).GFunction
}()
