import CratesInterface
import ImportedLists
import VarlinkClient

/// Looks up the songs of lists and their albums in the library.
struct SongFinding {
  let daemon: DaemonConnection
  /// The folder that contains the lists.
  let folder: String
  let roots: [Interface.Root]
  /// The sequences of the replies: one, unless the library changed meanwhile.
  private(set) var sequences: Set<Int> = []

  /// The approximate bytes in one call. As JSON they may be six times as many.
  private static let callBytes = 1 << 20
  /// The most bytes of a path, even percent-encoded, and of a name.
  private static let pathBytes = 16 << 10
  private static let nameBytes = 4 << 10
  private static let albumsAtOnce = 10_000

  init(_ daemon: DaemonConnection, folder: String, roots: [Interface.Root]) {
    self.daemon = daemon
    self.folder = folder
    self.roots = roots
  }

  /// Returns for each list the results of its songs.
  mutating func songs(of lists: [ImportedList]) throws(Failure) -> [[FoundSong]] {
    var calls: [Call] = []
    var owners: [Int] = []
    for (number, list) in lists.enumerated() {
      for wanted in Self.parts(of: list) {
        calls.append(.match(wanted: wanted, relativeTo: folder, roots: roots))
        owners.append(number)
      }
    }
    var found = [[FoundSong]](repeating: [], count: lists.count)
    for (number, reply) in zip(owners, try daemon.replies(to: calls)) {
      guard case .matches(let matched, let sequence) = reply else { continue }
      sequences.insert(sequence)
      found[number] += matched.map { match in
        guard let song = match.song, let album = match.album else {
          return .missing(match.tried ?? "it was not found")
        }
        return .found(song: song, album: album)
      }
    }
    for (list, found) in zip(lists, found) where list.songs.count != found.count {
      throw Failure(.unreadable("it is not one for each song"))
    }
    return found
  }

  /// Splits a list into parts as large as possible: the library recognizes the songs of a list
  /// better, the more of them are in one call.
  static func parts(of list: ImportedList) -> [[Interface.Wanted]] {
    var parts: [[Interface.Wanted]] = []
    var bytes = 0
    let calls = max(1, (list.songs.count + Interface.wantedMost - 1) / Interface.wantedMost)
    let most = (list.songs.count + calls - 1) / calls
    for song in list.songs {
      let (wanted, size) = wanted(song)
      bytes += size
      if parts.isEmpty || bytes > callBytes || parts[parts.count - 1].count == most {
        parts.append([])
        bytes = size
      }
      parts[parts.count - 1].append(wanted)
    }
    return parts
  }

  private static func wanted(_ song: WantedSong) -> (Interface.Wanted, bytes: Int) {
    var bytes = 0
    func given(_ text: String, most: Int = nameBytes) -> String? {
      if text.isEmpty || text.utf8.count > most || text.utf8.contains(0) { return nil }
      bytes += text.utf8.count
      return text
    }
    var wanted = Interface.Wanted(path: given(song.path, most: pathBytes), title: given(song.title))
    wanted.song = given(song.id)
    wanted.artist = given(song.artist)
    wanted.album = given(song.album)
    wanted.albumArtist = given(song.albumArtist)
    wanted.disc = song.disc
    wanted.track = song.track
    if song.milliseconds > 0 { wanted.seconds = Double(song.milliseconds) / 1_000 }
    wanted.recording = given(song.recording)
    wanted.release = given(song.release)
    return (wanted, bytes)
  }

  // MARK: Albums

  /// Returns the albums of the songs that were found, by id.
  mutating func albums(of found: [[FoundSong]]) throws(Failure) -> [String: KnownAlbum] {
    var wanted: Set<String> = []
    for case .found(_, let album) in found.joined() { wanted.insert(album) }
    var ids = wanted.sorted()[...]
    var albums: [String: KnownAlbum] = [:]
    while !ids.isEmpty {
      let call = Call.listAlbums(
        crate: nil, albums: Array(ids.prefix(Self.albumsAtOnce)), gone: false, first: nil,
        count: nil)
      ids = ids.dropFirst(Self.albumsAtOnce)
      try daemon.eachReply(to: call) { parameters throws(Failure) in
        guard
          case .albums(let listed, _, let sequence) = try DaemonConnection.read(
            parameters, to: call)
        else { return }
        sequences.insert(sequence)
        for album in listed {
          albums[album.id] = KnownAlbum(
            id: album.id, title: album.title, artist: album.artist, year: album.year,
            added: album.added, crate: album.crate, songs: album.songs)
        }
      }
    }
    return albums
  }

  /// Adds the order of their songs to albums.
  mutating func addOrder(
    of ids: [String], to albums: inout [String: KnownAlbum]
  ) throws(Failure) {
    let calls = ids.map { Call.readText(crate: nil, album: $0) }
    for (id, reply) in zip(ids, try daemon.replies(to: calls)) {
      guard case .text(let text, let sequence) = reply else { continue }
      sequences.insert(sequence)
      albums[id]?.order = Self.order(in: text)
    }
  }

  /// Returns the ids of the listed songs in an order as text.
  static func order(in text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      let isListed = ["\t\tsong", "\t\toffline"].contains(words.first)
      return isListed && words.count > 1 ? String(words[1]) : nil
    }
  }
}
