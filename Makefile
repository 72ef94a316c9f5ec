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

.PHONY: openbench test clean

openbench:
	cargo rustc --release --locked --bin qishou $(CARGOFLAGS) -- --emit link=$(PROGRAM)

test:
	cargo test

clean:
	cargo clean
