import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// What taggers and file managers do to songs of every format.
@Suite("Songs that are renamed, moved, retagged and replaced", .serialized, .limited)
struct RecognisingTests {
  static let songsPerAlbum = 3

  enum Operation: String, CaseIterable {
    case rename, move, retag, retagAndMove, replace
  }

  enum Meanwhile: CaseIterable {
    case running, stopped, stoppedWithoutIndex
  }

  /// One album for each operation and format.
  struct Cell {
    var operation: Operation
    var album: TaggedAlbum
    /// The songs' ids and what they have to be recognised by; nil: they are where they were.
    var ids: [String] = []
    var evidence: [String?] = []
  }

  let home: Home
  let tagger: Tagger
  let sounds: [SampleFormat: [String]]

  init() throws {
    home = try Home()
    tagger = try Tagger()
    var sounds: [SampleFormat: [String]] = [:]
    for format in StoryTests.formats {
      sounds[format] = try SampleMusic.sounds(format)
    }
    self.sounds = sounds
  }

  @Test(
    "Places, ids and the person's order stay, in every format, and the history says by what",
    arguments: Meanwhile.allCases)
  func recognised(_ meanwhile: Meanwhile) throws {
    var cells = try makeCells()
    if meanwhile == .stoppedWithoutIndex {
      // All that the store keeps of a song that is there is its sound.
      cells.removeAll { $0.operation == .replace }
    }
    let session = try Session(home)
    for index in cells.indices { cells[index].ids = try ids(of: cells[index], session.client) }
    try arrange(session.client)
    let order = try session.client.order()
    let first = try session.client.status().sequence

    func perform(_ operation: Operation) throws {
      for index in cells.indices where cells[index].operation == operation {
        try self.perform(&cells[index])
      }
    }
    if meanwhile == .running {
      for operation in Operation.allCases {
        try perform(operation)
        try session.client.sync()
        expectSame(try session.client.order(), order, "after \(operation)")
      }
    } else {
      try session.restart(withoutIndex: meanwhile == .stoppedWithoutIndex) {
        for operation in Operation.allCases { try perform(operation) }
      }
    }
    expectSame(try session.client.order(), order)
    let last = try session.client.status().sequence
    try expectFollowed(cells, session.client, after: first)

    // Nothing of it is known by the index alone.
    try session.restart(withoutIndex: true)
    #expect(try session.client.status().sequence == last)
    expectSame(try session.client.order(), order, "without the index")
    try session.stop()
  }

  // MARK: The albums

  private func makeCells() throws -> [Cell] {
    var cells: [Cell] = []
    for (number, operation) in Operation.allCases.enumerated() {
      for format in StoryTests.formats {
        let title = "\(operation) \(format)"
        try home.folder.makeFolder("Music/\(title)")
        let first = number * Self.songsPerAlbum
        let own = try #require(sounds[format])[first..<first + Self.songsPerAlbum]
        let album = try TaggedAlbum(
          title, by: "Artist \(format)", format, of: own, in: "\(home.music)/\(title)", tagger)
        cells.append(Cell(operation: operation, album: album))
      }
    }
    return cells
  }

  private func ids(of cell: Cell, _ client: CratesClient) throws -> [String] {
    let songs = try client.songs()
    return try cell.album.paths.map { path in
      try #require(songs.first { $0.path == path }, "\(path) is not listed").id
    }
  }

  /// Puts things where no rule would put them. One album in five keeps the order of its tracks.
  private func arrange(_ client: CratesClient) throws {
    let albums = try client.albums().map(\.id)
    try client.ask(.sortAlbums(albums: albums, order: .title, sequence: nil))
    try client.ask(.sortAlbums(albums: albums, order: .reversed, sequence: nil))
    let sorted = try client.albums().map(\.id)
    let evening = sorted.enumerated().filter { $0.offset % 3 == 1 }.map(\.element)
    try client.move(albums: evening, .top, to: "Evening")
    let songs = Dictionary(grouping: try client.songs(), by: \.album)
    for (number, album) in sorted.enumerated() where number % 5 != 0 {
      let last = try #require(songs[album]?.last).id
      try client.move(songs: [last], .top)
    }
  }

  // MARK: The operations

