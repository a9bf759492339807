import Glibc
import TestSupport
import Testing

@testable import LibraryModel
@testable import LibraryStore

/// A merge is a pure function of what was found, in however many pieces it is found.
@Suite("Purity")
struct PurityTests {
  private func folder(albums: Int) -> PlainFolder {
    var folder = PlainFolder()
    for number in 0..<albums {
      for track in 1...(1 + number % 3) {
        var tags = SongTags()
        (tags.title, tags.track) = ("T\(number) \(track)", track)
        tags.album = "N\(number * 7 % 5)"
        tags.artist = ["X", "Y"][number % 2]
        if number % 3 > 0 { tags.albumArtist = tags.artist }
        if number % 4 == 3 { tags.album = "" }
        folder.put("m/\(number)/\(track).flac", tags)
      }
    }
    return folder
  }

  /// The order after the files have been found in these pieces of one first scan.
  private func scan(_ folder: PlainFolder, _ pieces: [[String]]) -> [String] {
    var library = Library()
    library.away.folders = [bytePath(PlainFolder.root)]
    var lookups = Lookups(library, roots: [bytePath(PlainFolder.root)])
    for (number, piece) in pieces.enumerated() {
      var contents = FolderContents(root: bytePath(PlainFolder.root), seen: 1_700_000_000_000)
      contents.isFirstScan = true
      contents.endsFirstScan = number == pieces.count - 1
      for path in piece {
        guard let file = folder.files[path] else { continue }
        contents.found.append(FolderContents.Found(path: bytePath(path), facts: file.facts))
      }
      let old = library
      let outcome = Merge.merge(contents, into: library, lookups: lookups, newAlbums: nil)
      library = outcome.decision.library
      lookups.follow(
        from: old, to: library, songs: outcome.songs, albums: outcome.albums, files: outcome.files)
    }
    return library.crates.flatMap { crate in
      [crate.name]
        + crate.albums.compactMap { library.albums[$0] }.filter(library.isListed).flatMap { album in
          ["\(library.face(of: album).title) \(album.isArranged)"]
            + library.listedSongs(of: album).map { "\($0.path.display) \($0.added)" }
        }
    }
  }

  @Test("a first scan ends the same, however it is cut into two")
  func everyCut() {
    let folder = folder(albums: 5)
    let paths = folder.paths
    let whole = scan(folder, [paths])
    #expect(whole.count > paths.count)
    for bits in 0..<(1 << paths.count) {
      let first = paths.indices.filter { bits >> $0 & 1 == 1 }.map { paths[$0] }
      let cut = scan(folder, [first, paths.filter { !first.contains($0) }])
      if cut != whole {
        Issue.record("\(first) first: \(cut), not \(whole)")
        return
      }
    }
  }

  @Test("a first scan ends the same in any pieces, in any order")
  func anyPieces() {
    var random = SeededGenerator(usually: 20_261_124)
    for _ in 0..<300 {
      let folder = folder(albums: Int.random(in: 2...9, using: &random))
      let paths = folder.paths.shuffled(using: &random)
      var pieces: [[String]] = [[]]
      for path in paths {
        if Int.random(in: 0..<3, using: &random) == 0 { pieces.append([]) }
        pieces[pieces.count - 1].append(path)
      }
      let (cut, whole) = (scan(folder, pieces), scan(folder, [folder.paths]))
      if cut != whole {
        Issue.record("\(random) \(pieces): \(cut), not \(whole)")
        return
      }
    }
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
    for order in permutations(events) {
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
      return try write(Self.busyLife(), to: String(cString: file))
    }
    let program = try String(decoding: arguments()[0], as: UTF8.self)
    let rest = try arguments().dropFirst().map { String(decoding: $0, as: UTF8.self) }
    let temporary = try TemporaryFolder()
    var texts: [[UInt8]] = [try Self.busyLife()]
    for (number, hashing) in ["0", "1", "0"].enumerated() {
      let file = "\(temporary.path)/\(number)"
      let result = try run(
        program, Self.onlyThis(rest),
        environment: [Self.digestFile: file, "SWIFT_DETERMINISTIC_HASHING": hashing])
      #expect(result.status == 0, "\(result.errors)")
      texts.append(try read(file))
    }
    #expect(texts[0].count > 10_000)
    for text in texts { #expect(text == texts[0]) }
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

  /// The journals and snapshots of long histories.
  private static func busyLife() throws -> [UInt8] {
    var text: [UInt8] = []
    for seed in 1...4 {
      var history = RandomHistory(seed: UInt64(seed))
      try history.begin()
      for _ in 0..<60 {
        try history.step()
        text += Snapshot.text(history.library)
      }
    }
    return text
  }
}

private func read(_ path: String) throws -> [UInt8] {
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

private func write(_ bytes: [UInt8], to path: String) throws {
  let file = try #require(fopen(path, "w"), "\(path)")
  defer { fclose(file) }
  #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
}
