import Glibc
import TestSupport
import Testing

@testable import LibraryModel
@testable import LibraryStore

/// A merge is a pure function of what was found, in however many pieces it is found.
@Suite("Purity", .limited)
struct PurityTests {
  /// Names in both normal forms, of letters that fold to several, and of bytes that need care.
  private static let names = [
    "Blue", "Caf\u{E9}", "Cafe\u{301}", "Stra\u{DF}e", "STRASSE", "\u{130}x", "\u{FB01}n", "fin",
    "100%",
    "a\u{1}b", "", "Blue", "Kind of Blue",
  ]

  /// - Parameter isWild: albums may lie in several folders, and in disc folders of one.
  private func folder(albums: Int, _ random: inout SeededGenerator) -> PlainFolder {
    var folder = PlainFolder()
    func pick() -> String { Self.names.randomElement(using: &random) ?? "" }
    for number in 0..<albums {
      let directory = plainPath(text: pick())
      // Two spellings of one name are one album folder of two directories, which come one by one.
      let isShared = number % 3 == 0 && !directory.contains("%CC")
      let place = "m/\(directory.isEmpty ? "x" : directory)\(isShared ? "" : "\(number)")"
      var tags = SongTags()
      (tags.album, tags.artist) = (pick(), ["X", "Y", "Stra\u{DF}e"][number % 3])
      if number % 3 > 0 { tags.albumArtist = tags.artist }
      // Longer than any line of the journal may be.
      if Int.random(in: 0..<40, using: &random) == 0 {
        tags.release = String(repeating: "r%", count: 32 * 1024)
      }
      for track in 1...(1 + number % 3) {
        // No two of them are on one track: those would be editions, of which the first seen is
        // first.
        let own = 10 * number + track
        (tags.title, tags.track) = ("\(pick()) \(track)", number % 4 == 0 ? nil : own)
        folder.put("\(place)/\(number) \(track).flac", tags)
      }
    }
    return folder
  }

  private struct Scanned: Equatable {
    /// All ids of albums and songs.
    var ids: [String]
    var order: [String]
  }

  /// The order after the files have been found in these pieces of one first scan.
  private func scan(_ folder: PlainFolder, _ pieces: [[String]]) -> Scanned {
    var library = Library()
    library.away.folders = [bytePath(PlainFolder.root)]
    var lookups = Lookups(library, roots: [bytePath(PlainFolder.root)])
    for (number, piece) in pieces.enumerated() {
      var contents = FolderContents(root: bytePath(PlainFolder.root), seen: 1_700_000_000_000)
      contents.isFirstScan = true
      contents.endsFirstScan = number == pieces.count - 1
      for path in piece {
        guard let file = folder.files[path] else { continue }
        contents.found.append(
          FolderContents.Found(path: bytePath(path), facts: file.facts(at: path)))
      }
      let old = library
      let outcome = Merge.merge(contents, into: library, lookups: lookups, newAlbums: nil)
      library = outcome.decision.library
      lookups.follow(
        from: old, to: library, songs: outcome.songs, albums: outcome.albums)
    }
    let order = library.crates.flatMap { crate in
      [crate.name]
        + crate.albums.compactMap { library.albums[$0] }.filter(library.isListed).flatMap { album in
          ["\(album.id) \(library.face(of: album).title) \(album.isArranged)"]
            + library.listedSongs(of: album).map { "\($0.id) \($0.path.display) \($0.added)" }
        }
    }
    let ids = library.albums.values.map { "\($0.id)" } + library.songs.values.map { "\($0.id)" }
    return Scanned(ids: ids.sorted(), order: order)
  }

  /// A look is at a whole directory.
  private func directories(_ folder: PlainFolder) -> [[String]] {
    Dictionary(grouping: folder.paths, by: parent).sorted { isEarlier($0.key, $1.key) }.map(\.value)
  }

  @Test("a first scan ends the same, ids and all, however it is cut into two")
  func everyCut() {
    var random = SeededGenerator(usually: 20_261_123)
    for _ in 0..<8 {
      let folder = folder(albums: 6, &random)
      let directories = directories(folder)
      let whole = scan(folder, [folder.paths])
      for bits in 0..<(1 << directories.count) {
        let parts = directories.indices.map { (bits >> $0 & 1 == 1, directories[$0]) }
        let first = parts.filter(\.0).flatMap(\.1)
        let cut = scan(folder, [first, parts.filter { !$0.0 }.flatMap(\.1)])
        if cut != whole {
          Issue.record("\(random) \(first) first: \(cut.order), not \(whole.order)")
          return
        }
      }
    }
  }

  @Test("a first scan ends the same, ids and all, in any pieces, in any order")
  func anyPieces() {
    var random = SeededGenerator(usually: 20_261_124)
    for _ in 0..<Effort.runs(50, nightly: 300) {
      let folder = folder(albums: Int.random(in: 2...9, using: &random), &random)
      let pieces = pieces(folder, &random)
      let (cut, whole) = (scan(folder, pieces), scan(folder, [folder.paths]))
      if cut != whole {
        Issue.record("\(random) \(pieces): \(cut.order), not \(whole.order)")
        return
      }
    }
  }

