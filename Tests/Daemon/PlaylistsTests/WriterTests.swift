import Glibc
import Platform
import TestSupport
import Testing

@testable import LibraryModel
@testable import Playlists

/// Each player edits the lists of three crates again and again, while the person moves albums,
/// takes back and does again; against what must come of it whoever it was.
@Suite("Players that write lists, one after the other", .limited)
struct WriterTests {
  /// How many edits each writer makes.
  private static let edits = Effort.runs(200, nightly: 1_000)

  private var random = SeededGenerator(usually: 91)
  private var folder: EditedFolder
  private let songs: [String]
  private var ids: [String: SongID] = [:]
  private var writer = ListWriter.mpd
  /// What the writer has of each list: its songs and comments.
  private var held: [String: (songs: [String], comments: [String: String])] = [:]
  private var seen: [String: Int] = [:]
  private var round = 0
  private static let crates = ["Jazz", "Rock", "Pop"]
  private static let sizes = [[3, 5, 2, 8, 1, 4], [4, 4, 4], [1, 1, 2, 7, 3]]

  init() throws { (folder, songs) = try Self.anew(.m3u) }

  private static func anew(_ ending: PlaylistEnding) throws -> (EditedFolder, [String]) {
    var folder = try EditedFolder(Array(zip(crates, sizes)), ending, isInside: true)
    try folder.settle()
    return (folder, try crates.flatMap { try folder.crateSongs($0) }.sorted())
  }

  private var comment: Comment { "\(random), \(writer), round \(round)" }

  private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  private func read(_ bytes: [UInt8]) -> [String] {
    ListWriter.read(bytes, in: folder.root + "/")
  }

  private func path(_ crate: String) -> String { folder.lists.path(folder.name(crate)) }

  private var order: [[AlbumID]] { folder.music.library.crates.map { Array($0.albums) } }

  private var names: [String] { folder.music.library.crates.map(\.name) }

  // MARK: What they do

  private mutating func edited(_ list: [String], in crate: String) throws -> [String] {
    var list = list
    if list.isEmpty { return list }
    switch below(12) {
    case 0, 1: list.insert(list.remove(at: below(list.count)), at: below(list.count + 1))
    case 2, 3, 4:
      // An album, by its folder.
      let folder = list[below(list.count)].split(separator: "/").dropLast()
      let block = list.filter { $0.split(separator: "/").dropLast() == folder }
      list.removeAll { block.contains($0) }
      list.insert(contentsOf: block, at: below(list.count + 1))
    case 5: list.remove(at: below(list.count))
    case 6: list.removeSubrange(below(list.count)...)
    case 7, 8:
      let others = names.filter { $0 != crate }.flatMap { folder.albums($0) }
      if others.isEmpty { break }
      list += folder.songs(of: others[below(others.count)]).dropLast(below(4) == 0 ? 1 : 0)
    case 9: list.insert(list[below(list.count)], at: below(list.count))
    case 10: list.insert(below(2) == 0 ? "http://radio/" : "/gone/1.flac", at: below(list.count))
    default: if below(3) == 0 { list.shuffle(using: &random) }
    }
    return list
  }

  private mutating func actAsPerson() throws {
    switch below(5) {
    case 0: try folder.undo()
    case 1: try folder.redo()
    default:
      let albums = names.flatMap { folder.albums($0) }
      let crate = Self.crates[below(Self.crates.count)]
      let anchors = folder.albums(crate)
      let album = albums[below(albums.count)]
      let rest = anchors.filter { $0 != album }
      let place: Place<AlbumID> =
        rest.isEmpty || below(3) == 0 ? .top : .after(rest[below(rest.count)])
      try folder.move(album, place, to: crate)
    }
  }

  // MARK: What must come of it

  /// Every song is in one album, and every album in one crate; nothing went and nothing came.
  private func expectWhole() throws {
    let found = try names.flatMap { try folder.crateSongs($0) }
    #expect(found.count == songs.count, comment)
    #expect(found.sorted() == songs, comment)
    for name in names {
      if isLeft(name) { continue }
      let isSame = try read(readFile(path(name))) == folder.crateSongs(name)
      #expect(isSame, "\(name), \(comment)")
    }
  }

  /// Whether somebody writes the list again and again.
  private func isLeft(_ crate: String) -> Bool {
    folder.problems.contains {
      $0.contains("it stays so until the crate") && $0.contains("/\(folder.name(crate)):")
    }
  }

  /// What the person kept of a crate that went would be in the way of a new one of that name.
  private mutating func giveUpStrangers() throws {
    for name in names
    where folder.problems.contains(where: {
      $0.contains("/\(folder.name(name)): crated did not write")
    }) {
      unlink(path(name))
      try folder.settle()
    }
  }

