package cli_test

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cli"
	"github.com/goldwire/goldwire/internal/catalogue"
)

// Profiles are served while a run lasts, and only on the loopback.
func TestProfilesOfALongRun(t *testing.T) {
	messages := filepath.Join(t.TempDir(), "messages.csv")
	require.NoError(
		t,
		os.WriteFile(
			messages, []byte("id,type,source,destination,bytes,start_ns\n1,read,0,1,64,0\n2,write,0,1,64,300000\n"), 0o600,
		),
	)
	said, stderr := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		code := cli.Main(
			[]string{"run", "edm", "trace", messages, "--nodes", "2", "--debug-addr", "127.0.0.1:0"},
			io.Discard,
			stderr,
			catalogue.Designs()...)
		stderr.Close()
		ended <- code
	}()
	line, err := bufio.NewReader(said).ReadString('\n')
	require.NoError(t, err)
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "profiles: ")
	require.True(t, ok, line)
	require.True(t, strings.HasPrefix(url, "http://127.0.0.1:"), url)
	get := func(host string) (int, string) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"goroutine?debug=1", nil)
		require.NoError(t, err)
		if host != "" {
			request.Host = host
		}
		answer, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return answer.StatusCode, string(body)
	}
	code, body := get("")
	require.Equal(t, http.StatusOK, code)
	require.Contains(t, body, "goroutine profile: total")
	code, _ = get("somewhere.example:80")
	require.Equal(t, http.StatusForbidden, code)
	go func() { _, _ = io.Copy(io.Discard, said) }()
	require.Zero(t, <-ended)
	_, err = http.Get(url)
	require.Error(t, err, "nothing is served after the run")
}
