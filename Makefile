# Cargo builds everything (`cargo build --release`). This is for OpenBench, which calls
# `make -j EXE=name [EVALFILE=/path/to/network]` in an unpacked archive and then runs ./name: the
# first target has to build it. EVALFILE reaches build.rs through the environment.

EXE ?= qishou
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif
PROGRAM := $(EXE:.exe=)$(SUFFIX)

ifdef EVALFILE
export EVALFILE
endif

.PHONY: openbench pgo dist processors test clean

openbench:
	cargo rustc --release --locked --bin qishou $(CARGOFLAGS) -- --emit link=$(PROGRAM)

# Optimised by what `bench` does; needs an llvm-profdata of rustc's LLVM (docs/release.md).
pgo:
	dist/pgo $(PROGRAM)

# The release archive of this system.
dist:
	dist/archive

# The same answers on all processors that qemu imitates.
processors:
	cargo build --release --locked --bin qishou
	dist/check-processors $${CARGO_TARGET_DIR:-target}/release/qishou

test:
	cargo test

clean:
	cargo clean