  private func pieces(
    _ folder: PlainFolder, _ random: inout SeededGenerator
  ) -> [[String]] {
    var pieces: [[String]] = [[]]
    for directory in directories(folder).shuffled(using: &random) {
      if Int.random(in: 0..<3, using: &random) == 0 { pieces.append([]) }
      pieces[pieces.count - 1] += directory.shuffled(using: &random)
    }
    return pieces
  }

  @Test("disappearances and appearances are matched in every order", arguments: [false, true])
  func everyOrder(isArranged: Bool) throws {
    var start = RandomHistory(seed: 1)
    start.newAlbums = nil
    for (folder, title) in [("m/a", "A"), ("m/b", "B")] {
      for track in 1...3 {
        var tags = SongTags()
        (tags.title, tags.track, tags.album) = ("\(title) \(track)", track, title)
        tags.albumArtist = "X"
        start.folder.put("\(folder)/\(track).flac", tags)
      }
      try start.lookOnce()
    }
    let songs =
      start.library.crates[0].albums.first.flatMap { start.library.albums[$0]?.entries } ?? []
    if isArranged { try start.make(.sortSongs(songs, .reversed)) }
    start.folder.moveFolder("m/b", to: "m/c")
    var whole = start
    try whole.lookOnce()
    let events = (1...3).flatMap { ["m/b/\($0).flac", "m/c/\($0).flac"] }
    for order in Effort.some(of: permutations(events), oneIn: 8) {
      var history = start
      for path in order {
        let isFound = path.hasPrefix("m/c")
        try history.merge(isFound ? [path] : [], isFound ? [] : [path])
      }
      if history.shape != whole.shape {
        Issue.record("\(order): \(history.shape), not \(whole.shape)")
        return
      }
    }
  }

  // MARK: Processes

  private static let digestFile = "CRATED_TEST_DIGEST"

  @Test("a busy life comes to the same bytes in every process, whatever the seed of hash tables")
  func processes() throws {
    if let file = getenv(Self.digestFile) {
      // Another order of arrival in each process.
      let seed = getenv("CRATED_TEST_PIECES").flatMap { UInt64(String(cString: $0)) } ?? 0
      return try write(Self.busyLife() + scanned(inOrder: seed), to: String(cString: file))
    }
    let program = try String(decoding: arguments()[0], as: UTF8.self)
    let rest = try arguments().dropFirst().map { String(decoding: $0, as: UTF8.self) }
    let temporary = try TemporaryFolder()
    let own = try Self.busyLife() + scanned(inOrder: 0)
    #expect(own.count > 10_000)
    for number in 1...Effort.runs(3, nightly: 10) {
      let file = "\(temporary.path)/\(number)"
      let result = try run(
        program, Self.onlyThis(rest),
        environment: [
          Self.digestFile: file, "CRATED_TEST_PIECES": "\(number)",
          "SWIFT_DETERMINISTIC_HASHING": number == 1 ? "1" : "0",
        ])
      #expect(result.status == 0, "\(result.errors)")
      #expect(try read(file) == own, "process \(number)")
    }
  }

  /// What first scans of some folders come to, in pieces that come in this order.
  private func scanned(inOrder seed: UInt64) -> [UInt8] {
    var (names, order) = (SeededGenerator(seed: 7), SeededGenerator(seed: seed))
    return (0..<20).flatMap { _ -> [UInt8] in
      let folder = folder(albums: 8, &names)
      return Array(scan(folder, pieces(folder, &order)).order.joined(separator: "\n").utf8)
    }
  }

  /// The arguments of a test run, but for this test alone.
  private static func onlyThis(_ arguments: [String]) -> [String] {
    var kept: [String] = []
    var skips = false
    for argument in arguments {
      if skips || argument == "--filter" || argument == "--skip" {
        skips.toggle()
        continue
      }
      if argument.hasPrefix("--filter=") || argument.hasPrefix("--skip=") { continue }
      kept.append(argument)
    }
    return kept + ["--filter", "PurityTests/processes"]
  }

  private func arguments() throws -> [[UInt8]] {
    try read("/proc/self/cmdline").split(separator: 0).map(Array.init)
  }

  /// The changes and snapshots of long histories.
  private static func busyLife() throws -> [UInt8] {
    var text: [UInt8] = []
    for seed in 1...4 {
      var history = RandomHistory(seed: UInt64(seed))
      history.isJudged = false
      history.journal = []
      try history.begin()
      for _ in 0..<60 {
        try history.step()
        text += Snapshot.text(history.library)
      }
      text += try #require(history.journal)
    }
    return text
  }
}

func read(_ path: String) throws -> [UInt8] {
  let file = try #require(fopen(path, "r"), "\(path)")
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 65536)
  while true {
    let count = fread(&piece, 1, piece.count, file)
    if count == 0 { return bytes }
    bytes += piece[..<count]
  }
}

func write(_ bytes: [UInt8], to path: String) throws {
  let file = try #require(fopen(path, "w"), "\(path)")
  defer { fclose(file) }
  #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
}
