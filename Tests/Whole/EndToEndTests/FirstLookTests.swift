import Glibc
import ProgramSupport
import TestSupport
import Testing

/// What `make run` does, on the programs that the tests run.
@Suite("A first look", .limited)
struct FirstLookTests {
  @Test(
    "Without music of one's own, made-up songs are shown, and nothing of the person's is touched")
  func firstLook() throws {
    let home = try TemporaryFolder()
    let build = try home.makeFolder("build")
    let products = String(try Home.program("demo-music").dropLast("/demo-music".count))
    #expect(symlink(products, "\(build)/release") == 0)
    let unset = [
      "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR",
    ]
    let words =
      unset.flatMap { ["-u", $0] } + [
        "timeout", "\(Patience.seconds)", "sh", Repository.path("scripts/run.sh"), build,
      ]
    let environment = ["HOME": home.path]
    let first = try run("env", words, environment: environment)
    try #require(first.status == 0, "\(first.errors)")
    for words in ["so here is some that was made up", "1\tMusic\t\t\t63\t", "Go on with"] {
      #expect(first.output.contains(words), "\(first.output)")
    }
    let line = try #require(
      first.output.split(separator: "\n").first { $0.contains("stops crated") })
    let pid = try #require(line.split(separator: " ").lazy.compactMap { pid_t($0) }.first)
    defer { kill(pid, SIGKILL) }

    // Again: the same daemon, which what it says is the command for answers.
    let again = try run("env", words, environment: environment)
    #expect(again.output.contains("A crated is running already"), "\(again.output)")
    let watch = try RunningProgram(
      "\(build)/run/crate", ["watch", "--json"],
      environment: ["PATH": "/usr/bin:/bin"], errors: home.path("watch.log"))
    #expect(try watch.nextLine() != nil)
    // A text that was not applied is kept, but not with the person's own.
    let editor = try home.write(
      "#!/bin/sh\necho nonsense >>\"$1\"\nexit 1\n", to: "build/editor")
    try #require(chmod(editor, 0o755) == 0)
    let edit = try run(
      "\(build)/run/crate", ["edit"], environment: ["HOME": home.path, "EDITOR": editor])
    #expect(edit.status != 0)
    #expect(try run("ls", ["\(build)/run/state/crated"]).output.contains("order-"))
    kill(pid, SIGTERM)
    #expect(try watch.end() == 69)
    let said = String(decoding: try readFile(home.path("watch.log")), as: UTF8.self)
    #expect(withoutWaiting(said) == "crate: crated has stopped; --follow waits for it\n")
    // Only the build directory was written to.
    let found = try run("ls", ["-A", home.path]).output
    #expect(found == "build\nwatch.log\n")
  }
}
