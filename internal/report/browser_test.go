package report_test

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// browser is a headless Chromium, spoken to through a pipe in the DevTools protocol: a JSON object a message, with a
// zero byte after it.
type browser struct {
	t       *testing.T
	to      *os.File
	answers chan message
	last    int
	session string
	// Complaints are what the console, the log and the page's own faults said.
	complaints []string
	// Requests are the addresses that the page asked for.
	requests []string
	loaded   bool
}

type message struct {
	ID     int            `json:"id"`
	Method string         `json:"method"`
	Params map[string]any `json:"params"`
	Result map[string]any `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// startBrowser starts a browser with a page, or skips the test.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		t.Skip("the page was NOT looked at in a browser: Chromium is not installed")
	}
	theirIn, ourOut, err := os.Pipe()
	require.NoError(t, err)
	ourIn, theirOut, err := os.Pipe()
	require.NoError(t, err)
	arguments := []string{"--headless", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--hide-scrollbars", "--remote-debugging-pipe",
		"--user-data-dir=" + t.TempDir()}
	if os.Getuid() == 0 {
		arguments = append(arguments, "--no-sandbox") // it refuses to sandbox for root
	}
	cmd := exec.Command(path, arguments...)
	cmd.ExtraFiles = []*os.File{theirIn, theirOut} // its descriptors 3 and 4
	require.NoError(t, cmd.Start())
	theirIn.Close()
	theirOut.Close()
	b := &browser{t: t, to: ourOut, answers: make(chan message, 1000)}
	go func() {
		defer close(b.answers)
		for r := bufio.NewReader(ourIn); ; {
			text, err := r.ReadBytes(0)
			if err != nil {
				return
			}
			var m message
			if json.Unmarshal(text[:len(text)-1], &m) == nil {
				b.answers <- m
			}
		}
	}()
	t.Cleanup(func() {
		ourOut.Close() // it ends when nobody speaks to it
		ended := make(chan struct{})
		go func() { _ = cmd.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(5 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
		}
	})
	target := b.call("Target.createTarget", map[string]any{"url": "about:blank"})["targetId"]
	b.session = b.call("Target.attachToTarget", map[string]any{"targetId": target, "flatten": true})["sessionId"].(string)
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(domain+".enable", nil)
	}
	return b
}

// call sends a command and returns its result, taking note of events before it.
func (b *browser) call(method string, params map[string]any) map[string]any {
	b.t.Helper()
	b.last++
	m := map[string]any{"id": b.last, "method": method, "params": params}
	if b.session != "" {
		m["sessionId"] = b.session
	}
	text, err := json.Marshal(m)
	require.NoError(b.t, err)
	_, err = b.to.Write(append(text, 0))
	require.NoError(b.t, err)
	for {
		m := b.next()
		if m.ID == b.last {
			require.Nil(b.t, m.Error, method)
			return m.Result
		}
	}
}

// next returns the next message of the browser.
func (b *browser) next() message {
	b.t.Helper()
	select {
	case m, ok := <-b.answers:
		require.True(b.t, ok, "the browser has ended")
		switch m.Method {
		case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded":
			b.complaints = append(b.complaints, fmt.Sprint(m.Params))
		case "Network.requestWillBeSent":
			b.requests = append(b.requests, m.Params["request"].(map[string]any)["url"].(string))
		case "Page.loadEventFired":
			b.loaded = true
		}
		return m
	case <-time.After(30 * time.Second):
		require.FailNow(b.t, "the browser has said nothing for 30 seconds")
		return message{}
	}
}

// open goes to an address and waits until it is there.
func (b *browser) open(url string) {
	b.t.Helper()
	b.call("Page.navigate", map[string]any{"url": "about:blank"})
	b.wait()
	b.loaded, b.requests = false, nil
	b.call("Page.navigate", map[string]any{"url": url})
	b.wait()
}

func (b *browser) wait() {
	b.t.Helper()
	for !b.loaded {
		b.next()
	}
	b.loaded = false
}

// screen sets width and height, and light or dark.
func (b *browser) screen(width, height int, scheme string) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1,
		"mobile": width < 600})
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]any{{"name": "prefers-color-scheme",
		"value": scheme}}})
}

// eval returns the value of an expression in the page.
func (b *browser) eval(expression string) any {
	b.t.Helper()
	r := b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true})
	require.Nil(b.t, r["exceptionDetails"], expression)
	return r["result"].(map[string]any)["value"]
}

// click presses the mouse in the middle of the first element that a selector finds.
func (b *browser) click(selector string) {
	b.t.Helper()
	at := b.eval(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({block: "center"}); const `+
		`r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, selector)).([]any)
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		b.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at[0], "y": at[1], "button": "left",
			"clickCount": 1})
	}
}

// shot writes a picture of the page to a file.
func (b *browser) shot(path string) {
	b.t.Helper()
	data, err := base64.StdEncoding.DecodeString(b.call("Page.captureScreenshot",
		map[string]any{"format": "png"})["data"].(string))
	require.NoError(b.t, err)
	require.NoError(b.t, os.WriteFile(path, data, 0o644))
}
