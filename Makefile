# What one does with Crated. `make run` is the way to a first look.

SWIFT ?= swift
PREFIX ?= $(HOME)/.local
DESTDIR ?=
# Where SwiftPM builds; scratch folders of `run` and `test` lie there too.
BUILD ?= .build
SOURCES := Sources Tests Package.swift Fuzz/Targets Benchmarks/Targets
# Of `test-one`: a test target, such as SettingsTests, and which of its tests, by a regular
# expression; all of them if none.
T ?=
F ?=
# Of `test-taglib`: where another TagLib is installed.
TAGLIB ?=
# Of `fuzz`: how often each parser runs, with which seed (0: another one each time), and which.
EXECUTIONS ?= 1000000
SEED ?= 0
READERS := m3u pls xspf jspf itunes rekordbox rhythmbox rhythmdb serato crated strawberry mixxx
FUZZED ?= journal snapshot order folders machines json call reply tags playlist settings pictures \
  terminal door lists $(READERS)
# Of `mutants`: how many, of which targets, all of them if none; AGAIN=1 takes those that survived
# the last time.
MUTANTS ?= 100
TARGETS ?=
AGAIN ?=
# Of `bench`: how many made-up songs, or a folder of music in their place; which rows, by their
# names in scripts/bench/bench.py, all of them if none; and more options of that program.
SONGS ?= 12000
MUSIC ?=
ROWS ?=
BENCH ?=
BENCHMARKS := bare-tag-loop bare-walk echo-socket empty-program microbenchmarks
# Of `test-systems`: Debian 12 and 13, Ubuntu 24.04.
SYSTEMS ?= bookworm trixie noble
# Of `release`: which one.
VERSION ?=
# Of `torture`: for how long; its SEED is that of the first life, 0 for another one each time.
MINUTES ?= 10

BUILD_PACKAGES := libtag1-dev libsqlite3-dev libutf8proc-dev libxxhash-dev pkg-config g++
BUILD_PACKAGES += libjpeg-dev libpng-dev zlib1g-dev libexpat1-dev
TEST_PACKAGES := curl ffmpeg flac mpd mpv strace systemd python3 python3-mutagen python3-venv
TEST_PACKAGES += btrfs-progs git
TEST_PACKAGES += man-db groff bsdextrautils bash-completion zsh fish
# What people edit MPD's playlists with.
TEST_PACKAGES += mpc ncmpcpp python3-mpd tmux
# What carries the order of several machines.
TEST_PACKAGES += rsync syncthing
# A terminal to hold against what is drawn.
TEST_PACKAGES += libvterm0
# The tools that people change their music with.
TORTURE_PACKAGES := ffmpeg flac python3 python3-mutagen eyed3 kid3-cli atomicparsley vorbis-tools
TORTURE_PACKAGES += wavpack sox opus-tools beets rsync convmv e2fsprogs
TEST_PACKAGES += $(TORTURE_PACKAGES)
PACKAGING_PACKAGES := debhelper dpkg-dev binutils patchelf python3
BENCH_PACKAGES := ffmpeg mpc mpd python3 python3-mutagen strace valgrind watchman
SCREENSHOT_PACKAGES := python3 xvfb xterm kitty tmux xdotool imagemagick fonts-dejavu-core
WINDOW_PACKAGES := chromium chromium-driver mpv nodejs python3 python3-venv
TEST_PACKAGES += $(PACKAGING_PACKAGES) lintian
# All tests, and the programs optimized. An index of the sources is for editors.
BUILD_TESTS = CRATED_TESTED=1 $(SWIFT) build --build-tests --configuration release \
  --disable-index-store --scratch-path $(BUILD)/tests
RUN_TESTS = sh scripts/test.sh "$(BUILD)/tests/release"
# A debug build of the tests that CRATED_TARGETS names. It must not resolve: what it would write to
# Package.resolved lacks the packages of the others.
BUILD_SOME = $(SWIFT) build --build-tests --disable-index-store --disable-automatic-resolution \
  --scratch-path
