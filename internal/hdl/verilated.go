package hdl

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/goldwire/goldwire/internal/input"
	"github.com/goldwire/goldwire/internal/verilator"
)

// Verilated is the C++ that Verilator wrote into the directory Obj, to be linked to a program.
type Verilated struct {
	Top      string   // the top module
	Obj      string   // Verilator's --Mdir
	First    []string // C++ files that stand before Verilator's own
	More     []string // and the arguments after them
	Optimise string   // of this C++: "-O2"
	// this C++ is for this machine's processor only: the program is not kept, as other machines may share the cache
	Native    bool
	Libraries []string // given to the linker: "libgoldwire.a", "-lpthread"
}

// Build compiles the C++ and links it with Verilator's runtime to the program. The same C++ is not compiled twice:
// programs are kept in the user's cache by their sources and options. The runtime is compiled once a machine: with the
// design's own C++ it would be nine tenths of the work. Run runs the compiler's command; nil runs it as it is.
func (v Verilated) Build(
	ctx context.Context, program string, run func(ctx context.Context, command []string) error,
) error {
	runtime, err := theRuntime()
	if err != nil {
		return err
	}
	if run == nil {
		run = func(ctx context.Context, command []string) error { return compile(ctx, v.Top, v.Obj, command) }
	}
	key, err := v.key(runtime)
	if err != nil {
		return err
	}
	kept := keptPrograms(runtime)
	if v.Native {
		kept.dir = ""
	}
	if kept.take(key, program) {
		return nil
	}
	command, err := v.command(ctx, runtime, program)
	if err != nil {
		return err
	}
	if err := run(ctx, command); err != nil {
		return err
	}
	kept.add(key, program)
	return nil
}

// command returns the command that compiles the program.
func (v Verilated) command(ctx context.Context, runtime *runtimeSources, program string) ([]string, error) {
	// all of Verilator's files in one, as its own makefiles do: they share their headers
	files, err := filepath.Glob(filepath.Join(v.Obj, "*.cpp"))
	if err != nil {
		return nil, err
	}
	for i := range files {
		files[i] = filepath.Base(files[i]) // all.cc lies beside them
	}
	first, err := absolute(v.First)
	if err != nil {
		return nil, err
	}
	more, err := absolute(v.More)
	if err != nil {
		return nil, err
	}
	files = slices.Concat(first, files, more)
	// Code that runs once, at the start, comes last and is not optimised: it is as long as the rest.
	var often, once strings.Builder
	for _, f := range files {
		if strings.HasSuffix(f, "__Slow.cpp") {
			fmt.Fprintf(&once, "#include \"%s\"\n", f)
		} else {
			fmt.Fprintf(&often, "#include \"%s\"\n", f)
		}
	}
	source := filepath.Join(v.Obj, "all.cc")
	if err := os.WriteFile(source, []byte(often.String()+"#pragma GCC optimize(\"O0\")\n"+once.String()),
		0o644); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(v.classes())
	if err != nil {
		return nil, err
	}
	classes, err := verilator.ReadClasses(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", v.classes(), err)
	}
	objects, err := runtime.objects(ctx, classes.Runtime)
	if err != nil {
		return nil, err
	}
	command := append([]string{"g++", v.Optimise}, runtimeFlags...)
	if v.Native {
		command = append(command, "-march=native")
	}
	if classes.Trace {
		command = append(command, "-DVM_TRACE=1", "-DVM_TRACE_VCD=1")
	}
	command = append(command, runtime.includes()...)
	command = append(command, "-I"+v.Obj, "-o", program, source)
	return append(append(append(command, objects...), v.Libraries...), "-lpthread"), nil
}

