import Glibc
import ProgramSupport
import TestSupport
import Testing

/// The installed units under a real service manager.
@Suite("systemd", .limited)
struct SystemdTests {
  let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
    for name in ["Music", "More", ".config/crated", ".config/systemd/user/crated.service.d"] {
      try home.makeFolder(name)
    }
    try copy(try SampleMusic.albums([.flac]) + "/Album flac", to: home.path("Music/One"))
    try copy(try SampleMusic.albums([.mp3]) + "/Album mp3", to: home.path("More/Two"))
  }

  @Test("The unit starts, reloads, is started again after a crash, and stops")
  func unit() throws {
    try expect(
      Self.living,
      [
        "verified",
        "started: ActiveState=active", "songs: 3 3",
        "bounded: TasksMax=448 MemoryMax=2147483648 MemoryHigh=1073741824 LimitNOFILE=4096"
          + " LimitCORE=0",
        "and so is the process: 4096 0",
        "reloaded: 3 3 6", "a bad file changes nothing: 3 3 6",
        "the crash was noticed: NRestarts=1", "songs: 3 3 6",
        "stopped: Result=success ExecMainStatus=0 ActiveState=inactive",
      ])
  }

  @Test("A daemon that no longer answers is ended and started again", .nightly)
  func watchdog() throws {
    try expect(
      Self.hanging,
      ["alive: NRestarts=0", "hung: NRestarts=1", "it was: watchdog", "songs: 3 3"])
  }

  @Test("The first question starts the daemon, and its socket outlives it")
  func socket() throws {
    try expect(
      Self.asking,
      [
        "nobody asked: ActiveState=inactive", "for its owner alone: 700 600",
        "asked: songs: 3 3", "stopped: ActiveState=inactive", "the socket is there",
        "asked again: songs: 3 3", "asked in a crash: songs: 3 3", "with bad settings: 69",
        "with good ones again: songs: 3 3", "stopped for good: 69",
      ])
  }

  @Test("The page is served once its unit has started, and a link lets a device in for good")
  func page() throws {
    try expect(
      Self.serving,
      [
        "started: active", "the page: 200", "a stranger: 401", "by a link: 200",
        "bounded: 32 256 0", "after a crash: 200",
        "stopped: Result=success ExecMainStatus=0 ActiveState=inactive",
      ])
  }

  @Test("With namespaces the daemon can write to its own only, and drives come and go")
  func namespaces() throws {
    try expect(
      Self.confined,
      [
        "verified", "songs: 3 3", "music: read-only", "store: writable", "with a drive: 6 6",
        "unmounted", "and not seen inside", "changed: Jazz",
        "stopped: Result=success ExecMainStatus=0 ActiveState=inactive",
      ])
  }

  private func expect(
    _ steps: String, _ lines: [String], _ location: SourceLocation = #_sourceLocation
  ) throws {
    let result = try underSystemd(steps)
    if result.status == 77, getenv("CRATED_NO_SYSTEMD") != nil { return }
    try #require(
      result.status != 77,
      "this machine can't run systemd (CRATED_NO_SYSTEMD=1 does without): \(result.errors)")
    #expect(
      result.status == 0, "\(result.errors)\(result.output)", sourceLocation: location)
    #expect(
      result.output.split(separator: "\n").map(String.init) == lines, "\(result.errors)",
      sourceLocation: location)
  }

  private func underSystemd(_ steps: String) throws -> ProgramResult {
    let scripts = Repository.path("scripts")
    // What the person who runs this has set must not reach the programs.
    let clean = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"].flatMap { ["-u", $0] }
    let environment = ["HOME": home.path, "SCRIPTS": scripts]
    let products = try Home.program("crated").dropLast("/crated".count)
    let install = ["sh", "\(scripts)/install.sh", "install", String(products)]
    let installed = try run(
      "env", clean + install + ["\(home.path)/.local", ""], environment: environment)
    try #require(installed.status == 0, "\(installed.errors)")
    try home.write(Self.prelude + "\n" + steps, to: "steps")
    let limit = "\(2 * Patience.seconds)"
    return try run(
      "env",
      clean + [
        "timeout", "--kill-after=5", limit, "bash", "\(scripts)/with-user-systemd.sh", "bash",
        home.path("steps"),
      ], environment: environment)
  }

  private static let prelude = #"""
    set -eu
    crate=~/.local/bin/crate
    settings=~/.config/crated/config.toml
    extra=~/.config/systemd/user/crated.service.d/test.conf
    log=~/crated.log

    show() { systemctl --user show crated "$@" | sort --reverse | paste --serial --delimiters ' '; }
    process() { systemctl --user show crated --property=MainPID --value; }
    # Of each folder, and of the whole library.
    songs() { $crate sync >/dev/null; $crate status --json | grep --only-matching '"songs":[0-9]*' |
      cut --delimiter=: --fields=2 | paste --serial --delimiters ' '; }
    # Reads the log up to a line with this in it.
    await() {
      while IFS= read -r -t 120 line <&3; do case $line in *$1*) return ;; esac; done
      echo "never said: $1" >&2
      return 1
    }
    # The manual pages that the units name may not be where man looks in this home.
    verify() {
      found=$(systemd-analyze --user --man=no verify crated.service crated-web.service \
        crated.socket 2>&1)
      [ -z "$found" ] && echo verified || echo "verify: $found"
    }

    touch "$log"
    exec 3< <(exec tail --lines=+1 --follow "$log")
    reader=$!
    trap 'kill "$reader"' EXIT
    printf '[Service]\nStandardError=append:%s\n' "$log" >"$extra"
    echo 'music_folders = ["~/Music"]' >"$settings"
    systemctl --user daemon-reload
    """#

  private static let living = #"""
    verify
    systemctl --user start crated
    await ': ready '
    echo "started: $(show --property=ActiveState)"
    echo "songs: $(songs)"
    echo "bounded: $(show --property=TasksMax,MemoryHigh,MemoryMax,LimitNOFILE,LimitCORE)"
    limit() { prlimit --pid "$(process)" "--$1" --output HARD --noheadings | tr -d ' '; }
    echo "and so is the process: $(limit nofile) $(limit core)"

    echo 'music_folders = ["~/Music", "~/More"]' >"$settings"
    systemctl --user reload crated
    await 'the settings were read again'
    echo "reloaded: $(songs)"

    echo 'music_folder = ["~/Music"]' >"$settings"
    systemctl --user reload crated
    await "the settings stay as they were: $settings, line 1: there is no setting “music_folder”"
    echo "a bad file changes nothing: $(songs)"

    echo 'music_folders = ["~/Music", "~/More"]' >"$settings"
    kill -KILL "$(process)"
    await ': ready '
    echo "the crash was noticed: $(show --property=NRestarts)"
    echo "songs: $(songs)"

    systemctl --user stop crated
    echo "stopped: $(show --property=ActiveState,Result,ExecMainStatus)"
    """#

  private static let hanging = #"""
    printf '%s\n' WatchdogSec=4 "ExecStopPost=sh -c 'echo \$SERVICE_RESULT >>%h/results'" >>"$extra"
    systemctl --user daemon-reload
    systemctl --user start crated
    await ': ready '
    heard() { systemctl --user show crated --property=WatchdogTimestampMonotonic --value; }
    for _ in 1 2 3; do
      last=$(heard)
      while [ "$(heard)" = "$last" ]; do :; done
    done
    echo "alive: $(show --property=NRestarts)"
    kill -STOP "$(process)"
    await ': ready '
    echo "hung: $(show --property=NRestarts)"
    echo "it was: $(cat ~/results)"
    echo "songs: $(songs)"
    systemctl --user stop crated
    """#

  private static let asking = #"""
    socket=$XDG_RUNTIME_DIR/crated/org.crated.Crates
    systemctl --user start crated.socket
    echo "nobody asked: $(show --property=ActiveState)"
    echo "for its owner alone: $(stat --format=%a "${socket%/*}" "$socket" | paste -sd ' ')"
    echo "asked: songs: $(songs)"
    systemctl --user --quiet stop crated 2>/dev/null
    echo "stopped: $(show --property=ActiveState)"
    [ -S "$socket" ] && echo "the socket is there"
    echo "asked again: songs: $(songs)"
    kill -KILL "$(process)"
    echo "asked in a crash: songs: $(songs)"
    systemctl --user --quiet stop crated 2>/dev/null
    echo 'music_folder = ["~/Music"]' >"$settings"
    status=0
    $crate status >/dev/null 2>&1 || status=$?
    echo "with bad settings: $status"
    echo 'music_folders = ["~/Music"]' >"$settings"
    systemctl --user reset-failed
    systemctl --user start crated.socket
    echo "with good ones again: songs: $(songs)"
    systemctl --user stop crated.socket crated
    status=0
    $crate status >/dev/null 2>&1 || status=$?
    echo "stopped for good: $status"
    """#

  private static let serving = #"""
    page() { systemctl --user show crated-web "$@" | sort --reverse | paste -sd ' '; }
    port=$((20000 + $$ % 10000))
    site=http://localhost:$port
    printf 'web = "127.0.0.1:%s"\n' "$port" >>"$settings"
    ask() { curl --silent --header 'Content-Type: application/json' "$@"; }
    code_of() { ask --output ~/answer --write-out '%{http_code}' "$@"; }
    crates() { code_of $site/call/org.crated.Crates.ListCrates --data '{}' "$@"; }
    systemctl --user start crated crated-web
    echo "started: $(page --property=ActiveState --value)"
    echo "the page: $(code_of $site/)"
    echo "a stranger: $(crates)"
    code=$($crate web --link | sed 's/.*#//')
    code_of $site/enter --data "{\"code\":\"$code\",\"name\":\"Test\"}" >/dev/null
    key=$(sed 's/.*"key":"\([^"]*\)".*/\1/' ~/answer)
    echo "by a link: $(crates --header "Authorization: Bearer $key")"
    echo "bounded: $(page --property=TasksMax --value) $(page --property=LimitNOFILE --value)" \
      "$(page --property=LimitCORE --value)"
    kill -KILL "$(page --property=MainPID --value)"
    until [ "$(page --property=NRestarts,ActiveState)" = 'NRestarts=1 ActiveState=active' ]; do
      :
    done
    echo "after a crash: $(crates --header "Authorization: Bearer $key")"
    systemctl --user stop crated-web crated
    echo "stopped: $(page --property=ActiveState,Result,ExecMainStatus)"
    """#

  private static let confined = #"""
    # As at boot; what the machine's own mounts are is no matter here.
    mount --make-rshared /
    systemctl --user start crated
    await ': ready '
    systemctl --user stop crated
    cp ~/.local/share/doc/crated/namespaces.conf ~/.config/systemd/user/crated.service.d/
    # This home may be in there.
    echo PrivateTmp=no >>"$extra"
    systemctl --user daemon-reload
    verify
    systemctl --user start crated
    await ': ready '
    echo "songs: $(songs)"
    inside() { nsenter --mount --target "$(process)" "$@"; }
    inside touch ~/Music/new 2>&1 | grep --quiet 'Read-only' && echo "music: read-only"
    inside touch ~/.local/share/crated/test && rm ~/.local/share/crated/test &&
      echo "store: writable"
    mkdir ~/Music/Drive
    mount -t tmpfs tmpfs ~/Music/Drive
    cp ~/More/Two/* ~/Music/Drive
    $crate rescan >/dev/null
    echo "with a drive: $(songs)"
    # The daemon may be reading a song a second time that has just been copied.
    until LC_ALL=C umount ~/Music/Drive 2>~/refusal; do
      grep --quiet busy ~/refusal || { cat ~/refusal >&2; exit 1; }
    done
    echo unmounted
    inside mountpoint --quiet ~/Music/Drive || echo "and not seen inside"
    $crate rename Music Jazz >/dev/null
    echo "changed: $($crate list --json | grep --only-matching Jazz)"
    systemctl --user stop crated
    echo "stopped: $(show --property=ActiveState,Result,ExecMainStatus)"
    """#
}
