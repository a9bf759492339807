#!/bin/sh
# Fuzzes the parsers, each for a number of executions from the corpus in Fuzz/Corpus. An input that
# traps is kept and named; give it in place of the executions to run it again.
#
#   fuzz.sh BUILD EXECUTIONS|FILE SEED TARGET...        seed 0: another one each time
set -eu

build=$1/fuzz executions=$2 seed=$3
shift 3
root=$(cd "$(dirname "$0")/.." && pwd)
# The backtrace is libFuzzer's to print.
export SWIFT_BACKTRACE=enable=no

# libFuzzer has the program's entry point.
build_fuzzer() {
  CRATED_TARGETS=crated-fuzz ${SWIFT:-swift} build --package-path "$root" \
    --configuration release --sanitize fuzzer \
    --disable-automatic-resolution -Xswiftc -enable-testing \
    -Xswiftc -enforce-exclusivity=checked -Xswiftc -parse-as-library "$@"
}

for FUZZ_TARGET in "$@"; do
  export FUZZ_TARGET
  case $FUZZ_TARGET in
    # C and C++: what they do wrong with memory need not end them.
    tags | pictures)
      program=$build/address/release/crated-fuzz
      build_fuzzer --scratch-path "$build/address" --sanitize address
      export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:quarantine_size_mb=8:malloc_context_size=2
      ;;
    *)
      program=$build/release/crated-fuzz
      build_fuzzer --scratch-path "$build"
      ;;
  esac
  if [ -f "$executions" ]; then
    "$program" "$executions"
    continue
  fi
  found=$build/found/$FUZZ_TARGET
  # What an earlier run found would make another run of the same seed.
  rm -rf "$found"
  mkdir -p "$found"
  # The readers of lists have folders in that of all of them.
  corpus=$root/Fuzz/Corpus/$FUZZ_TARGET
  [ -d "$corpus" ] || corpus=$root/Fuzz/Corpus/lists/$FUZZ_TARGET
  echo "fuzzing $FUZZ_TARGET"
  "$program" -runs="$executions" -seed="$seed" -max_len=8192 -len_control=10 \
    -timeout=60 -rss_limit_mb=2048 -dict="$root/Fuzz/words.dict" \
    -artifact_prefix="$build/$FUZZ_TARGET-" -print_final_stats=1 \
    "$found" "$corpus" >"$build/$FUZZ_TARGET.log" 2>&1 || {
    tail -n 40 "$build/$FUZZ_TARGET.log" >&2
    exit 1
  }
  # Inputs may be bytes of any kind.
  grep -a -e '^INFO: Seed' -e '^Done' -e '^stat::peak' -e '^stat::read' "$build/$FUZZ_TARGET.log" || true
done