# A client of the socket that isn't ours, for the tests.
export CRATED_PYTHON := $(abspath $(BUILD))/varlink/bin/python3
# What `build` builds: no program that only tests start.
PROGRAMS := crate crated crate-tag-reader demo-music
# The standard library inside the programs: who runs them needs no Swift.
RELEASE := --configuration release --static-swift-stdlib --scratch-path $(BUILD)
# Swift has programs export every name, for libraries that they might load; ours load none.
RELEASE += -Xlinker --no-export-dynamic
# The linker that comes with Swift, the same on every system: with others that a system may have,
# what the loader has relocated can be written to.
RELEASE += -Xswiftc -use-ld=lld
# The same bytes wherever the sources lie.
RELEASE += -Xswiftc -file-prefix-map -Xswiftc "$(CURDIR)=." -Xcc "-ffile-prefix-map=$(CURDIR)=."
RELEASE += -Xlinker --build-id=none

.DEFAULT_GOAL := help
.PHONY: help run build test test-one check format sanitize fuzz mutants install uninstall clean
.PHONY: nightly test-all test-window bench-window sanitize-thread sanitize-address bench torture test-taglib
.PHONY: deb test-deb tarball test-systems dist release picture screenshots
.PHONY: compiler build-packages test-packages

help:
	@echo 'make run        builds Crated, starts it on your music (or on made-up songs), shows it'
	@echo 'make test       everything the tests need, and the tests'
	@echo 'make test-one   the tests of one module: T=SettingsTests, and which of them: F=Example'
	@echo 'make check      formatting and the rules of ARCHITECTURE.md, in a minute'
	@echo 'make nightly    all that takes longer than a change can wait for, in two hours'
	@echo 'make format     puts the sources in the form that check wants'
	@echo 'make build      the release programs'
	@echo 'make install    installs them under PREFIX ($(PREFIX)); uninstall removes them'
	@echo 'make deb        a Debian package; test-deb tries it in a copy of this system'
	@echo 'make tarball    an archive for any system; test-systems tries it in $(SYSTEMS)'
	@echo 'make dist       all that a release offers; make release VERSION=1.2.3 tags it first'
	@echo 'make test-window  the page of crated web in a real browser (F=drag: some of it)'
	@echo 'make picture    draws the pictures in the README anew, with the real programs'
	@echo 'make screenshots  the browser in real terminals, into $(BUILD)/screenshots'
	@echo 'make sanitize   the tests under the thread, address and undefined-behaviour sanitizers'
	@echo 'make fuzz       each parser on $(EXECUTIONS) mutated texts (EXECUTIONS, SEED, FUZZED)'
	@echo 'make mutants    $(MUTANTS) bugs made on purpose: noticed? (MUTANTS, SEED, TARGETS, AGAIN)'
	@echo 'make test-taglib  the tag reader'\''s tests against another TagLib (TAGLIB=PREFIX)'
	@echo 'make torture    random lives under real tools, judged by sound (MINUTES, SEED)'
	@echo 'make bench      speed and size beside peers and limits (SONGS, MUSIC, ROWS, BENCH)'
	@echo 'make bench-window  the page with 8,000 albums in one crate, beside its limits'
	@echo 'make clean      removes what was built'

run: build
	@sh scripts/run.sh "$(BUILD)"

build: build-packages
	CRATED_TARGETS="$(PROGRAMS)" $(SWIFT) build $(RELEASE)

test: test-packages
	$(BUILD_TESTS)
	$(RUN_TESTS)

check: compiler
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)
	CRATED_TARGETS=ArchitectureTests $(BUILD_SOME) $(BUILD)/check
	sh scripts/test.sh "$(BUILD)/check/debug"

test-one: test-packages Package.resolved
	@case "$(T)" in *Tests) ;; \
	*) echo 'Which tests? make test-one T=SettingsTests' >&2; exit 64 ;; esac
	CRATED_TARGETS="$(T)" $(BUILD_SOME) $(BUILD)
	sh scripts/test.sh "$(BUILD)/debug" $(if $(F),--filter '$(F)')

format:
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

