# make                  builds ./mola for this machine
# make EXE=name         builds ./name, as OpenBench wants it
# make install          also installs it with manual pages and completions below PREFIX

EXE ?= mola
PREFIX ?= /usr/local
CARGO ?= cargo
TARGET ?= $(or $(CARGO_TARGET_DIR),target)
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe)

.PHONY: all install clean

all:
	RUSTFLAGS="-C target-cpu=native" $(CARGO) build --release --bin mola
	cp "$(TARGET)/release/mola$(SUFFIX)" "$(EXE)"

install: all
	install -D "$(EXE)" "$(DESTDIR)$(PREFIX)/bin/mola"
	"$(abspath $(EXE))" man --dir "$(DESTDIR)$(PREFIX)/share/man/man1" --force
	install -d "$(DESTDIR)$(PREFIX)/share/bash-completion/completions" \
	    "$(DESTDIR)$(PREFIX)/share/zsh/site-functions" "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d"
	"$(abspath $(EXE))" completions bash > "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/mola"
	"$(abspath $(EXE))" completions zsh > "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_mola"
	"$(abspath $(EXE))" completions fish > "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/mola.fish"

clean:
	$(CARGO) clean
	rm -f "$(EXE)"
