package sweep_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/goldwire/goldwire/internal/sweep"
)

// odd is a name that a shell, Slurm and YAML would each take apart.
const odd = `a 'b' "c" $HOME $(date) #%j: &`

// The script is run by a real shell, for each task: program, directory and points arrive as they are, and each point
// once.
func TestSlurmScriptUnderAShell(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("the Slurm script was NOT run: bash is not installed")
	}
	s, err := sweep.New(plan(), dice)
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), odd)
	require.NoError(t, os.Mkdir(dir, 0o755))
	program := filepath.Join(dir, "gold\nwire")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\nprintf '%s\\n' \"$@\"\n"), 0o755))
	store := sweep.Store{Dir: dir}
	run(t, s, store, sweep.Options{Workers: 8, Points: map[int]bool{0: true, 39: true}})
	var script bytes.Buffer
	n, err := s.Slurm(&script, store, sweep.Slurm{Program: program, Tasks: 7, AtOnce: 3, CPUs: 2,
		Options: []string{"--comment=$(date) it's"}})
	require.NoError(t, err)
	require.Equal(t, 38, n)
	require.Contains(t, script.String(), "\n#SBATCH --array=0-6%3\n")
	require.Contains(t, script.String(), "\n#SBATCH --comment=$(date) it's\n")
	quoted := strings.ReplaceAll(strings.ReplaceAll(dir, "'", `'\''`), "%", "%%")
	require.Contains(t, script.String(), "\n#SBATCH --output='"+quoted+"/slurm-%A_%a.out'\n")
	seen := map[int]bool{}
	for task := range 7 {
		cmd := exec.CommandContext(t.Context(), shell, "-s")
		cmd.Stdin = bytes.NewReader(script.Bytes())
		cmd.Env = append(os.Environ(), "SLURM_ARRAY_TASK_ID="+strconv.Itoa(task))
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		args := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
		require.Len(t, args, 7)
		require.Equal(t, []string{"sweep", "shard", dir, "--workers", "2", "--points"}, args[:6])
		numbers, err := sweep.ParseNumbers(args[6])
		require.NoError(t, err)
		for _, n := range numbers {
			require.False(t, seen[n], "point %d is in two tasks", n)
			seen[n] = true
		}
	}
	require.Len(t, seen, 38)
	require.False(t, seen[0] || seen[39], "these are measured")
}

func TestSlurmOptionsThatAreRefused(t *testing.T) {
	s, store := open(t, small())
	good := sweep.Slurm{Program: "goldwire", Tasks: 1, CPUs: 1}
	for want, change := range map[string]func(o *sweep.Slurm){
		"--tasks 0":        func(o *sweep.Slurm) { o.Tasks = 0 },
		"--tasks 100001":   func(o *sweep.Slurm) { o.Tasks = 100_001 },
		"--at-once -1":     func(o *sweep.Slurm) { o.AtOnce = -1 },
		"--cpus 0":         func(o *sweep.Slurm) { o.CPUs = 0 },
		`--option "long"`:  func(o *sweep.Slurm) { o.Options = []string{"long"} },
		`--option "-p x\n`: func(o *sweep.Slurm) { o.Options = []string{"-p x\nrm -r ."} },
	} {
		o := good
		change(&o)
		var b bytes.Buffer
		_, err := s.Slurm(&b, store, o)
		require.ErrorContains(t, err, want)
		require.Zero(t, b.Len())
	}
	for _, dir := range []string{"a\nb", "a\rb", `a\b`} {
		_, err := s.Slurm(&bytes.Buffer{}, sweep.Store{Dir: filepath.Join(store.Dir, dir)}, good)
		require.ErrorContains(t, err, "a script cannot name this directory")
	}
}

type manifest struct {
	Metadata struct{ Name string }
	Spec     struct {
		CompletionMode       string `yaml:"completionMode"`
		Completions          int
		Parallelism          int
		BackoffLimitPerIndex int `yaml:"backoffLimitPerIndex"`
		PodFailurePolicy     struct {
			Rules []struct {
				Action      string
				OnExitCodes struct {
					Operator string
					Values   []int
				} `yaml:"onExitCodes"`
			}
		} `yaml:"podFailurePolicy"`
		Template struct {
			Spec struct {
				RestartPolicy string `yaml:"restartPolicy"`
				Containers    []struct {
					Image        string
					Args         []string
					VolumeMounts []struct {
						SubPath string `yaml:"subPath"`
					} `yaml:"volumeMounts"`
				}
			}
		}
	}
}

