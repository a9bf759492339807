import Glibc
import LibraryModel
import Synchronization
import Text

@testable import ImportedLists

/// A file of another program's lists, in any format.
func fuzzLists(_ input: [UInt8]) {
  // What it is shows in its bytes, or in its name.
  let name = ["House%%Deep", "list.m3u8", "list.pls", "list.nsp"][input.count % 4]
  do throws(ListFault) {
    let pages = CodePages()
    let file = try ListFile(of: input, named: name, pages)
    require((try? ListFile(of: input, named: name, pages)) == file, "always the same")
    check(file)
    guard try ListFile.isUndecoded(input, named: name) else { return }
    let text = try ListText(input, pages) { (text) throws(ListFault) in
      check(try ListFile(of: text, named: name, pages))
      return .init(listed: input.count, found: text.count % 7)
    }
    check(try ListFile(of: text.bytes, named: name, pages))
  } catch {
    check(error, input)
  }
}

/// One reader, whatever the file begins with: what others would take is no execution of this one.
enum ListReader: String, CaseIterable {
  case m3u, pls, xspf, jspf, itunes, rekordbox, rhythmbox, rhythmdb, serato, crated
  case strawberry, mixxx

  func run(_ input: [UInt8]) {
    do throws(ListFault) {
      let files = try files(input)
      for file in files { check(file) }
      Outcomes.shared.add(hasSongs: files.contains { $0.lists.contains { !$0.songs.isEmpty } })
    } catch {
      check(error, input)
      Outcomes.shared.addRefused()
    }
  }

  private func files(_ input: [UInt8]) throws(ListFault) -> [ListFile] {
    let name = "House%%Deep"
    switch self {
    case .m3u, .pls:
      let text = ListText.decoded(input) ?? input
      return [try self == .m3u ? M3U.file(text, named: name) : PLS.file(text, named: name)]
    case .jspf: return [try JSPF.file(input, named: name)]
    case .serato: return [try Serato.file(input, named: name)]
    case .crated: return [try CratedText.file(input)]
    case .rhythmdb:
      let songs = try Rhythmbox.songs(in: input, CodePages())
      for (path, song) in songs { require(path == song.path, "a song is found by its address") }
      var list = ImportedList(name: name)
      list.songs = Array(songs.values)
      return [ListFile(list)]
    case .xspf, .itunes, .rekordbox, .rhythmbox:
      let reader = try XMLReader(input, CodePages())
      let file = try self.file(reader)
      try reader.finish()
      return [file]
    case .strawberry, .mixxx:
      // Nothing but its first bytes makes a database of it.
      let magic = Array("SQLite format 3\u{0}".utf8)
      return [try ProgramDatabase.file(magic + input.dropFirst(magic.count))]
    }
  }

  /// Whatever the root is called.
  private func file(_ reader: XMLReader) throws(ListFault) -> ListFile {
    switch self {
    case .itunes: try ITunes.file(reader)
    case .rekordbox: try Rekordbox.file(reader)
    case .rhythmbox:
      try Rhythmbox.file(reader, knowing: ["file:///a": WantedSong(), "": WantedSong()])
    default: try XSPF.file(reader, named: "list")
    }
  }
}

/// How often a reader came to an end, and to songs: one that is never let in would be fuzzed in
/// vain.
private final class Outcomes: Sendable {
  static let shared = Outcomes()

  private let counts = Mutex((read: 0, songs: 0, refused: 0))

  private init() { atexit { Outcomes.shared.tell() } }

  func add(hasSongs: Bool) {
    counts.withLock {
      $0.read += 1
      if hasSongs { $0.songs += 1 }
    }
  }

  func addRefused() { counts.withLock { $0.refused += 1 } }

  private func tell() {
    let counts = counts.withLock { $0 }
    let text = "stat::read \(counts.read), \(counts.songs) with songs; refused \(counts.refused)\n"
    _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  }
}

private func check(_ fault: ListFault, _ input: [UInt8]) {
  switch fault.place {
  case .line(let line):
    // In UTF-16 a line may end in every second byte, and in no LF at all.
    require((1...input.count + 2).contains(line), "a line is one of the file")
  case .offset(let offset):
    require((0...input.count).contains(offset), "a byte is one of the file")
  case .file: break
  }
  let controls = fault.description.unicodeScalars.filter {
    $0.properties.generalCategory == .control
  }
  require(controls.isEmpty, "a message is one line")
}

private func check(_ file: ListFile) {
  let songs = file.lists.reduce(0) { $0 + $1.songs.count }
  require(songs <= ListLimits.songs, "songs have a bound")
  for list in file.lists {
    require(crateNameFault(Importing.crateName(of: list)) == nil, "a crate can have the name")
    for song in list.songs {
      require(song.milliseconds >= 0, "a length is not negative")
      // Our own text has a track 0 where tags have one.
      require(song.track ?? 0 >= 0 && song.disc ?? 0 >= 0, "a number is not negative")
    }
  }
  guard let importing = try? Importing(file, choice: ImportChoice()) else { return }
  check(importing)
}

/// Each second song is found, in one of three albums.
private func check(_ importing: Importing) {
  var albums: [String: KnownAlbum] = [:]
  for id in ["a", "b", "c"] {
    albums[id] = KnownAlbum(id: id, title: id, artist: "", added: "", crate: "a", songs: 2)
    albums[id]?.order = ["\(id)0", "\(id)1"]
  }
  let found = importing.lists.map { list in
    list.songs.enumerated().map { place, song -> FoundSong in
      let number = place + song.path.utf8.count
      if number % 2 == 1 { return .missing("") }
      let album = ["a", "b", "c"][number / 2 % 3]
      return .found(song: "\(album)\(number / 6 % 2)", album: album)
    }
  }
  let plan = importing.plan(found, albums: albums)
  let moved = plan.lists.flatMap(\.albums).map(\.album.id)
  require(Set(moved).count == moved.count, "an album is in one list")
  require(plan.text.isEmpty == plan.isEmpty, "a plan that does something has a text")
  for list in plan.lists {
    require(list.found + list.missing.count == list.listed, "each song is found or missing")
  }
}
