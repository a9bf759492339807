import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite("Command lines of a person's", .limited)
struct ShellCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Starts it with its output in a file, and its input from one that ends at once.
  private func start(_ command: ShellCommand) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 1, folder.path("output"), flags, 0o600)
    return try command.start(&actions)
  }

  private func output(_ command: ShellCommand) throws -> (status: Int32, text: String) {
    let process = try start(command)
    var status: Int32 = 0
    #expect(waitpid(process, &status, 0) == process)
    let text = String(decoding: try readFile(folder.path("output")), as: UTF8.self)
    return (status >> 8 & 0xFF, text)
  }

  @Test("the shell gets the line and what stands behind it, and its status is that of the line")
  func arguments() throws {
    let line = #"printf '%s|' "$0" "$1" "$2" $#; exit 3"#
    let (status, text) = try output(ShellCommand(line, ["a b", "", "$0"]))
    #expect(status == 3)
    #expect(text == "a b||$0|2|")
    #expect(try output(ShellCommand("echo \"$0\"")).text == "sh\n")
  }

  @Test("it has a session of its own where it is to outlive the terminal")
  func sessions() throws {
    for isOwn in [false, true] {
      // The sixth field is the session, behind a name in brackets.
      let line = "read line < /proc/$$/stat; set -- ${line##*)}; echo $$ $4"
      let words = try output(ShellCommand(line, hasOwnSession: isOwn)).text.split(separator: " ")
      try #require(words.count == 2)
      #expect((words[1] == "\(words[0])\n") == isOwn)
      if !isOwn { #expect(words[1] == "\(getsid(0))\n") }
    }
  }

  @Test("what this thread blocks, the command hears")
  func signals() throws {
    var (blocked, before) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    for number in [SIGUSR1, SIGTERM, SIGINT] { sigaddset(&blocked, number) }
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let line = "while read key value; do case $key in SigBlk:) echo $value;; esac; done"
    let text = try output(ShellCommand("\(line) < /proc/$$/status")).text
    #expect(UInt64(text.dropLast(), radix: 16) == 0)
  }

  @Test("what this program ignores, the command hears: that is said of three signals")
  func ignored() {
    for isOwn in [false, true] {
      var attributes = posix_spawnattr_t()
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      ShellCommand("true", hasOwnSession: isOwn).prepare(&attributes)
      var (usual, blocked, flags) = (sigset_t(), sigset_t(), Int16(0))
      sigfillset(&blocked)
      posix_spawnattr_getsigdefault(&attributes, &usual)
      posix_spawnattr_getsigmask(&attributes, &blocked)
      posix_spawnattr_getflags(&attributes, &flags)
      #expect((1..<32).filter { sigismember(&usual, $0) == 1 } == [SIGINT, SIGQUIT, SIGPIPE])
      #expect((1..<32).allSatisfy { sigismember(&blocked, $0) == 0 })
      let both = Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
      #expect(flags == both | (isOwn ? 0x80 : 0))
    }
    var (attributes, flags) = (posix_spawnattr_t(), Int16(0))
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    ShellCommand("true").prepare(&attributes)
    posix_spawnattr_getflags(&attributes, &flags)
    #expect(flags & 0x80 == 0, "usually it ends with the terminal")
  }

  @Test("a descriptor that is not there keeps it from being started, and that is told")
  func unstarted() throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, folder.path("nothing"), O_RDONLY, 0)
    let error = #expect(throws: SystemCallError.self) {
      try ShellCommand("true").start(&actions)
    }
    #expect(error == SystemCallError("posix_spawn", "/bin/sh", code: ENOENT))
  }
}