  /// Whether a list is the crate's albums, whole and one after the other.
  private func isPlain(_ list: [String], of crate: String) throws -> Bool {
    if try list.sorted() != folder.crateSongs(crate).sorted() { return false }
    var ended: Set<String> = []
    var last = ""
    for song in list {
      let album = song.split(separator: "/").dropLast().joined(separator: "/")
      if album == last { continue }
      if !ended.insert(album).inserted { return false }
      last = album
    }
    return true
  }

  /// Whether an edit is sure to be compared with the list that is there.
  private func isOfNewest(_ list: [String], _ crate: String) -> Bool {
    if writer == .mpd { return true }
    let bases = folder.keeper.records?.bases(of: BytePath(folder.name(crate))) ?? []
    return nearestBase(of: list.compactMap { ids[$0] }, among: bases) {
      folder.music.library.songs[$0]?.album
    } == bases.last
  }

  private mutating func write() throws {
    try giveUpStrangers()
    let crate = names[below(names.count)]
    let bytes = try readFile(path(crate))
    let isFresh = held[crate] == nil || below(writer.readsOneOf) == 0
    if isFresh { held[crate] = (read(bytes), ListWriter.comments(of: bytes)) }
    // A queue of MPD's is a copy, too.
    let isQueue = writer == .mpd && below(10) == 0
    if isQueue { try actAsPerson() }
    guard folder.music.library.crate(named: crate) != nil, let known = held[crate] else { return }
    let list = below(8) == 0 ? known.songs : try edited(known.songs, in: crate)
    let found = try readFile(path(crate))
    var text = writer.text(
      list, over: found, comments: known.comments, in: folder.root + "/", isQueue: isQueue)
    if writer == .mpd, !isQueue, list.count > known.songs.count, list.starts(with: known.songs) {
      // MPD adds lines in place.
      let added = list.dropFirst(known.songs.count)
      text =
        String(decoding: found, as: UTF8.self)
        + added.map { $0.replacing(folder.root + "/", with: "") + "\n" }.joined()
    }
    held[crate]?.songs = list
    let isNews = Array(text.utf8) != found
    let isPlain = try isPlain(list, of: crate)
    let isSame = try list == folder.crateSongs(crate)
    let before = (order, folder.written, folder.music.library.sequence)
    let isOfNewest = isOfNewest(list, crate)
    try writer.save(text, to: path(crate))
    for told in try folder.verdicts() {
      seen[told.contains("it mixes") ? "refused" : "taken", default: 0] += 1
    }
    // Each list once at most, or removed with its crate.
    #expect(folder.written - before.1 <= Self.crates.count, comment)
    if isSame, isFresh, !isQueue {
      #expect(order == before.0 && folder.music.library.sequence == before.2, comment)
      #expect(try readFile(path(crate)) == Array(text.utf8), comment)
      seen["same", default: 0] += 1
    } else if isPlain, isNews, isFresh, !isQueue, isOfNewest, writer == .mpd || !isLeft(crate) {
      // To the song, and the list stays as it was written.
      #expect(try folder.crateSongs(crate) == list, comment)
      #expect(try readFile(path(crate)) == Array(text.utf8), comment)
      seen["exact", default: 0] += 1
    }
    try expectWhole()
    if below(3) == 0, !list.isEmpty, names.contains(crate) { try writeAgain(text, crate) }
  }

  /// The writer puts back what it wrote, as a program does that knows better.
  private mutating func writeAgain(_ text: String, _ crate: String) throws {
    let before = (order, folder.written, folder.music.library.sequence)
    for _ in 0..<2 {
      try writer.save(text, to: path(crate))
      try folder.settle()
      #expect(folder.written == before.1 && folder.takeTold().isEmpty, comment)
      #expect(order == before.0 && folder.music.library.sequence == before.2, comment)
    }
    if isLeft(crate) { seen["left", default: 0] += 1 }
  }

  @Test(
    "nothing is lost, crate and list agree, and the same is not answered twice",
    arguments: ListWriter.allCases)
  mutating func edits(writer: ListWriter) throws {
    self.writer = writer
    (folder, _) = try Self.anew(writer.ending)
    for crate in Self.crates {
      for (path, id) in zip(try folder.crateSongs(crate), folder.songIDs(crate)) { ids[path] = id }
    }
    // Others than the writer before.
    for _ in 0..<(ListWriter.allCases.firstIndex(of: writer) ?? 0) { _ = random.next() }
    for number in 0..<Self.edits {
      round = number
      if below(4) == 0 { try actAsPerson() }
      if below(25) == 0 { folder.keeper = PlaylistKeeper(folder.keeper.settings) }
      // More than the time in which the same is not answered again.
      if below(50) == 0 { folder.turn(700) }
      try folder.settle()
      try write()
    }
    for outcome in ["refused", "taken", "same", "exact", "left"] {
      #expect(seen[outcome, default: 0] > 0, "\(random): \(seen)")
    }
  }
}
