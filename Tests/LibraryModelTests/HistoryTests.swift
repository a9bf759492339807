import TestSupport
import Testing

@testable import LibraryModel

/// Random histories of folder operations, merges and edits. After each step the invariants hold, no
/// merge has disturbed what stood in order, and merging again changes nothing.
@Suite("Random histories")
struct HistoryTests {
  /// Histories per run, and steps of each.
  static let histories = 300
  static let steps = 25

  @Test("every manual position survives everything")
  func histories() throws {
    var generator = SeededGenerator(usually: 20_261_121)
    for _ in 0..<Self.histories {
      let seed = generator.next()
      var history = History(seed: seed)
      for step in 0..<Self.steps {
        let issues = try history.step()
        if !issues.isEmpty {
          Issue.record("history \(seed), step \(step): \(issues.joined(separator: "; "))")
          return
        }
      }
    }
  }
}

private struct History {
  var world = World()
  var generator: SeededGenerator
  var nextSound = 1
  var nextName = 1
  var away: [[BytePath: World.File]] = []

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    for _ in 0..<3 { addAlbum() }
    world.merge(firstScan: Bool.random(using: &generator))
  }

  mutating func step() throws -> [String] {
    var issues: [String] = []
    if Int.random(in: 0..<3, using: &generator) == 0 {
      try edit()
    } else {
      for _ in 0..<Int.random(in: 1...3, using: &generator) { changeFolder() }
      let before = world.library
      let look = world.look()
      let outcome = world.merge(look)
      world.known = world.files
      world.checkOrderKept(since: before)
      world.checkTouched(by: outcome.decision.changes, since: before)
      let again = world.merge(look)
      if !again.decision.changes.isEmpty {
        issues.append("a second merge makes changes: \(again.decision.changes)")
        issues += outcome.decision.changes.map { "\($0)" }
        issues += look.found.map { "found \($0.path.display)" }
        issues += look.vanished.map { "vanished \($0.display)" }
        issues += world.shape
      }
      if presentSongs != expectedSongs {
        issues.append("\(presentSongs) songs instead of \(expectedSongs)")
      }
    }
    world.check()
    return issues
  }

  private var presentSongs: Int {
    var count = 0
    world.library.songs.forEach { _, song in count += song.isGone ? 0 : 1 }
    return count
  }

  /// Files, less those that repeat a song of their album.
  private var expectedSongs: Int {
    world.files.count - world.lookups.duplicates.values.joined().count
  }

  // MARK: The folder

  private mutating func addAlbum() {
    let name = "N\(nextName)"
    nextName += 1
    let hasArtist = Bool.random(using: &generator)
    for track in 1...Int.random(in: 1...4, using: &generator) {
      world.put(
        "\(name)/\(track).flac", sound: nextSound, title: "\(name) \(track)",
        album: Int.random(in: 0..<5, using: &generator) == 0 ? "" : name,
        artist: "Artist", albumArtist: hasArtist ? "Artist" : "", track: track)
      nextSound += 1
    }
  }

  private mutating func changeFolder() {
    let paths = world.files.keys.sorted()
    guard let path = paths.randomElement(using: &generator) else { return addAlbum() }
    let name = path.relative(to: World.root)?.display ?? ""
    switch Int.random(in: 0..<11, using: &generator) {
    case 0: addAlbum()
    case 1: world.move(name, to: "\(path.parent.name.text)/r\(nextName).flac")
    case 2: world.move(path.parent.name.text, to: "D\(nextName)")
    case 3:
      let taken = world.remove(Bool.random(using: &generator) ? name : path.parent.name.text)
      away.append(taken)
    case 4:
      guard !away.isEmpty else { break }
      let back = away.remove(at: Int.random(in: 0..<away.count, using: &generator))
      world.restore(back.filter { world.files[$0.key] == nil })
    case 5: world.retag(name) { $0.track = Int.random(in: 1...9, using: &generator) }
    case 6:
      let title = "T\(nextName)"
      for other in paths where other.parent == path.parent {
        world.retag(other.relative(to: World.root)?.display ?? "") { $0.album = title }
      }
    case 7: world.retag(name) { $0.album = "N\(Int.random(in: 1...4, using: &generator))" }
    case 8:
      world.files[path]?.sound = nextSound
      nextSound += 1
    case 9:
      guard let other = paths.randomElement(using: &generator), other != path else { break }
      let (a, b) = (world.files[path], world.files[other])
      (world.files[path], world.files[other]) = (b, a)
    default:
      var copy = world.files[path]
      copy?.inode = world.nextInode
      world.nextInode += 1
      world.files[World.path("Copies/\(nextName).flac")] = copy
    }
    nextName += 1
  }

  // MARK: The person

  private mutating func edit() throws {
    let albums = world.library.crates.flatMap(\.albums)
    guard let album = albums.randomElement(using: &generator) else { return }
    let places: [Place<AlbumID>] = [
      .top, .bottom, .up, .down, .before(albums.randomElement(using: &generator) ?? album),
    ]
    let place = places.randomElement(using: &generator) ?? .top
    let edit: Edit
    switch Int.random(in: 0..<7, using: &generator) {
    case 0:
      let crate = ["Jazz", "Rock", "Music"].randomElement(using: &generator) ?? "Jazz"
      edit = .moveAlbums([album], nil, crate: crate)
    case 1:
      let chosen = albums.filter { _ in Bool.random(using: &generator) }
      edit = .moveAlbums(chosen.isEmpty ? [album] : chosen, place, crate: nil)
    case 2:
      guard let songs = world.library.albums[album].map(world.library.members),
        let song = songs.randomElement(using: &generator)
      else { return }
      edit = .moveSongs([song], Bool.random(using: &generator) ? .top : .down)
    case 3:
      let sortings: [AlbumSorting] = [
        .added, .released, .artist, .title, .reversed, .shuffled(seed: generator.next()),
      ]
      let chosen = albums.filter { _ in Bool.random(using: &generator) }
      edit = .sortAlbums(chosen, sortings.randomElement(using: &generator) ?? .title)
    case 4:
      let sortings: [SongSorting] = [
        .track, .added, .title, .reversed, .shuffled(seed: generator.next()),
      ]
      let songs = albums.flatMap { world.library.albums[$0].map(world.library.members) ?? [] }
        .filter { _ in Bool.random(using: &generator) }
      edit = .sortSongs(songs, sortings.randomElement(using: &generator) ?? .title)
    case 5: edit = forgetting(album)
    default: edit = .moveAlbums([album], place, crate: nil)
    }
    // A refusal is as good as an edit here: it changes nothing.
    do {
      let before = world.library
      let decision = try world.edit(edit)
      world.checkTouched(by: decision.changes, since: before)
    } catch is Refusal {}
  }

  /// All that is gone, or that of an album, or what is gone of its songs; sometimes too much.
  private mutating func forgetting(_ album: AlbumID) -> Edit {
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: return .forget(songs: [], albums: [], all: true)
    case 1: return .forget(songs: [], albums: [album], all: false)
    default:
      let songs = world.library.albums[album].map(world.library.songs) ?? []
      let chosen = songs.filter { $0.isGone || Int.random(in: 0..<9, using: &generator) == 0 }
      return .forget(songs: chosen.map(\.id), albums: [], all: false)
    }
  }
}

extension Collection<UInt8> {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
