import Glibc
import ProgramSupport
import TestSupport
import Testing

/// What `crate` says to whoever types, word for word: each file is one life of a library, told by
/// its commands and what they print. `UPDATE_GOLDEN=1` writes them anew.
@Suite("Transcripts of crate", .limited)
struct TranscriptTests {
  private static let folder = Repository.folder() + "/../Transcripts"

  static let all = (try? names(in: folder))?.sorted() ?? []

  @Test("A command prints what it printed", arguments: all)
  func transcript(_ name: String) throws {
    let home = try home()
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let path = "\(Self.folder)/\(name)"
    let lines = String(decoding: try readFile(path), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    // What precedes the first command says what it is about.
    var told = lines.prefix { !$0.hasPrefix("$ ") }.map(String.init)
    for line in lines where line.hasPrefix("$ ") {
      told.append(String(line))
      let said = try output(of: String(line.dropFirst(2)), in: home)
      told += isSanitized ? said.compactMap(Self.withoutWarnings) : said
    }
    try daemon.stop()
    if getenv("UPDATE_GOLDEN") != nil {
      return try writeFile(Array((told.joined(separator: "\n") + "\n").utf8), to: path)
    }
    let expected = lines.dropLast().map(String.init)
    for (place, pair) in zip(told, expected).enumerated() where pair.0 != pair.1 {
      Issue.record("\(name):\(place + 1) says \(pair.0), not \(pair.1)")
      return
    }
    #expect(told.count == expected.count)
  }

  @Test("There are transcripts, and each has its commands")
  func some() throws {
    #expect(Self.all.count >= 8)
    for name in Self.all {
      let text = String(decoding: try readFile("\(Self.folder)/\(name)"), as: UTF8.self)
      #expect(text.contains("\n$ "), "\(name)")
    }
  }

  /// Six albums of three songs, a day between them, so that the last is on top.
  private func home() throws -> Home {
    let home = try Home()
    try home.configure("music_folders = [\"\(home.music)\"]\nplayer = \"cat {}\"\n")
    try SmallLibrary.write(albums: 6, to: home.music)
    for album in 0..<6 {
      for track in 1...3 {
        var times = [timespec](repeating: timespec(), count: 2)
        let day = 1_577_836_800 + album * 86_400
        for place in times.indices { times[place].tv_sec = day }
        try #require(utimensat(AT_FDCWD, "\(home.music)/\(album)-\(track).flac", times, 0) == 0)
      }
    }
    return home
  }

  /// Under a sanitizer no reader is confined, of which the status warns. A terminal's lines end
  /// with two characters that are one to Swift, so that all of them are one of ours.
  private static func withoutWarnings(_ line: String) -> String? {
    let rows = line.split(separator: "\r\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("Warning ") }
    return rows.isEmpty ? nil : rows.joined(separator: "\r\n")
  }

  private static let arrival = "ALBUMS are new"

  /// A line of a history without what precedes its time.
  private static func said(_ line: String) -> Substring {
    line.firstRange(of: "TIME").map { line[$0.lowerBound...] } ?? line[...]
  }

  /// A line that is drawn in place of the one before, or wipes it.
  private static var drawn: Regex<Substring> { /\r[^\r\n]*\u{1B}\[K/ }

  /// Without what is of one run only: times, numbers of processes and of changes, and in how many
  /// pieces the first look came.
  private static func reduced(_ text: String) -> String {
    // A slow machine makes people wait, and shows them what for.
    withoutWaiting(
      text.replacing(drawn.matchingSemantics(.unicodeScalar), with: "").replacing("\r", with: "")
    )
    .replacing(
      /20(2[1-9]|[3-9]\d)-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?/, with: "TIME"
    )
    .replacing(/process \d+/, with: "process PID")
    .replacing(/change \d+/, with: "change N")
    .replacing(/sequence \d+/, with: "sequence N")
    .replacing(/now at \d+/, with: "now at N")
    .replacing(/order-\w+-\w+.crates/, with: "order-TEXT.crates")
    // A busy machine takes its time over an editor that does nothing.
    .replacing(/(?m)^crate: the editor returned at once; .*\n/, with: "")
    .replacing(/"(sequence|came)":\d+/) { "\"\($0.1)\":N" }
    .replacing(/(?m)^\d+(?=(\t|  )TIME)/, with: "N")
    .replacing(/(TIME(\t|  )folder\2).*\bAlbum \d\b.*\b(is|are) new\b.*/) { $0.1 + arrival }
  }

  /// The lines of one command for a shell, with what is of this run only left out, and its status.
  private func output(of command: String, in home: Home) throws -> [String] {
    var environment = home.environment
    environment["LC_ALL"] = "C.UTF-8"
    environment["NO_COLOR"] = "1"
    let programs = try Home.program("crate").split(separator: "/").dropLast()
    environment["PATH", default: ""] = "/" + programs.joined(separator: "/") + ":/usr/bin:/bin"
    let result = try run(
      "timeout",
      Home.limit + ["sh", "-c", "cd \"$HOME\"\n(\(command)\n) 2>&1 </dev/null"],
      environment: environment)
    let text = Self.reduced(result.output.replacing(home.folder.path, with: "~"))
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      // A slow machine takes a first look in several pieces.
      if line.contains(Self.arrival), Self.said(line) == lines.last.map(Self.said) { continue }
      lines.append(line)
    }
    if lines.last == "" { lines.removeLast() }
    if result.status != 0 { lines.append("[\(result.status)]") }
    return lines
  }
}
