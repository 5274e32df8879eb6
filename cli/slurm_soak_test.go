//go:build soak && linux

package cli_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// slurmConf is a controller and a node on this machine, on the loopback alone.
const slurmConf = `ClusterName=goldwire
SlurmctldHost=%[1]s(127.0.0.1)
SlurmUser=%[2]s
SlurmdUser=%[2]s
AuthType=auth/munge
AuthInfo=socket=%[3]s/munge.sock
CredType=cred/munge
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=%[3]s/state
SlurmdSpoolDir=%[3]s/spool
SlurmctldPidFile=%[3]s/slurmctld.pid
SlurmdPidFile=%[3]s/slurmd.pid
SlurmctldLogFile=%[3]s/slurmctld.log
SlurmdLogFile=%[3]s/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SchedulerType=sched/backfill
SchedulerParameters=sched_min_interval=0,bf_interval=1
MinJobAge=300
NodeName=%[1]s NodeAddr=127.0.0.1 CPUs=%[4]d RealMemory=512 State=UNKNOWN
PartitionName=all Nodes=%[1]s Default=YES MaxTime=INFINITE State=UP
`

// startSlurm starts a Slurm of one node in a folder of its own and stops it with the test.
func startSlurm(t *testing.T) {
	t.Helper()
	for _, p := range []string{"sbatch", "slurmctld", "slurmd", "munged"} {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("sweeps on Slurm were NOT run: %s is not installed (scripts/install-slurm)", p)
		}
	}
	dir, err := os.MkdirTemp("", "goldwire-slurm")
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o755)) // munge's socket must be reachable
	t.Cleanup(func() { os.RemoveAll(dir) })
	for _, d := range []string{"state", "spool"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, d), 0o755))
	}
	key := make([]byte, 1024)
	_, _ = rand.Read(key) // never fails
	require.NoError(t, os.WriteFile(filepath.Join(dir, "munge.key"), key, 0o600))
	host, err := os.Hostname()
	require.NoError(t, err)
	host, _, _ = strings.Cut(host, ".")
	me, err := user.Current()
	require.NoError(t, err)
	conf := filepath.Join(dir, "slurm.conf")
	require.NoError(
		t, os.WriteFile(conf, fmt.Appendf(nil, slurmConf, host, me.Username, dir, max(2, runtime.NumCPU())), 0o644),
	)
	t.Setenv("SLURM_CONF", conf)
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, daemon := range [][]string{
		{"munged", "--force", "--socket=" + at("munge.sock"), "--key-file=" + at("munge.key"),
			"--pid-file=" + at("munged.pid"),
			"--log-file=" + at("munged.log"), "--seed-file=" + at("munge.seed")},
		{"slurmctld", "-c"},
		{"slurmd"},
	} {
		t.Cleanup(func() { stopDaemon(at(daemon[0] + ".pid")) })
		out, err := exec.CommandContext(t.Context(), daemon[0], daemon[1:]...).CombinedOutput()
		require.NoError(t, err, "%s: %s", daemon[0], out)
	}
	require.Eventually(t, func() bool {
		out, _ := exec.CommandContext(t.Context(), "sinfo", "-h", "-o", "%T").Output()
		return strings.Contains(string(out), "idle")
	}, time.Minute, 200*time.Millisecond, "the node is not ready")
}

// stopDaemon ends the process of a pid file.
func stopDaemon(file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		return
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || pid < 2 {
		return
	}
	_ = syscall.Kill(pid, syscall.SIGTERM)
	for range 50 {
		if syscall.Kill(pid, 0) != nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
}

// tool runs the command goldwire.
type tool struct {
	t       *testing.T
	program string
}

func newTool(t *testing.T) tool {
	t.Helper()
	program := filepath.Join(t.TempDir(), "goldwire")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "github.com/goldwire/goldwire/cmd/goldwire")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	return tool{t, program}
}

// run returns the standard output and the exit code.
func (g tool) run(args ...string) (string, int) {
	g.t.Helper()
	cmd := exec.CommandContext(g.t.Context(), g.program, args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil {
		require.ErrorAs(g.t, err, &exit)
	}
	g.t.Logf("goldwire %s\n%s%s", strings.Join(args, " "), cut(string(out)), &said)
	return string(out), cmd.ProcessState.ExitCode()
}

func (g tool) ok(args ...string) string {
	g.t.Helper()
	out, code := g.run(args...)
	require.Zero(g.t, code)
	return out
}

// merged is the merged file of a sweep.
func (g tool) merged(dir string) string {
	g.t.Helper()
	file := filepath.Join(g.t.TempDir(), "merged.json")
	g.ok("sweep", "merge", dir, "--out", file)
	text, err := os.ReadFile(file)
	require.NoError(g.t, err)
	return string(text)
}

func cut(s string) string { return s[:min(len(s), 2000)] }

// sbatch submits a script and returns the number of its job.
func sbatch(t *testing.T, script string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sbatch", "--parsable")
	cmd.Stdin = strings.NewReader(script)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return strings.TrimSpace(string(out))
}

// ended waits until no task of a job is left, and returns the exit codes of the tasks that failed: "1:0".
func ended(t *testing.T, job string) (codes []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	for {
		out, err := exec.CommandContext(ctx, "squeue", "-h", "-j", job, "-o", "%T").Output()
		require.NoError(t, err)
		if strings.TrimSpace(string(out)) == "" {
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	out, err := exec.CommandContext(ctx, "scontrol", "show", "job", job).Output()
	require.NoError(t, err)
	for _, m := range regexp.MustCompile(`JobState=FAILED[^\n]*(?:\n[^\n]+)*?ExitCode=(\S+)`).FindAllStringSubmatch(
		string(out), -1) {
		codes = append(codes, m[1])
	}
	return codes
}

// finished counts the results of a sweep.
func finished(t *testing.T, dir string) (n int) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(dir, "results"), func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && filepath.Ext(path) == ".json" && !strings.HasPrefix(d.Name(), ".") {
			n++
		}
		return err
	})
	require.NoError(t, err)
	return n
}