# In a browser of some hundred megabytes.
test-window: build
	@sh scripts/packages.sh $(WINDOW_PACKAGES)
	node --test Tests/Window/
	sh scripts/window-environment.sh "$(BUILD)/window"
	"$(BUILD)/window/bin/python" -B Tests/Window/window_test.py "$(BUILD)/release" $(F)

# Apart from `bench`, which needs no browser.
bench-window: build
	@sh scripts/packages.sh $(WINDOW_PACKAGES)
	sh scripts/window-environment.sh "$(BUILD)/window"
	"$(BUILD)/window/bin/python" -B scripts/bench/window.py --programs "$(BUILD)/release" \
	  --report "$(BUILD)/bench-window.txt"

# Every random test with all its seeds.
test-all: test-packages
	$(BUILD_TESTS)
	CRATED_NIGHTLY=1 $(RUN_TESTS)

# The figures are chosen for two hours on two quiet cores.
nightly:
	sh scripts/nightly.sh "$(BUILD)/nightly" test-all test-deb test-systems test-window \
	  bench-window 'torture MINUTES=6' 'fuzz EXECUTIONS=50000' sanitize-thread sanitize-address \
	  'mutants MUTANTS=20'

# Swift has no sanitizer for undefined behaviour on Linux, so that only the C++ gets it.
UNDEFINED := -Xcxx -fsanitize=undefined -Xcxx -fno-sanitize=vptr,function \
  -Xcxx -fno-sanitize-recover=undefined \
  -Xcxx -fsanitize-ignorelist=$(abspath scripts/sanitizer-ignored.txt)
# The tests of modules with threads. Those of whole programs take half an hour and run the same code.
THREADED := DaemonCoreTests FolderWatchingTests LibraryIndexTests PlatformTests PlaylistsTests \
  TagReadingTests VarlinkClientTests VarlinkServerTests WebServerTests
# The tests of C that reads bytes of strangers.
PARSING := DatabasesTests FuzzTests ImportedListsTests TagReadingTests TextTests
sanitize: sanitize-thread sanitize-address
sanitize-thread: test-packages Package.resolved
	CRATED_TARGETS="$(THREADED)" $(BUILD_SOME) $(BUILD)/sanitize-thread --sanitize thread
	TSAN_OPTIONS="suppressions=$(abspath scripts/thread-sanitizer.txt)" \
	  sh scripts/test.sh "$(BUILD)/sanitize-thread/debug"
sanitize-address: test-packages Package.resolved
	CRATED_TARGETS="$(PARSING)" $(BUILD_SOME) $(BUILD)/sanitize-address --sanitize address \
	  $(UNDEFINED)
	ASAN_OPTIONS=detect_leaks=0 sh scripts/test.sh "$(BUILD)/sanitize-address/debug"

fuzz: build-packages
	sh scripts/fuzz.sh "$(abspath $(BUILD))" "$(EXECUTIONS)" "$(SEED)" $(FUZZED)

# Not what the tests of the whole are built with: only this much has to be built anew.
test-taglib: build-packages
	@sh scripts/packages.sh ffmpeg python3 python3-mutagen
	SWIFT="$(SWIFT)" sh scripts/test-taglib.sh "$(abspath $(BUILD))/taglib" "$(TAGLIB)"

mutants: build-packages Package.resolved
	@sh scripts/packages.sh ffmpeg flac python3 python3-mutagen
	SWIFT="$(SWIFT)" python3 scripts/mutants/mutants.py "$(abspath $(BUILD))/mutants" \
	  --count $(MUTANTS) --seed $(SEED) $(if $(AGAIN),--again) $(TARGETS)

# What fails is shrunk, and printed as commands. Debian's own Python has mutagen.
torture: build
	@sh scripts/packages.sh $(TORTURE_PACKAGES)
	/usr/bin/python3 -B scripts/torture/torture.py --programs "$(BUILD)/release" \
	  --sounds "$(BUILD)/torture/sounds" --reports "$(BUILD)/torture" \
	  --minutes $(MINUTES) --seed $(SEED)

