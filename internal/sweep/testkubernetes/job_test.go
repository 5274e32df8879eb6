//go:build linux

package testkubernetes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/batch"
	_ "k8s.io/kubernetes/pkg/apis/batch/install" // its versions, defaults and conversions
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	jobcontroller "k8s.io/kubernetes/pkg/controller/job"
	jobregistry "k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/third_party/forked/golang/expansion"
	"sigs.k8s.io/yaml"
)

const namespace = "default"

// goldwire builds the command without a C library, as the image's recipe says.
func goldwire(t *testing.T) func(args ...string) (string, error) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "goldwire")
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", program, "./cmd/goldwire")
	build.Dir = "../../.."
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return func(args ...string) (string, error) {
		if args[0] == "path" {
			return program, nil
		}
		out, err := exec.CommandContext(t.Context(), program, args...).Output()
		t.Logf("goldwire %s: %v\n%s", strings.Join(args, " "), err, out[:min(len(out), 3000)])
		return string(out), err
	}
}

func must(t *testing.T, run func(args ...string) (string, error), args ...string) string {
	t.Helper()
	out, err := run(args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// accept does with a manifest what the API server does when a job is created.
func accept(text string) (*batchv1.Job, error) {
	var job batchv1.Job
	if err := yaml.UnmarshalStrict([]byte(text), &job); err != nil {
		return nil, err
	}
	job.Namespace, job.UID = namespace, "7c1a"
	legacyscheme.Scheme.Default(&job)
	var internal batch.Job
	if err := legacyscheme.Scheme.Convert(&job, &internal, nil); err != nil {
		return nil, err
	}
	ctx := context.Background()
	jobregistry.Strategy.PrepareForCreate(ctx, &internal)
	if faults := jobregistry.Strategy.Validate(ctx, &internal); len(faults) > 0 {
		return nil, faults.ToAggregate()
	}
	if warnings := jobregistry.Strategy.WarningsOnCreate(ctx, &internal); len(warnings) > 0 {
		return nil, errors.New(strings.Join(warnings, "; "))
	}
	var created batchv1.Job
	if err := legacyscheme.Scheme.Convert(&internal, &created, nil); err != nil {
		return nil, err
	}
	return &created, nil
}

// Kubernetes accepts the manifests without a warning; the check refuses wrong ones.
func TestManifestsAreValid(t *testing.T) {
	run := goldwire(t)
	dir := t.TempDir()
	must(t, run, "sweep", "plan", "edm", "latency", "--vary", "bytes=1..40", "--seeds", "500", "--dir", dir)
	for _, args := range [][]string{
		{"--pods", "1"},
		{"--pods", "40", "--at-once", "7", "--tries", "0", "--memory", "512Mi", "--cpus", "2", "--folder", "a/b"},
		{"--pods", "20000", "--at-once", "100000"},
	} {
		job, err := accept(must(t, run, append([]string{"sweep", "kubernetes", dir, "--image",
			"registry.example/goldwire:1", "--claim", "sweeps"}, args...)...))
		if err != nil {
			t.Fatal(args, err)
		}
		if want, _ := strconv.Atoi(args[1]); int(*job.Spec.Completions) != want {
			t.Fatalf("%v: %d completions", args, *job.Spec.Completions)
		}
	}
	text := must(t, run, "sweep", "kubernetes", dir, "--image", "x", "--claim", "y", "--pods", "20000")
	for old, wrong := range map[string]string{
		"backoffLimitPerIndex":                           "backoffLimitPerIndexes",
		"completionMode: Indexed":                        "completionMode: NonIndexed",
		"            - 2\n":                              "            - 0\n",
		"operator: In":                                   "operator: Within",
		"containerName: goldwire":                        "containerName: silver",
		"completions: 20000\n":                           "completions: 100001\n",
		"restartPolicy: Never":                           "restartPolicy: OnFailure",
		"- name: sweep\n          persistentVolumeClaim": "- name: other\n          persistentVolumeClaim",
	} {
		if !strings.Contains(text, old) {
			t.Fatalf("the manifest has no %q", old)
		}
		if _, err := accept(strings.Replace(text, old, wrong, 1)); err == nil {
			t.Errorf("%q is accepted in place of %q", wrong, old)
		} else {
			t.Log(err)
		}
	}
}

// kubelet runs pods as processes of this machine.
type kubelet struct {
	t       *testing.T
	client  *fake.Clientset
	program string
	dir     string // of the sweep; pods have it at /sweep
	unlucky int    // the first pod of this index is lost with its node, the second is killed

	mu   sync.Mutex
	pods map[int]int // by index
}

// start runs a pod to its end and tells the controller.
func (k *kubelet) start(pod *corev1.Pod) {
	index, err := strconv.Atoi(pod.Annotations[batchv1.JobCompletionIndexAnnotation])
	if err != nil {
		k.t.Errorf("pod %s has no index: %v", pod.Name, err)
		return
	}
	k.mu.Lock()
	k.pods[index]++
	attempt := k.pods[index]
	k.mu.Unlock()
	c := pod.Spec.Containers[0]
	env := map[string]string{}
	for _, v := range c.Env {
		env[v.Name] = v.Value
		if v.ValueFrom != nil { // the only one that Kubernetes adds: the index
			env[v.Name] = pod.Labels[batchv1.JobCompletionIndexAnnotation]
		}
	}
	var args []string
	for _, a := range c.Args {
		a = expansion.Expand(a, expansion.MappingFuncFor(env))
		if a == c.VolumeMounts[0].MountPath {
			a = k.dir
		}
		args = append(args, a)
	}
	cmd := exec.Command(k.program, args...)
	status := corev1.PodStatus{Phase: corev1.PodSucceeded}
	err = cmd.Start()
	lost := index == k.unlucky && attempt == 1
	if lost || index == k.unlucky && attempt == 2 {
		err = errors.Join(err, cmd.Process.Signal(syscall.SIGKILL))
	}
	if err != nil {
		k.t.Error(err)
		return
	}
	_ = cmd.Wait() // its exit code counts
	code := int32(cmd.ProcessState.ExitCode())
	if code < 0 {
		code = 137 // 128 and SIGKILL, as runtimes have it
	}
	if code != 0 {
		status.Phase = corev1.PodFailed
	}
	if lost {
		status.Conditions = []corev1.PodCondition{{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue,
			Reason: "DeletionByTaintManager"}}
	}
	status.ContainerStatuses = []corev1.ContainerStatus{{Name: c.Name,
		State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code, FinishedAt: metav1.Now()}}}}
	k.t.Logf("index %d, pod %d: exit code %d", index, attempt, code)
	ctx := context.Background()
	now, err := k.client.CoreV1().Pods(namespace).Get(ctx, pod.Name, metav1.GetOptions{})
	if err != nil {
		k.t.Error(err)
		return
	}
	now.Status = status
	if _, err := k.client.CoreV1().Pods(namespace).UpdateStatus(ctx, now, metav1.UpdateOptions{}); err != nil {
		k.t.Error(err)
	}
}