func absolute(files []string) ([]string, error) {
	names := make([]string, len(files))
	for i, f := range files {
		var err error
		if names[i], err = filepath.Abs(f); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// classes is the makefile in which Verilator says what of its own it needs.
func (v Verilated) classes() string { return filepath.Join(v.Obj, "V"+v.Top+"_classes.mk") }

// key is the checksum of the program's sources and options, and of nothing else: not of the folders that it lies in.
func (v Verilated) key(runtime *runtimeSources) (string, error) {
	files := []string{v.classes()}
	for _, pattern := range []string{"*.cpp", "*.h"} {
		found, err := filepath.Glob(filepath.Join(v.Obj, pattern))
		if err != nil {
			return "", err
		}
		files = append(files, found...)
	}
	sum := sha256.New()
	fmt.Fprintln(sum, runtime.key, v.Top, v.Optimise)
	for _, f := range slices.Concat(files, v.First, v.More, v.Libraries) {
		if strings.HasPrefix(f, "-") { // a linker's option
			fmt.Fprintln(sum, f)
			continue
		}
		text, err := input.Read(f, input.MostCapture)
		if err != nil {
			return "", err
		}
		text = bytes.ReplaceAll(text, []byte(v.Obj), nil) // in messages of RTL that lies there
		fmt.Fprintln(sum, filepath.Base(f), len(text))
		sum.Write(text)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}

// runtimeSources are Verilator's own sources, and where their objects lie.
type runtimeSources struct {
	include string
	key     string // of versions and flags

	mu     sync.Mutex
	dir    string
	cached bool                     // dir outlives the process
	parts  map[string]chan struct{} // holds a token while somebody compiles the part
}

// runtimeFlags are what design and runtime have to be compiled with alike.
var runtimeFlags = []string{"-w", "-DVL_TIME_CONTEXT", "-fcoroutines"}

// runtimeOptimise is for all programs: long runs spend little of their time in the runtime.
const runtimeOptimise = "-O1"

var runtimes sync.Map // func() (*runtimeSources, error), by the tool

// theRuntime belongs to the Verilator on PATH.
func theRuntime() (*runtimeSources, error) {
	tool, err := verilator.Known()
	if err != nil {
		return nil, err
	}
	made, _ := runtimes.LoadOrStore(tool, sync.OnceValues(func() (*runtimeSources, error) { return newRuntime(tool) }))
	return made.(func() (*runtimeSources, error))()
}

func newRuntime(tool *verilator.Tool) (*runtimeSources, error) {
	r := &runtimeSources{include: tool.Include(), parts: map[string]chan struct{}{}}
	compiler, err := exec.Command("g++", "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("g++ --version: %w", err)
	}
	key := sha256.Sum256(fmt.Appendln(nil, r.include, tool.ID, string(compiler), runtimeOptimise, runtimeFlags))
	r.key = fmt.Sprintf("%x", key[:8])
	if base, err := os.UserCacheDir(); err == nil {
		r.dir = filepath.Join(base, "goldwire", "verilated-"+r.key)
		r.cached = os.MkdirAll(r.dir, 0o755) == nil
	}
	if !r.cached {
		r.dir, err = os.MkdirTemp("", "goldwire-verilated-")
	}
	return r, err
}

func (r *runtimeSources) includes() []string {
	return []string{"-I" + r.include, "-I" + filepath.Join(r.include, "vltstd")}
}

// objects returns the object files of the parts.
func (r *runtimeSources) objects(ctx context.Context, parts []string) ([]string, error) {
	var objects []string
	for _, part := range parts {
		object := filepath.Join(r.dir, part+".o")
		r.mu.Lock()
		one, ok := r.parts[part]
		if !ok {
			one = make(chan struct{}, 1)
			r.parts[part] = one
		}
		r.mu.Unlock()
		select { // the first caller compiles for all others; if it is stopped the next one does
		case one <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		err := r.compile(ctx, part, object)
		<-one
		if err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
	return objects, nil
}

// compile makes an object file, unless there is one. Processes may do it at the same time: each renames its own.
func (r *runtimeSources) compile(ctx context.Context, part, object string) error {
	if _, err := os.Stat(object); err == nil {
		return nil
	}
	temp, err := os.MkdirTemp(r.dir, "new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	fresh := filepath.Join(temp, part+".o")
	command := append([]string{"g++", runtimeOptimise}, runtimeFlags...)
	command = append(append(command, r.includes()...), "-c", "-o", fresh, filepath.Join(r.include, part+".cpp"))
	if err := compile(ctx, "Verilator's "+part+".cpp", temp, command); err != nil {
		return err
	}
	return os.Rename(fresh, object)
}

// RemoveRuntime removes what all builds of this process share, if the user has no cache directory for it. A program
// calls it once, at its end.
func RemoveRuntime() {
	for _, made := range runtimes.Range {
		if r, err := made.(func() (*runtimeSources, error))(); err == nil && !r.cached {
			os.RemoveAll(r.dir)
		}
	}
}