# Debian's own Python has Debian's packages; another one first in PATH hasn't.
bench: build Package.resolved
	@sh scripts/packages.sh $(BENCH_PACKAGES)
	CRATED_TARGETS="$(BENCHMARKS)" CRATED_TESTED=1 $(SWIFT) build --configuration release \
	  --static-swift-stdlib --disable-automatic-resolution --scratch-path "$(BUILD)/benchmarks"
	/usr/bin/python3 -B scripts/bench/bench.py --programs "$(BUILD)/release" \
	  --limits "$(BUILD)/benchmarks/release" --scratch "$(BUILD)/bench" \
	  --report "$(BUILD)/bench-$(if $(MUSIC),music,$(SONGS))$(if $(ROWS),-some).txt" \
	  --songs $(SONGS) \
	  $(if $(MUSIC),--music "$(MUSIC)") $(BENCH) $(ROWS)

install: build
	sh scripts/install.sh install "$(BUILD)/release" "$(PREFIX)" "$(DESTDIR)"

uninstall:
	sh scripts/install.sh uninstall "$(BUILD)/release" "$(PREFIX)" "$(DESTDIR)"

picture: build
	@sh scripts/packages.sh $(WINDOW_PACKAGES)
	python3 -B scripts/moving_picture.py "$(BUILD)/release" Documentation/pictures/browsing.svg
	sh scripts/window-environment.sh "$(BUILD)/window"
	"$(BUILD)/window/bin/python" -B scripts/window_picture.py "$(BUILD)/release" \
	  Documentation/pictures/window.webp

screenshots: build
	@sh scripts/packages.sh $(SCREENSHOT_PACKAGES)
	python3 -B scripts/screenshots.py "$(BUILD)/release" "$(BUILD)/screenshots"

deb: build
	@sh scripts/packages.sh $(PACKAGING_PACKAGES)
	rm -f "$(BUILD)"/crated_*.deb
	sh scripts/deb.sh "$(BUILD)/release" "$(BUILD)"

# Swift is out of sight: the package has to do without.
test-deb: deb test-packages
	lintian --allow-root --fail-on warning "$(BUILD)"/crated_*.deb
	"$(BUILD)/release/demo-music" "$(BUILD)/demo-music.d" >/dev/null
	hidden="$$(cd "$$(dirname "$$(realpath "$$(command -v $(SWIFT))")")/../lib/swift" && pwd)" && \
	  HIDDEN="$$hidden" bash scripts/test-deb.sh "$(BUILD)"/crated_*.deb "$(BUILD)/demo-music.d"

tarball: build
	@sh scripts/packages.sh $(PACKAGING_PACKAGES)
	rm -f "$(BUILD)"/crated-*.tar.xz
	sh scripts/tarball.sh "$(BUILD)/release" "$(BUILD)"

# TagLib 2 and all libraries as others have them; Swift is this machine's.
test-systems: tarball
	@sh scripts/packages.sh debootstrap
	SWIFT="$(SWIFT)" bash scripts/test-systems.sh "$(BUILD)" $(SYSTEMS)

dist: build
	@sh scripts/packages.sh $(PACKAGING_PACKAGES) git
	sh scripts/dist.sh "$(BUILD)/release" "$(BUILD)/dist"

# What is built after the version was set has that version.
release:
	@case "$(VERSION)" in *.*.*) ;; \
	*) echo 'Which version? make release VERSION=1.2.3' >&2; exit 64 ;; esac
	$(MAKE) check test
	sh scripts/release.sh "$(VERSION)"
	$(MAKE) test-systems dist

clean:
	rm -rf "$(BUILD)"

# Of all packages, before a build of some modules.
Package.resolved: Package.swift
	$(SWIFT) package resolve --scratch-path $(BUILD)
	touch $@

compiler:
	@command -v $(SWIFT) >/dev/null || \
	  { echo 'Swift 6.1 or newer is needed: https://www.swift.org/install/linux/' >&2; exit 1; }

build-packages: compiler
	@sh scripts/packages.sh $(BUILD_PACKAGES)

test-packages: build-packages
	@sh scripts/packages.sh $(TEST_PACKAGES)
	@sh scripts/varlink-client.sh "$(BUILD)/varlink"
