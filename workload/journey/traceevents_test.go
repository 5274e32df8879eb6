package journey_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design/designtest"
)

// The trace keeps the rules of its format, and the check reports traces that break them.
func TestTraceEventFormat(t *testing.T) {
	designtest.CheckTraceEvents(t, record(t))
	const good = `{"name":"a","ph":"X","ts":1,"dur":2,"pid":1,"tid":1}`
	for text, want := range map[string]string{
		good: "",
		good + `,{"name":"b","ph":"X","ts":1.5,"dur":1.5,"pid":1,"tid":1}`: "",
		good + `,{"name":"b","ph":"X","ts":3,"dur":1,"pid":1,"tid":1}`:     "",
		good + `,{"name":"b","ph":"X","ts":2,"dur":2,"pid":1,"tid":2}`:     "",
		good + `,{"name":"b","ph":"X","ts":2,"dur":2,"pid":1,"tid":1}`: "thread 1/1: an event from " +
			"2.000000 to 4.000000 overlaps with one to 3.000000",
		`{"ph":"X","ts":1,"dur":2,"pid":1,"tid":1}`: "event 0: it has no name",
		`{"name":"a","ph":"X","ts":"1","dur":2,"pid":1,"tid":1}`: "event 0: ts is 1, want " +
			"microseconds",
		`{"name":"a","ph":"X","ts":1,"dur":-2,"pid":1,"tid":1}`: "event 0: dur is -2, want " +
			"microseconds",
		`{"name":"a","ph":"X","ts":1,"pid":1,"tid":1}`: "event 0: dur is <nil>, want " +
			"microseconds",
		`{"name":"a","ph":"X","ts":1,"dur":2,"pid":1.5,"tid":1}`:        "event 0: pid is no whole number",
		`{"name":"a","ph":"X","ts":1,"dur":2,"pid":1}`:                  "event 0: tid is no whole number",
		`{"name":"a","ph":"X","ts":1,"dur":2,"pid":1,"tid":1,"cat":7}`:  "event 0: cat is no text",
		`{"name":"a","ph":"X","ts":1,"dur":2,"pid":1,"tid":1,"args":7}`: "event 0: args is no object",
		`{"name":"a","ph":"E","ts":1,"pid":1,"tid":1}`:                  "event 0: phase E",
		`{"name":"thread_nam","ph":"M","pid":1,"tid":1,"args":{"name":"x"}}`: `event 0: metadata ` +
			`"thread_nam" with map[name:x]`,
		`{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"label":"x"}}`: `event 0: metadata ` +
			`"thread_name" with map[label:x]`,
		`{"name":"process_sort_index","ph":"M","pid":1,"tid":1,"args":{"sort_index":"x"}}`: `event 0: metadata ` +
			`"process_sort_index" with map[sort_index:x]`,
		`7`: "event 0 is no object",
	} {
		_, err := designtest.TraceEvents(fmt.Appendf(nil, `{"displayTimeUnit":"ns","traceEvents":[%s]}`, text))
		if want == "" {
			require.NoError(t, err, text)
			continue
		}
		require.EqualError(t, err, want, text)
	}
	for text, want := range map[string]string{
		`{"traceEvents":{}}`:                        "traceEvents is no array",
		`{"traceEvents":[]} 1`:                      "something stands after the object",
		`{"displayTimeUnit":"us","traceEvents":[]}`: `displayTimeUnit us, want "ms" or "ns"`,
	} {
		_, err := designtest.TraceEvents([]byte(text))
		require.EqualError(t, err, want)
	}
}