  private func perform(_ cell: inout Cell) throws {
    let count = cell.album.paths.count
    let suffix = cell.album.format.pathExtension
    cell.evidence = Array(repeating: "the same sound", count: count)
    switch cell.operation {
    case .rename:
      for index in 0..<count {
        let path = "\(home.music)/\(cell.album.title)/renamed \(9 - index).\(suffix)"
        try move(cell.album.paths[index], to: path)
        cell.album.paths[index] = path
      }
    case .move:
      let folder = try home.folder.makeFolder("Music/Elsewhere/deep/\(cell.album.format)")
      for index in 0..<count {
        let path = "\(folder)/\(index).\(suffix)"
        try move(cell.album.paths[index], to: path)
        cell.album.paths[index] = path
      }
    case .retag:
      for index in 0..<count { try retag(cell.album, index) }
      cell.evidence = Array(repeating: nil, count: count)
    case .retagAndMove:
      let folder = try home.folder.makeFolder("Music/Again/\(cell.album.format)")
      for index in 0..<count {
        let path = "\(folder)/other \(index).\(suffix)"
        if index == 2 {
          // Not even the file is the same.
          let draft = home.folder.path("moved.\(suffix)")
          try writeFile(try readFile(cell.album.paths[index]), to: draft)
          removeTree(cell.album.paths[index])
          cell.album.paths[index] = draft
        }
        try retag(cell.album, index)
        try move(cell.album.paths[index], to: path)
        cell.album.paths[index] = path
      }
    case .replace:
      try replace(&cell)
      cell.evidence = Array(repeating: "its tags", count: count)
    }
  }

  /// The first song's tags grow, the second's shrink, and the third's file is written anew by
  /// another tagger.
  private func retag(_ album: TaggedAlbum, _ index: Int) throws {
    let path = album.paths[index]
    var tags = album.tags(of: index)
    tags["title", default: ""] += " (again)"
    let comment = String(repeating: "It has been said before. ", count: 1000)
    switch index {
    case 0:
      tags["comment"] = comment
      let before = try readFile(path).count
      try tagger.write(tags, picture: 100_000, to: path)
      #expect(try readFile(path).count > before + 90_000)
    case 1:
      tags["date"] = nil
      let before = try readFile(path).count
      try tagger.write(tags, to: path)
      #expect(try readFile(path).count < before - 9_000)
    default:
      let draft = home.folder.path("draft.\(album.format.pathExtension)")
      tags["comment"] = comment
      if album.format == .flac {
        try writeFile(try readFile(path), to: draft)
        let named = ["album_artist": "ALBUMARTIST", "track": "TRACKNUMBER"]
        let words = tags.sorted { $0.key < $1.key }.map { key, value in
          "--set-tag=\(named[key] ?? key.uppercased())=\(value)"
        }
        let result = try run("metaflac", ["--remove-all-tags"] + words + [draft])
        try #require(result.status == 0, "metaflac: \(result.errors)")
      } else {
        try SampleMusic.retag(path, album.format, tags: tags, to: draft)
      }
      try move(draft, to: path)
    }
  }

  /// The same songs in another format, as another encoder heard them.
  private func replace(_ cell: inout Cell) throws {
    let formats = StoryTests.formats
    let place = try #require(formats.firstIndex(of: cell.album.format))
    let other = formats[(place + 1) % formats.count]
    let spare = try #require(sounds[other]).suffix(Self.songsPerAlbum)
    let staging = try home.folder.makeFolder("staging")
    let new = try TaggedAlbum(
      cell.album.title, by: cell.album.artist, other, of: spare, in: staging, tagger)
    for (index, path) in new.paths.enumerated() {
      let target = "\(home.music)/\(cell.album.title)/new \(index).\(other.pathExtension)"
      removeTree(cell.album.paths[index])
      try move(path, to: target)
      cell.album.paths[index] = target
    }
  }

  // MARK: What came of it

  private func expectFollowed(
    _ cells: [Cell], _ client: CratesClient, after sequence: Int
  ) throws {
    let songs = try client.songs()
    #expect(songs.count == StoryTests.formats.count * Operation.allCases.count * 3)
    #expect(songs.allSatisfy { $0.presence == .present })
    let paths = Dictionary(uniqueKeysWithValues: songs.map { ($0.id, $0.path) })
    let notes = try client.changes(after: sequence).flatMap(\.notes)
    for cell in cells {
      for (index, id) in cell.ids.enumerated() {
        let path = cell.album.paths[index]
        #expect(paths[id] == path, "\(cell.album.title)")
        let own = notes.filter { $0.hasPrefix("\(path) ") }
        let expected = cell.evidence[index].map { "\(path) was recognised by \($0)" }
        #expect(own == (expected.map { [$0] } ?? []), "\(cell.album.title)")
      }
    }
    let retagged = songs.filter { $0.albumTitle.hasPrefix("retag") }
    #expect(retagged.allSatisfy { $0.title.hasSuffix(" (again)") })
  }
}
