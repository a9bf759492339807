import DemoMusic
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// Completions in the real shells: a person's keys go in through a terminal, and what counts is
/// the words that the shell then runs `crate` with.
@Suite("Completions", .limited)
struct CompletionTests {
  /// Titles come from strangers.
  static let command = "Say \"Hi\" & $(touch ran) `touch ran`; 'no' \\ *"
  static let titles = [
    "Kind of Blue", "Kinks", command, "Björk's Début: live", "1999", "Música ¡Olé!", "a!b",
  ]

  /// What is typed, with a tab where one is pressed, and the words that come of it.
  static let typed: [(String, [String])] = [
    ("crate sta\t", ["status"]), ("crate list --go\t", ["list", "--gone"]),
    ("crate list Kind\t", ["list", "Kind of Blue"]),
    ("crate list \"Kind\t", ["list", "Kind of Blue"]),
    ("crate list 'Kind\t", ["list", "Kind of Blue"]),
    ("crate list Kind\\ o\t", ["list", "Kind of Blue"]),
    ("crate list K\td\t", ["list", "Kind of Blue"]),
    ("crate list Late\t", ["list", "Late night: a 'b'"]),
    ("crate list crate:La\t", ["list", "crate:Late night: a 'b'"]),
    ("crate list Late\\ night:\t", ["list", "Late night: a 'b'"]),
    ("crate list Say\t", ["list", command]), ("crate list \"Say\t", ["list", command]),
    ("crate list 'Say\t", ["list", command]),
    ("crate list mús\t", ["list", "Música ¡Olé!"]),
    ("crate list \"Mús\t", ["list", "Música ¡Olé!"]),
    ("crate list \"a\t", ["list", "a!b"]), ("crate list a\t", ["list", "a!b"]),
    ("crate move Kinks to Mu\tt\t", ["move", "Kinks", "to", "Music", "top"]),
    ("crate move Kinks album:19\t", ["move", "Kinks", "album:1999"]),
    ("crate sort Music by rel\t", ["sort", "Music", "by", "released"]),
    ("echo | crate list Björ\t", ["list", "Björk's Début: live"]),
    ("crate rescan Mus\t", ["rescan", "Music"]),
    ("crate bro\t--cov\tsi\t", ["browse", "--covers", "sixel"]),
    ("crate pl\tKind\t--a\t", ["play", "Kind of Blue", "--add"]),
    ("crate import rh\t", ["import", "rhythmbox"]),
    ("crate imp\t--dr\tMus\t", ["import", "--dry-run", "Music"]),
    ("crate list Mu\tla\t", ["list", "Music", "last"]),
    ("crate sort Music by y\told\t", ["sort", "Music", "by", "year", "oldest"]),
    ("crate sort Music shuf\t", ["sort", "Music", "shuffled"]),
    ("crate undo --t\t", ["undo", "--to"]), ("crate watch --fol\t", ["watch", "--follow"]),
    ("crate find --pa\t", ["find", "--paths"]), ("crate edit --so\t", ["edit", "--songs"]),
    ("crate hist\t--al\t", ["history", "--all"]), ("crate prob\t--al\t", ["problems", "--all"]),
    (
      "crate move Kinks --dr\tbef\tKind\t",
      ["move", "Kinks", "--dry-run", "before", "Kind of Blue"]
    ),
  ]

  let home: Home

  init() throws {
    home = try Home()
    for (number, title) in Self.titles.enumerated() {
      let song = DemoSong(
        title: "Song", artist: "Artist", album: title, track: 1, seconds: 1, seed: UInt64(number))
      try writeFile(song.encoded(), to: "\(home.music)/\(number).flac")
    }
    try home.folder.makeFolder("bin")
    for folder in ["data/bash-completion/completions", "data/fish/vendor_completions.d", "zsh"] {
      try home.folder.makeFolder(folder)
    }
    try home.folder.makeFolder("config/fish")
    // The real one is asked what to offer, however long it takes, and this one says what it was
    // called with.
    try home.folder.write(
      """
      #!/bin/sh
      [ "$1" = --complete ] && exec env --block-signal=ALRM '\(try Home.program("crate"))' "$@"
      printf '%s\\037' "$@" >>~/said; echo >>~/said
      """ + "\n", to: "bin/crate")
    chmod(home.folder.path("bin/crate"), 0o755)
    for (shell, path) in [
      ("bash", "data/bash-completion/completions/crate"), ("zsh", "zsh/_crate"),
      ("fish", "data/fish/vendor_completions.d/crate.fish"),
    ] {
      try home.folder.write(
        try home.crate("--generate-completion-script", shell).output, to: path)
    }
    try home.folder.write(
      ". /usr/share/bash-completion/bash_completion\nPS1='ready> '\n", to: ".bashrc")
    try home.folder.write(
      "fpath=(~/zsh $fpath); autoload -Uz compinit; compinit -u -d ~/dump; PS1='ready> '\n",
      to: ".zshrc")
    try home.folder.write(
      "function fish_prompt; echo -n 'ready> '; end; set fish_greeting\n",
      to: "config/fish/config.fish")
    try home.folder.write(Self.terminal, to: "terminal.py")
  }

