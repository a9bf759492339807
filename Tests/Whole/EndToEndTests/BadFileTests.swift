import CratesInterface
import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

@Suite("Files that are not what they should be", .serialized, .limited)
struct BadFileTests {
  @Test("Each is a problem, or nothing at all; the songs beside them are in their crate")
  func files() throws {
    let home = try Home()
    let sample = try SampleMusic.albums(StoryTests.formats)
    try copy("\(sample)/Album flac", to: "\(home.music)/Good")
    let bad = "\(home.music)/Good"
    let mp3 = try readFile("\(sample)/Album mp3/1 First mp3.mp3")
    let ogg = try readFile("\(sample)/Album ogg/1 First ogg.ogg")
    // What cannot be read has to be told.
    try writeFile([], to: "\(bad)/empty.mp3")
    try writeFile([], to: "\(bad)/empty.flac")
    try writeFile(Array("fLaC".utf8), to: "\(bad)/truncated.flac")
    try writeFile(Array(String(repeating: "Not music. ", count: 999).utf8), to: "\(bad)/text.m4a")
    let told: Set = ["empty.mp3", "empty.flac", "truncated.flac", "text.m4a"]
    // A wrong name is not held against a song.
    try writeFile(ogg, to: "\(bad)/mislabelled.flac")
    try writeFile(mp3, to: "\(bad)/mislabelled.wav")
    // What is no file is never opened, and no problem either.
    #expect(mkfifo("\(bad)/fifo.mp3", 0o644) == 0)
    let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listening) }
    #expect(withSocketAddress("\(bad)/socket.mp3") { bind(listening, $0, $1) } == 0)
    #expect(mkdir("\(bad)/folder.mp3", 0o755) == 0)
    #expect(symlink("loop.mp3", "\(bad)/loop.mp3") == 0)
    #expect(symlink("nowhere.mp3", "\(bad)/dangling.mp3") == 0)
    #expect(symlink("..", "\(bad)/up") == 0)
    #expect(symlink(".", "\(home.music)/self") == 0)
    // One that ends early is a song still.
    try writeFile(Array(mp3.prefix(mp3.count / 2)), to: "\(bad)/9 half.mp3")

    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let problems = try home.problems()
    let names = problems.compactMap { $0.path?.split(separator: "/").last.map(String.init) }
    #expect(told.isSubset(of: Set(names)))
    #expect(Set(names).isSubset(of: told.union(["loop.mp3", "dangling.mp3", "up", "self"])))
    #expect(problems.allSatisfy { !$0.message.isEmpty })
    #expect(try home.json("list", "Album flac").count == 3)
    #expect(try home.json("list", "Album mp3").count == 2)
    #expect(try home.json("list", "Album ogg").count == 1)
    #expect(try home.status().songs == 6)

    // The files' problems go with them.
    for name in told { unlink("\(bad)/\(name)") }
    try copy("\(sample)/Album wv/1 First wv.wv", to: "\(bad)/text.wv")
    try daemon.sync()
    let left = try home.problems().compactMap(\.path)
    #expect(Set(left).isDisjoint(with: told.map { "\(bad)/\($0)" }))
    #expect(try home.status().songs == 7)
    try daemon.stop()
  }

  @Test("What may not be read is told, and what was known there keeps its place")
  func permissions() throws {
    let home = try unprivilegedHome()
    try copy(try SampleMusic.albums([.flac, .mp3, .ogg]), to: "\(home.music)/Here")
    let file = "\(home.music)/Here/Album flac/1 First flac.flac"
    let folder = "\(home.music)/Here/Album mp3"
    let late = "\(home.music)/Here/Album ogg"
    if !home.prefix.isEmpty { try give(home.folder.path) }
    #expect(chmod(late, 0) == 0)
    var daemon = try RunningDaemon(home, program: home.folder.path("bin/crated"))
    try daemon.sync()
    #expect(try home.status().songs == 6)
    #expect(try home.problems().map(\.path) == [late])
    #expect(chmod(late, 0o755) == 0)
    try home.crate("rescan")
    let places = try home.places()
    #expect(places.count == 9)
    #expect(try home.problems().isEmpty)

    for mode: mode_t in [0, 0o755] {
      #expect(chmod(file, mode == 0 ? 0 : 0o644) == 0)
      #expect(chmod(folder, mode) == 0)
      try home.crate("rescan")
      expectSame(try home.places(), places)
      #expect(try home.status().gone == 0)
      #expect(try home.problems().compactMap(\.path).contains(folder) == (mode == 0))
      try daemon.kill()
      daemon = try RunningDaemon(home, program: home.folder.path("bin/crated"))
      try daemon.sync()
      expectSame(try home.places(), places)
      #expect(try home.status().gone == 0)
    }
    #expect(try home.problems().isEmpty)
    try daemon.stop()
  }

  /// Nothing is unreadable for root: there, the programs run as nobody, from where nobody may read.
  private func unprivilegedHome() throws -> Home {
    let isRoot = getuid() == 0
    let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    let home = try Home(prefix: isRoot ? nobody : [])
    try home.folder.makeFolder("bin")
    for name in ["crated", "crate", "crate-tag-reader"] {
      try copy(try Home.program(name), to: home.folder.path("bin/\(name)"))
    }
    home.programs = home.folder.path("bin/")
    chmod(home.folder.path, 0o755)
    return home
  }

  private func give(_ path: String) throws {
    let result = try run("chown", ["-R", "65534:65534", path])
    try #require(result.status == 0, "\(result.errors)")
  }

  @Test("A tag reader that is killed while it reads costs no song")
  func killedReader() throws {
    let home = try Home()
    try copy(try SampleMusic.albums(StoryTests.formats), to: "\(home.music)/Here")
    // crated starts the reader beside it. This one runs the real one so that its fifth read kills
    // it, the first time: two of the loader's, and of each of these files at least four, while the
    // reader that isn't traced may read all others.
    try home.folder.makeFolder("bin")
    let crated = home.folder.path("bin/crated")
    try copy(try Home.program("crated"), to: crated)
    // Where programs that the daemon starts may write.
    let trace = home.folder.path("cache/trace")
    let script = """
      #!/bin/sh
      if mkdir '\(trace)'; then
        exec /usr/bin/strace -f -o '\(trace)/log' -e trace=pread64 \\
          -e inject=pread64:signal=SIGKILL:when=5 '\(try Home.program("crate-tag-reader"))'
      fi
      exec '\(try Home.program("crate-tag-reader"))'

      """
    let reader = try home.folder.write(script, to: "bin/crate-tag-reader")
    #expect(chmod(reader, 0o755) == 0)
    let daemon = try RunningDaemon(home, program: crated)
    try daemon.sync()
    let log = String(decoding: try readFile("\(trace)/log"), as: UTF8.self)
    #expect(log.contains("+++ killed by SIGKILL +++"), "\(log.suffix(500))")
    #expect(try home.status().songs == 27)
    #expect(try home.problems().isEmpty)
    try daemon.stop()
  }

  @Test("Where no tag reader starts, what is known stays, and what is new comes when one does")
  func noReader() throws {
    let home = try Home()
    try SmallLibrary.write(albums: 2, to: home.music)
    try home.folder.makeFolder("bin")
    let crated = home.folder.path("bin/crated")
    try copy(try Home.program("crated"), to: crated)
    let reader = home.folder.path("bin/crate-tag-reader")
    let built = try Home.program("crate-tag-reader")
    try #require(symlink(built, reader) == 0)
    var daemon = try RunningDaemon(home, program: crated)
    var client = try CratesClient(home)
    try client.sync()
    try client.move(albums: [try client.albums()[1].id], .top)
    let order = try client.order()
    try daemon.stop()

    // The reader is not installed, and there is no index: every file has to be read.
    unlink(reader)
    removeTree(home.folder.path("cache/crated"))
    try SmallLibrary.song(2, 1, to: home.music)
    daemon = try RunningDaemon(home, program: crated)
    client = try CratesClient(home)
    try client.sync()
    expectSame(try client.order(), order)
    #expect(try client.status().gone == 0)
    try expectProblems(home, 7, "\(reader) could not be started (No such file or directory)")
    try #require(symlink(built, reader) == 0)
    try expectNewAlbum(3, home, client, on: order)

    // The reader is there, and the system has no process to spare.
    try daemon.stop()
    daemon = try RunningDaemon(home, program: crated)
    client = try CratesClient(home)
    try client.sync()
    let before = try client.order()
    let faults = ["clone", "clone3", "vfork"].map { "\($0):error=EAGAIN" }
    let tracer = try Tracer(daemon, thread: "tag-readers", home, faults: faults)
    try SmallLibrary.song(3, 1, to: home.music)
    try client.sync()
    try expectProblems(home, 1, "could not be started (Resource temporarily unavailable)")
    expectSame(try client.order(), before)
    #expect(try tracer.end().contains { $0.isInjected })
    try expectNewAlbum(4, home, client, on: before)
    try daemon.stop()
  }

  private func expectProblems(_ home: Home, _ count: Int, _ reason: String) throws {
    let problems = try home.problems()
    #expect(problems.count == count)
    #expect(problems.allSatisfy { $0.message.contains(reason) }, "\(problems)")
  }

  /// An album comes though nobody touches its files: the next rescan that finds a reader is enough.
  /// A rescan in whose midst one comes reads only the rest.
  private func expectNewAlbum(
    _ count: Int, _ home: Home, _ client: CratesClient, on order: Order
  ) throws {
    for _ in 0..<1000 {
      if try client.albums().count >= count && home.problems().isEmpty { break }
      try home.crate("rescan")
    }
    #expect(try home.problems().isEmpty)
    let albums = try client.order().albums
    #expect(albums.count == count)
    #expect(Array(albums.dropFirst()) == order.albums)
  }
}