// The manifest is read as YAML; its indexes together measure the missing points, each once. A failed check ends an
// index.
func TestKubernetesManifest(t *testing.T) {
	s, store := open(t, plan())
	run(t, s, store, sweep.Options{Workers: 8, Points: map[int]bool{3: true}})
	of := func(s *sweep.Sweep, store sweep.Store) (m manifest) {
		t.Helper()
		var b bytes.Buffer
		_, err := s.Kubernetes(&b, store, sweep.Kubernetes{Image: `x"$(y)'z`, Claim: "claim", Folder: odd + "\n/b",
			Pods: 50, AtOnce: 100, CPUs: 1, Tries: 2})
		require.NoError(t, err)
		require.NoError(t, yaml.Unmarshal(b.Bytes(), &m), b.String())
		return m
	}
	m := of(s, store)
	require.Equal(t, "Indexed", m.Spec.CompletionMode)
	require.Equal(t, []int{39, 39, 2}, []int{m.Spec.Completions, m.Spec.Parallelism, m.Spec.BackoffLimitPerIndex})
	require.Len(t, m.Spec.PodFailurePolicy.Rules, 2)
	require.Equal(t, "FailIndex", m.Spec.PodFailurePolicy.Rules[1].Action)
	require.Equal(t, "In", m.Spec.PodFailurePolicy.Rules[1].OnExitCodes.Operator)
	require.Equal(t, []int{1, 2}, m.Spec.PodFailurePolicy.Rules[1].OnExitCodes.Values)
	require.Equal(t, "Never", m.Spec.Template.Spec.RestartPolicy)
	c := m.Spec.Template.Spec.Containers[0]
	require.Equal(t, `x"$(y)'z`, c.Image)
	require.Equal(t, odd+"\n/b", c.VolumeMounts[0].SubPath)
	require.Equal(t, []string{"sweep", "shard", "/sweep", "--index", "$(JOB_COMPLETION_INDEX)", "--of", "39",
		"--workers", "1", "--points", "0-2,4-39"}, c.Args)
	numbers, err := sweep.ParseNumbers(c.Args[len(c.Args)-1])
	require.NoError(t, err)
	seen := map[int]bool{}
	for i := range m.Spec.Completions {
		for n := range (sweep.Share{Index: i, Of: m.Spec.Completions}).Among(numbers) {
			require.False(t, seen[n])
			seen[n] = true
		}
	}
	require.Len(t, seen, 39)

	// a name of Kubernetes, and another one where any point is another
	require.Regexp(t, regexp.MustCompile(`^goldwire-test-dice-[0-9a-f]{8}$`), m.Metadata.Name)
	require.Equal(t, m.Metadata.Name, of(s, store).Metadata.Name)
	p := plan()
	p.Vary[1].Values[1] = "1000"
	other, err := sweep.New(p, dice)
	require.NoError(t, err)
	require.NotEqual(t, m.Metadata.Name, of(other, store).Metadata.Name, "the first point and the numbers are the same")
}

func TestKubernetesOptionsThatAreRefused(t *testing.T) {
	s, store := open(t, small())
	for want, change := range map[string]func(o *sweep.Kubernetes){
		"--image":   func(o *sweep.Kubernetes) { o.Image = "a b" },
		"--claim":   func(o *sweep.Kubernetes) { o.Claim = "a\nb" },
		"--folder":  func(o *sweep.Kubernetes) { o.Folder = "a/../../b" },
		"--pods":    func(o *sweep.Kubernetes) { o.Pods = 0 },
		"--at-once": func(o *sweep.Kubernetes) { o.AtOnce = 0 },
		"--cpus":    func(o *sweep.Kubernetes) { o.CPUs = 1025 },
		"--memory":  func(o *sweep.Kubernetes) { o.Memory = "-1Gi" },
		"--tries":   func(o *sweep.Kubernetes) { o.Tries = -1 },
	} {
		o := sweep.Kubernetes{Image: "x", Claim: "y", Pods: 1, AtOnce: 1, CPUs: 1}
		change(&o)
		var b bytes.Buffer
		_, err := s.Kubernetes(&b, store, o)
		require.ErrorContains(t, err, want)
		require.Zero(t, b.Len())
	}
	o := sweep.Kubernetes{Image: "x", Claim: "y", Folder: "/a", Pods: 1, AtOnce: 1, CPUs: 1}
	_, err := s.Kubernetes(&bytes.Buffer{}, store, o)
	require.ErrorContains(t, err, `--folder "/a": want a path within the claim`)
}

func TestShares(t *testing.T) {
	for _, bad := range []sweep.Share{{0, 0}, {-1, 2}, {2, 2}, {0, 100_001}} {
		require.ErrorContains(t, bad.Check(), fmt.Sprintf("share %d of %d", bad.Index, bad.Of))
	}
	for _, good := range []sweep.Share{{0, 1}, {1, 2}, {99_999, 100_000}} {
		require.NoError(t, good.Check())
	}
	s, store := open(t, small())
	_, err := s.Run(t.Context(), store, sweep.Options{Points: map[int]bool{2: true, 4: true, 3: true}})
	require.EqualError(t, err, "point 4: the plan has points 0 to 3")
	require.Empty(t, results(t, store))
}
