package sweep

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/goldwire/goldwire/internal/program"
)

// Kubernetes is what a job shall look like.
type Kubernetes struct {
	Image  string // with the command goldwire as its entry point; see [ImageRecipe]
	Claim  string // the PersistentVolumeClaim that has the sweep's directory
	Folder string // of the claim that is the sweep's directory; empty: the claim's root
	Pods   int    // the greatest number of indexes
	AtOnce int    // the greatest number of pods at a time
	CPUs   int    // of each pod
	Memory string // of each pod, "512Mi" say; empty: nothing is asked for
	Tries  int    // how often an index is tried again that was neither done nor failed a check: killed, out of memory
}

// ImageRecipe builds an image that has the command and nothing else.
//
//go:embed Containerfile
var ImageRecipe string

// notLabel is what a name of Kubernetes does not have.
var notLabel = regexp.MustCompile(`[^a-z0-9]+`)

// label is a program's name as Kubernetes takes it: small letters, digits and -, 20 characters at most.
func label(name string) string {
	l := strings.Trim(notLabel.ReplaceAllString(strings.ToLower(name), "-"), "-")
	return strings.Trim(cmp.Or(l[:min(len(l), 20)], "sweep"), "-")
}

// mountedAt is where a pod has the sweep's directory.
const mountedAt = "/sweep"

var (
	validClaim  = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$`)
	validMemory = regexp.MustCompile(`^[0-9]{1,12}(Ki|Mi|Gi|Ti|k|M|G|T)?$`)
)

func (o *Kubernetes) check() error {
	switch {
	case o.Image == "" || strings.ContainsAny(o.Image, " \t\r\n"):
		return fmt.Errorf("--image %q: want the name of an image", o.Image)
	case !validClaim.MatchString(o.Claim):
		return fmt.Errorf("--claim %q: want the name of a PersistentVolumeClaim", o.Claim)
	case path.IsAbs(o.Folder) || strings.HasPrefix(path.Clean("x/"+o.Folder), "..") ||
		strings.Contains("/"+o.Folder+"/", "/../"):
		return fmt.Errorf("--folder %q: want a path within the claim", o.Folder)
	case o.Pods < 1 || o.Pods > mostPoints:
		return fmt.Errorf("--pods %d: want 1 to %d", o.Pods, mostPoints)
	case o.AtOnce < 1 || o.AtOnce > mostPoints:
		return fmt.Errorf("--at-once %d: want 1 to %d", o.AtOnce, mostPoints)
	case o.CPUs < 1 || o.CPUs > mostCPUs:
		return fmt.Errorf("--cpus %d: want 1 to %d", o.CPUs, mostCPUs)
	case o.Memory != "" && !validMemory.MatchString(o.Memory):
		return fmt.Errorf("--memory %q: want a quantity, 512Mi say", o.Memory)
	case o.Tries < 0 || o.Tries > 100:
		return fmt.Errorf("--tries %d: want 0 to 100", o.Tries)
	}
	return nil
}

// Kubernetes writes the manifest of an Indexed Job for the missing points, and returns how many points are missing.
// Exit codes 1, a failed check, and 2, a point that cannot be run, end an index at once; whatever else ends a pod is
// tried again. A pod that its node lost does not count as a try.
func (s *Sweep) Kubernetes(w io.Writer, store Store, o Kubernetes) (missing int, err error) {
	if err := o.check(); err != nil {
		return 0, err
	}
	points, err := s.Missing(store, Options{})
	if err != nil || len(points) == 0 {
		return 0, err
	}
	numbers := numbersOf(points)
	n := min(o.Pods, len(points))
	// a job's spec cannot be changed, so jobs for different points have different names
	h := sha256.New()
	for _, pt := range points {
		io.WriteString(h, pt.Key)
	}
	name := label(program.Name()) + "-" + strings.ReplaceAll(s.Experiment, "/", "-")
	name = strings.Trim(strings.ReplaceAll(name[:min(len(name), 50)], "_", "-"), "-") + "-" +
		hex.EncodeToString(h.Sum(nil)[:4])
	args := append([]string{"sweep", "shard", mountedAt, "--index", "$(JOB_COMPLETION_INDEX)", "--of", strconv.Itoa(n),
		"--workers", strconv.Itoa(o.CPUs)},
		pointsArguments(numbers)...)
	container := label(program.Name())
	requests := object{{"cpu", strconv.Itoa(o.CPUs)}}
	if o.Memory != "" {
		requests = append(requests, member{"memory", o.Memory})
	}
	mount := object{{"name", "sweep"}, {"mountPath", mountedAt}}
	if o.Folder != "" {
		mount = append(mount, member{"subPath", path.Clean(o.Folder)})
	}
	job := object{
		{"apiVersion", "batch/v1"},
		{"kind", "Job"},
		{"metadata", object{{"name", name}}},
		{"spec", object{
			{"completionMode", "Indexed"},
			{"completions", n},
			{"parallelism", min(o.AtOnce, n)},
			{"backoffLimitPerIndex", o.Tries},
			{"podFailurePolicy", object{{"rules", []object{
				{{"action", "Ignore"}, {"onPodConditions", []object{{{"type", "DisruptionTarget"}, {"status", "True"}}}}},
				{
					{"action", "FailIndex"},
					{"onExitCodes", object{{"containerName", container}, {"operator", "In"}, {"values", []int{1, 2}}}},
				},
			}}}},
			{"template", object{{"spec", object{
				{"restartPolicy", "Never"},
				{"automountServiceAccountToken", false},
				{"containers", []object{{
					{"name", container},
					{"image", o.Image},
					{"args", args},
					{"resources", object{{"requests", requests}}},
					{"securityContext", object{{"allowPrivilegeEscalation", false}, {"readOnlyRootFilesystem", true},
						{"capabilities", object{{"drop", []string{"ALL"}}}}}},
					{"volumeMounts", []object{mount}},
				}}},
				{"volumes", []object{{{"name", "sweep"}, {"persistentVolumeClaim", object{{"claimName", o.Claim}}}}}},
			}}}},
		}},
	}
	if _, err := fmt.Fprintf(w, "# %s: %d points that are missing. A failed check is never retried.\n", s.Experiment,
		len(points)); err != nil {
		return 0, err
	}
	e := yaml.NewEncoder(w)
	e.SetIndent(2)
	if err := e.Encode(job); err != nil {
		return 0, err
	}
	return len(points), e.Close()
}

// object is a YAML mapping in the order in which it is written.
type object []member

type member struct {
	name  string
	value any
}

// MarshalYAML implements [yaml.Marshaler].
func (o object) MarshalYAML() (any, error) {
	node := &yaml.Node{Kind: yaml.MappingNode}
	for _, m := range o {
		var value yaml.Node
		if err := value.Encode(m.value); err != nil {
			return nil, err
		}
		node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: m.name}, &value)
	}
	return node, nil
}