  /// The words of each line that is typed in the shell.
  private func words(_ shell: String, _ lines: [String]) throws -> [[String]] {
    unlink(home.folder.path("said"))
    let path = try #require(home.environment["PATH"])
    let environment = home.environment.merging(
      ["PATH": "\(home.folder.path("bin")):\(path)", "TERM": "xterm", "LC_ALL": "C.UTF-8"]
    ) { $1 }
    let result = try run(
      "env",
      [
        "-C", home.folder.path, "timeout", "--kill-after=1", "\(Patience.seconds)", "python3",
        "terminal.py", shell,
      ]
        + lines, environment: environment)
    try #require(result.status == 0, "\(shell): \(result.errors)\(result.output)")
    return try String(decoding: readFile(home.folder.path("said")), as: UTF8.self)
      .split(separator: "\n").map { line in
        line.split(separator: "\u{1F}").map(String.init)
      }
  }

  @Test("What a tab completes is what was meant", arguments: ["bash", "zsh", "fish"])
  func tab(shell: String) throws {
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    try home.crate("move", "Kinks", "to", "Late night: a 'b'")
    let found = try words(shell, Self.typed.map(\.0))
    #expect(found.count == Self.typed.count)
    for (found, (line, expected)) in zip(found, Self.typed) {
      // Shells differ in whether a directory keeps its slash.
      let words = found.map { $0 == "Music/" ? "Music" : $0 }
      #expect(words == expected, "\(shell): \(line)")
    }
    #expect(access(home.folder.path("ran"), F_OK) != 0, "a title was run")
    try daemon.stop()
  }

  @Test("Without a daemon, names stay as they were typed", arguments: ["bash", "zsh", "fish"])
  func alone(shell: String) throws {
    let found = try words(shell, ["crate list Kind\t", "crate sta\t"])
    #expect(found == [["list", "Kind"], ["status"]])
    #expect(try home.crate("--complete", "fish", "crate list ").output == "")
  }

  @Test("Every option of every command is offered, and nothing else")
  func options() throws {
    let verbs = try home.crate("--complete", "fish", "crate ").output.split(separator: "\n")
    #expect(verbs.count > 16)
    for verb in verbs.compactMap({ $0.split(separator: "\t").first }) where verb != "help" {
      let offered = try home.crate("--complete", "fish", "crate \(verb) -").output
        .split(separator: "\n").compactMap { $0.split(separator: "\t").first }
      let help = try home.crate(String(verb), "--help").output
      let listed = help.matches(of: /(?m)^  (?:-\w, )?(-[\w-]+)/).map(\.1)
      #expect(offered == listed, "\(verb)")
      // Who looks and moves in a terminal has nothing printed.
      #expect(offered.contains("--json") == (verb != "browse"))
    }
  }

  /// Types each line at a prompt and waits for the next one.
  private static let terminal = #"""
    import os, pty, select, sys, time
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(sys.argv[1], [sys.argv[1], "-i"])
    seen = b""
    def wait(text):
        global seen
        end = time.monotonic() + \#(Patience.seconds)
        while text not in seen:
            if not select.select([terminal], [], [], max(0, end - time.monotonic()))[0]:
                sys.exit("no prompt after: " + repr(seen[-1000:]))
            seen += os.read(terminal, 65536)
        seen = seen[seen.index(text) + len(text):]
    wait(b"ready> ")
    for line in sys.argv[2:]:
        os.write(terminal, line.encode() + b"\r")
        wait(b"ready> ")
    os.write(terminal, b"exit\r")
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        pass
    os.waitpid(child, 0)
    """#
}
