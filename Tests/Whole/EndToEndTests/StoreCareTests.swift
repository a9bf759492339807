import CratesInterface
import Glibc
import Platform
import ProgramSupport
import Synchronization
import TestSupport
import Testing

@Suite("crated check and crated restore", .serialized, .limited)
struct StoreCareTests {
  let home: Home

  init() throws {
    home = try Home()
    try copy(try SampleMusic.albums([.mp3, .flac, .ogg]), to: "\(home.music)/Here")
  }

  /// The last line that check prints.
  private func verdict(_ result: ProgramResult) -> String {
    String(result.output.split(separator: "\n").last ?? "")
  }

  /// Everything about the store that a check may not change.
  private func look() throws -> ProgramResult {
    try run("find", [home.store, "-printf", "%p %i %m %s %T@ %C@\n"])
  }

  @Test("A store is checked while it is used and while it is not, and nothing changes")
  func good() throws {
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    try home.crate("move", "Album ogg", "to", "Evening")
    var before = try look()
    let used = try home.crated("check")
    #expect(used.output.contains("in use by the crated with process id \(daemon.pid)"))
    #expect(verdict(used).hasPrefix("good: "))
    #expect(verdict(used).contains("with 9 songs in 2 crates, change "))
    #expect(try look().outputBytes == before.outputBytes)
    try daemon.stop()
    before = try look()
    let free = try home.crated("check", home.store + "/")
    #expect(!free.output.contains("in use"))
    #expect(verdict(free).hasPrefix("good: "))
    #expect(try look().outputBytes == before.outputBytes)
  }

  @Test("A store on a read-only file system is checked")
  func readOnly() throws {
    let first = try RunningDaemon(home)
    try first.sync()
    try first.stop()
    let space = try MountSpace(home.folder)
    try space.mountReadOnly(home.store)
    let inside = try Home(folder: home.folder, prefix: space.prefix)
    try inside.crated("check")
    let touch = try run("nsenter", Array(space.prefix.dropFirst()) + ["touch", home.store + "/x"])
    #expect(touch.status != 0)
  }

  @Test("Findings have file and line; the exit status tells what can still be opened")
  func findings() throws {
    #expect(verdict(try home.crated("check", status: 65)).hasPrefix("unusable: "))
    #expect(access(home.store, F_OK) != 0)
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    try home.crate("move", "Album ogg", "to", "Evening")
    // A line of its own, wherever the albums stand.
    try home.crate("rename", "Evening", "Night")
    try daemon.kill()
    let contents = try home.storeContents()
    let journal = try #require(
      contents.filter { $0.key.contains("journal.") }.max { $0.value.count < $1.value.count })
    // The last batch is torn: it never happened.
    try writeFile(Array(journal.value.dropLast(3)), to: journal.key)
    let torn = try home.crated("check")
    #expect(torn.output.contains("\(journal.key):"))
    #expect(torn.output.contains("note: the last batch"))
    // In the last record but one: the last has a line before and one after its change.
    var bytes = journal.value
    let ends = bytes.indices.filter { bytes[$0] == 10 }
    bytes[ends[ends.count - 4] - 20] ^= 1
    try writeFile(bytes, to: journal.key)
    let damaged = try home.crated("check", status: 1)
    #expect(
      damaged.output.firstMatch(of: #/journal\.\d+\.txt:\d+: /#) != nil, "\(damaged.output)")
    try writeFile(journal.value, to: journal.key)

    try #require(chmod(journal.key, 0o644) == 0)
    #expect(try home.crated("check", status: 1).output.contains("chmod 600 \(journal.key)"))
    try #require(chmod(journal.key, 0o600) == 0)
    for path in contents.keys where path.contains("crates.") {
      try writeFile(Array("crated 9\n".utf8), to: path)
    }
    try home.crated("check", status: 78)
    for path in contents.keys where path.contains("crates.") { try writeFile([], to: path) }
    try home.crated("check", status: 65)
    try home.crated("check", "one", "two", status: 64)
  }

  @Test("A copy of the store taken at any moment opens, with what was there then")
  func copies() throws {
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let copies = try home.folder.makeFolder("copies")
    let isDone = Mutex(false)
    let made = Mutex(0)
    let store = home.store
    let copying = BlockingThread("copying") {
      while !isDone.withLock({ $0 }) {
        let number = made.withLock { $0 }
        if (try? run("cp", ["-a", store, "\(copies)/\(number)"]))?.status != 0 { return }
        made.withLock { $0 += 1 }
      }
    }
    for _ in 0..<30 { try home.crate("move", "Music", "3", "top") }
    isDone.withLock { $0 = true }
    copying.join()
    let count = made.withLock { $0 }
    var sequences: Set<String> = []
    for number in stride(from: 0, to: count, by: count / 20 + 1) {
      let last = verdict(try home.crated("check", "\(copies)/\(number)"))
      #expect(last.contains("with 9 songs in 1 crate, "), "\(last)")
      sequences.insert(last)
    }
    #expect(sequences.count > 1, "nothing happened between two of \(count) copies")
    try daemon.stop()
    removeTree(home.store)
    try run("cp", ["-a", "\(copies)/\(count / 2)", home.store])
    let again = try RunningDaemon(home)
    try again.sync()
    #expect(try home.places().count == 9)
    try again.stop()
  }