// Sweeps of 40 points of RIFL, of EDM and of all fabrics give the same bytes on the local pool, in shards and on a real
// Slurm, also with a worker that is killed in the middle; a point that fails is reported once and not tried again.
func TestSweepsOnSlurm(t *testing.T) {
	startSlurm(t)
	g := newTool(t)
	root := filepath.Join(t.TempDir(), "the user's sweeps") // scripts must quote
	require.NoError(t, os.Mkdir(root, 0o755))
	for name, plan := range map[string][]string{
		"rifl": {"rifl", "sweep", "--runs", "1", "--errors", "1000000", "--frames", "1500000", "--vary", "ber=1e-9..1e-6*10",
			"--vary", "lanes=1,2", "--seeds", "5"},
		"edm": {"edm", "load", "--nodes", "4", "--messages", "200", "--vary", "loads=0.01..0.05+0.01", "--vary",
			"policy=srpt,fcfs", "--seeds", "4"},
		"rack": {"rack", "compare", "--nodes", "8", "--messages", "3000", "--vary", "loads=0.04..0.2+0.04", "--vary",
			"fabrics=edm,shoal,spfc,dctcp", "--seeds", "2"},
	} {
		pool, shards := filepath.Join(root, name+" pool"), filepath.Join(root, name+" shards")
		slurm, killed := filepath.Join(root, name+" slurm"), filepath.Join(root, name+" killed")
		for _, dir := range []string{pool, shards, slurm, killed} {
			g.ok(append(append([]string{"sweep", "plan"}, plan...), "--dir", dir)...)
		}
		require.Contains(t, g.ok("sweep", "run", pool), "40 points measured now; 40 of 40 are there")
		want := g.merged(pool)

		for _, index := range []string{"2", "0", "1"} {
			g.ok("sweep", "shard", shards, "--index", index, "--of", "3")
		}
		require.Equal(t, want, g.merged(shards))

		require.Empty(
			t, ended(t, sbatch(t, g.ok("sweep", "slurm", slurm, "--tasks", "7", "--at-once", "2", "--option=--time=10"))),
		)
		require.Equal(t, 40, finished(t, slurm))
		require.Equal(t, want, g.merged(slurm))
		require.Empty(t, g.ok("sweep", "slurm", slurm))

		job := sbatch(t, g.ok("sweep", "slurm", killed, "--tasks", "2"))
		require.Eventually(t, func() bool { return finished(t, killed) >= 3 }, time.Minute, 10*time.Millisecond)
		out, err := exec.CommandContext(t.Context(), "scancel", "--signal=KILL", "--full", job+"_1").CombinedOutput()
		require.NoError(t, err, string(out))
		ended(t, job)
		left := 40 - finished(t, killed)
		t.Logf("%s: %d points were left when task 1 was killed", name, left)
		require.Greater(t, left, 0, "the task was killed too late")
		require.GreaterOrEqual(t, finished(t, killed), 20, "the other task was killed, too")
		require.Empty(t, ended(t, sbatch(t, g.ok("sweep", "slurm", killed, "--tasks", "4"))))
		require.Equal(t, want, g.merged(killed))
	}

	failing := filepath.Join(root, "failing")
	g.ok(
		"sweep", "plan", "rifl", "sweep", "--runs", "1", "--errors", "100", "--frames", "100000", "--ber", "1e-6",
		"--metres", "500", "--vary", "ids=5,10,11,12", "--seeds", "3", "--dir", failing,
	)
	require.Equal(t, []string{"1:0", "1:0", "1:0"}, ended(t, sbatch(t, g.ok("sweep", "slurm", failing))))
	out, code := g.run("sweep", "status", failing)
	require.Equal(t, 1, code)
	require.Contains(t, out, "12 of 12 are there")
	for _, seed := range []string{"1", "2", "3"} {
		require.Equal(t, 1, strings.Count(out, "--ids 5 --seed "+seed+"\n"))
	}
	require.Equal(t, 3, strings.Count(out, "FAILED: "))
	require.Empty(t, g.ok("sweep", "slurm", failing), "nothing is tried again")
}