// Kubernetes' own Job controller runs a sweep: a failed check ends its index with one pod, a pod that is killed is
// tried again once, a pod lost with its node is not counted, and the merged bytes equal the local pool's.
func TestTheJobController(t *testing.T) {
	run := goldwire(t)
	program, _ := run("path")
	pool, dir := filepath.Join(t.TempDir(), "pool"), filepath.Join(t.TempDir(), "pods")
	plan := []string{"sweep", "plan", "rifl", "sweep", "--runs", "1", "--errors", "100", "--frames", "100000", "--ber",
		"1e-6", "--metres", "500",
		"--vary", "ids=5,11,12", "--seeds", "2"}
	for _, d := range []string{pool, dir} {
		must(t, run, append(plan, "--dir", d)...)
	}
	const tries = 1
	job, err := accept(must(t, run, "sweep", "kubernetes", dir, "--image", "registry.example/goldwire", "--claim",
		"sweeps", "--tries", strconv.Itoa(tries), "--at-once", "3"))
	if err != nil {
		t.Fatal(err)
	}

	client := fake.NewClientset()
	pods := 0
	var mu sync.Mutex
	client.PrependReactor("create", "pods", func(action clienttesting.Action) (bool, runtime.Object, error) {
		pod := action.(clienttesting.CreateAction).GetObject().(*corev1.Pod)
		mu.Lock()
		defer mu.Unlock()
		pods++ // what the API server fills in
		pod.Name, pod.UID = fmt.Sprintf("%s%d", pod.GenerateName, pods), types.UID(strconv.Itoa(pods))
		pod.CreationTimestamp, pod.Status.Phase = metav1.Now(), corev1.PodPending
		return false, nil, nil
	})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	factory := informers.NewSharedInformerFactory(client, 0)
	controller, err := jobcontroller.NewController(ctx, client, factory.Core().V1().Pods(), factory.Batch().V1().Jobs(),
		factory.Scheduling().V1alpha2().Workloads(), factory.Scheduling().V1alpha2().PodGroups())
	if err != nil {
		t.Fatal(err)
	}
	k := &kubelet{t: t, client: client, program: program, dir: dir, unlucky: 1, pods: map[int]int{}}
	var running sync.WaitGroup
	if _, err := factory.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) { running.Go(func() { k.start(object.(*corev1.Pod)) }) }}); err != nil {
		t.Fatal(err)
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	var ended sync.WaitGroup
	ended.Go(func() { controller.Run(ctx, 1) })
	if _, err := client.BatchV1().Jobs(namespace).Create(ctx, job, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	var now *batchv1.Job
	for finished := false; !finished; {
		select {
		case <-ctx.Done():
			t.Fatalf("the job does not end: %+v", now.Status)
		case <-time.After(100 * time.Millisecond):
		}
		if now, err = client.BatchV1().Jobs(namespace).Get(ctx, job.Name, metav1.GetOptions{}); err != nil {
			t.Fatal(err)
		}
		for _, c := range now.Status.Conditions {
			finished = finished || (c.Type == batchv1.JobFailed || c.Type == batchv1.JobComplete) &&
				c.Status == corev1.ConditionTrue
		}
	}
	running.Wait()
	cancel()
	ended.Wait()

	// points 0 and 3 have too few frame IDs
	t.Logf("%+v", now.Status)
	if now.Status.FailedIndexes == nil || *now.Status.FailedIndexes != "0,3" || now.Status.CompletedIndexes != "1,2,4,5" {
		t.Errorf("failed: %v, completed: %s", now.Status.FailedIndexes, now.Status.CompletedIndexes)
	}
	for index, want := range []int{1, 3, 1, 1, 1, 1} { // index 1 was lost, killed, and then done
		if k.pods[index] != want {
			t.Errorf("index %d: %d pods, want %d", index, k.pods[index], want)
		}
	}
	must(t, func(args ...string) (string, error) {
		out, err := run(args...)
		if err == nil {
			return out, errors.New("two points fail, and the exit code is 0")
		}
		return out, nil
	}, "sweep", "run", pool)
	var merged []string
	for _, d := range []string{pool, dir} {
		out, err := run("sweep", "merge", d)
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 || strings.Count(string(exit.Stderr), "FAILED: ") != 2 {
			t.Errorf("the merge ends with %v", err)
		}
		merged = append(merged, out)
	}
	if merged[0] != merged[1] || len(merged[0]) < 1000 {
		t.Errorf("the pods came to other bytes than the local pool")
	}
	if left := must(t, run, "sweep", "kubernetes", dir, "--image", "x", "--claim", "y"); left != "" {
		t.Errorf("a job for nothing: %s", left)
	}
}

// The image's recipe copies one file into nothing; that file runs in an empty root.
func TestTheProgramRunsInAnEmptyRoot(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("the program was NOT run in an empty root: only root can change it")
	}
	run := goldwire(t)
	program, _ := run("path")
	root := t.TempDir()
	data, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "goldwire"), data, 0o755); err != nil {
		t.Fatal(err)
	}
	must(t, run, "sweep", "plan", "edm", "latency", "--phases", "0", "--vary", "bytes=64,128", "--dir",
		filepath.Join(root, "sweep"))
	if err := filepath.WalkDir(filepath.Join(root, "sweep"),
		func(path string, _ os.DirEntry, err error) error { return errors.Join(err, os.Chmod(path, 0o777)) }); err != nil {
		t.Fatal(err)
	}
	proc := filepath.Join(root, "proc") // every container has one
	if err := errors.Join(os.Mkdir(proc, 0o755), syscall.Mount("proc", proc, "proc", syscall.MS_RDONLY, "")); err != nil {
		t.Skipf("the program was NOT run in an empty root: %v", err)
	}
	defer func() {
		if err := syscall.Unmount(proc, 0); err != nil {
			t.Error(err)
		}
	}()
	cmd := exec.CommandContext(t.Context(), "/goldwire", "sweep", "shard", "/sweep", "--index", "0", "--of", "1")
	cmd.Dir, cmd.Env = "/", []string{}
	// as the recipe's USER
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "2 points measured now; 2 of 2 are there") {
		t.Fatalf("%v: %s", err, out)
	}
}