  @Test(
    "An order of the past is laid over that of now, as one change, by a daemon that runs or not")
  func restores() throws {
    var daemon = try RunningDaemon(home)
    try daemon.sync()
    try home.crate("move", "Album ogg", "to", "Evening")
    try home.crate("rename", "Evening", "Night")
    let backedUp = try home.places()
    try daemon.stop()
    let generation = try #require(try newestSnapshot())
    let elsewhere = try home.folder.write(
      try readFile("\(home.store)/crates.\(generation).txt"), to: "elsewhere/order.txt")

    daemon = try RunningDaemon(home)
    try daemon.sync()
    try home.crate("move", "Album ogg", "to", "Music", "bottom")
    try home.crate("move", "Album mp3", "top")
    let later = try home.places()
    for backup in ["\(generation)", "crates.\(generation).txt", elsewhere] {
      // Nobody can be asked here.
      let shown = try home.crated("restore", backup, status: 64)
      #expect(shown.output.contains("Album ogg would be in the new crate Night"), "\(shown)")
      #expect(shown.errors.contains("--yes"))
      expectSame(try home.places(), later)
      let said = try home.crated("restore", "--yes", backup).output
      #expect(said.contains("\nRestored the order of "), "\(said)")
      expectSame(try home.places(), backedUp)
      let change = try #require(try home.json("history", "-n", "1").first)
      let origin = try #require(change["origin"]?.string)
      #expect(origin.hasPrefix("order of "))
      #expect(change["summary"]?.string == "Restored the \(origin)")
      #expect(try home.crated("restore", "--yes", backup).output.hasPrefix("nothing to do"))
      try home.crate("undo")
      expectSame(try home.places(), later)
    }
    try daemon.stop()

    try home.crated("restore", "999", status: 64)
    try home.crated("restore", home.settings, status: 65)
    let said = try home.crated("restore", "\(generation)", "--yes").output
    #expect(said.contains("\nRestored the order of "), "\(said)")
    try home.crated("check")
    #expect(try home.crated("restore", "\(generation)", "--yes").output.hasPrefix("nothing to do"))
    daemon = try RunningDaemon(home)
    try daemon.sync()
    expectSame(try home.places(), backedUp)
    #expect(try home.problems().isEmpty)
    try home.crate("undo")
    expectSame(try home.places(), later)
    try daemon.stop()
  }

  @Test("What came since a backup stays, and what is there no more is left out")
  func restoresWithout() throws {
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    try home.crate("move", "Album ogg", "to", "Evening")
    try daemon.stop()
    let generation = try #require(try newestSnapshot())
    let again = try RunningDaemon(home)
    try again.sync()
    // One goes for good, one comes.
    for file in try home.json("list", "Album mp3").compactMap({ $0["path"]?.string }) {
      unlink(file)
    }
    try again.sync()
    try home.crate("forget", "--yes")
    try SmallLibrary.write(albums: 1, to: home.music)
    try again.sync()
    try home.crate("move", "Album ogg", "to", "Music", "bottom")
    try home.crated("restore", "\(generation)", "--yes")
    let albums = try home.json("list", "Evening")
    #expect(albums.map { $0["title"]?.string } == ["Album ogg"])
    #expect(try home.json("list", "Music").contains { $0["title"]?.string == "Album 0" })
    try again.stop()
  }

  @Test("The generations are listed with their dates and what is in them")
  func lists() throws {
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let status = try home.status()
    let counts = [status.crates, status.albums, status.songs].map(String.init)
    try daemon.stop()
    let generation = try #require(try newestSnapshot())
    let lines = try home.crated("restore").output.split(separator: "\n").map { line in
      line.split(separator: " ").map(String.init)
    }
    #expect(lines.first == ["Generation", "Written", "Crates", "Albums", "Songs"])
    #expect(lines[1].first == "\(generation)")
    #expect(Array(lines[1].suffix(3)) == counts, "\(lines)")
    // That of the first start has nothing in it.
    let first = try home.crated("restore", "1", "--yes").output
    #expect(first.hasPrefix("nothing to do: there was no album on "), "\(first)")
  }

  @Test("A restore mends a store that crated refuses to start on, as the refusal says")
  func mends() throws {
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let places = try home.places()
    try daemon.stop()
    let generation = try #require(try newestSnapshot())
    let copy = try home.folder.write(
      try readFile("\(home.store)/crates.\(generation).txt"), to: "order.txt")
    for path in try home.storeContents().keys { try writeFile([], to: path) }
    let refusal = try RunningDaemon.refusal(home)
    #expect(refusal.status == 65)
    #expect(refusal.lines.last?.contains("crated restore") == true, "\(refusal.lines)")
    try home.crated("restore", "--yes", copy)
    let again = try RunningDaemon(home)
    try again.sync()
    expectSame(try home.places(), places)
    try again.stop()
  }

  private func newestSnapshot() throws -> Int? {
    try home.storeContents().keys.compactMap { path in
      let parts = path.split(separator: "/").last?.split(separator: ".") ?? []
      let isHere = path.hasPrefix("\(home.store)/crates.") && parts.last == "txt"
      return isHere && parts.count == 3 ? Int(parts[1]) : nil
    }.max()
  }
}
