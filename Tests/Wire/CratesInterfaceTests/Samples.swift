import CratesInterface

/// One value of each type of the interface, by its name there, with something in every field.
enum Samples {
  static let crate = Interface.Crate(name: "Jazz", position: 1, albums: 2, songs: 3, seconds: 4.5)
  static let album = Interface.Album(
    id: "abcdabcdabcd", crate: "Jazz", position: 2, title: "Kind of Blue", artist: "Miles Davis",
    year: 1959, songs: 5, seconds: 2_700, added: "2026-01-02T03:04:05Z", arranged: true,
    presence: .offline, moved: true, came: 4, cover: "00ff", because: "its folder",
    placedBy: "laptop")
  static let song = Interface.Song(
    id: "abcdabcdabcd", album: "efghefghefgh", albumTitle: "Kind of Blue",
    albumArtist: "Miles Davis", crate: "Jazz", position: 3, title: "So What",
    artist: "Miles Davis", disc: 2, track: 1, seconds: 562.4, format: "flac",
    added: "2026-01-02T03:04:05Z", presence: .present, path: "/m/\u{FFFD}",
    uri: "file:///m/%FF", details: details)
  static let details: Interface.SongDetails = {
    var details = Interface.SongDetails()
    details.year = 1959
    details.genre = "Jazz"
    details.composer = "Davis"
    details.bitRate = 900
    details.sampleRate = 44_100
    details.recording = "r"
    details.release = "l"
    details.evidence = "it was recognised by its path"
    return details
  }()
  static let thing = Interface.Thing(
    crate: "Jazz", album: "abcdabcdabcd", song: "efghefghefgh",
    label: "Kind of Blue by Miles Davis", presence: .gone)
  static let meaning = Interface.Meaning(what: [thing], candidates: [thing, thing], near: [thing])
  static let wanted: Interface.Wanted = {
    var wanted = Interface.Wanted(path: "../Miles Davis/01.flac", title: "So What")
    wanted.song = "efghefghefgh"
    wanted.artist = "Miles Davis"
    wanted.album = "Kind of Blue"
    wanted.albumArtist = "Miles Davis"
    wanted.disc = 1
    wanted.track = 1
    wanted.seconds = 562.5
    wanted.recording = "r"
    wanted.release = "l"
    return wanted
  }()
  static let matched = Interface.Matched(
    song: "abcdabcdabcd", album: "efghefghefgh", by: "its path", tried: "its name")
  static let move = Interface.Move(
    crate: "Jazz", album: "abcdabcdabcd", song: "ijklijklijkl", after: "efghefghefgh", was: "Jaz")
  static let place = Interface.Place(.before, anchor: "abcd")
  static let change = Interface.Change(
    changed: true, sequence: 7, time: "2026-01-02T03:04:05Z", author: .folder, summary: "x",
    origin: "Jazz.m3u", moves: [move],
    notes: ["n"], albums: ["a"], songs: ["s"], crates: ["c"], complete: false)
  static let thumbnail: Interface.Thumbnail = {
    var thumbnail = Interface.Thumbnail(album: "abcdabcdabcd", digest: "00ff")
    (thumbnail.width, thumbnail.height, thumbnail.bytes) = (2, 1, [1, 2, 3, 4, 5, 255])
    return thumbnail
  }()
  static let folder = Interface.MusicFolder(
    path: "/m", state: .polling, reason: "network", directories: 1, songs: 2, scanned: 3,
    toScan: 4)
  static let status = Interface.LibraryStatus(
    version: "1", pid: 2, started: "2026-01-02T03:04:05Z", sequence: 3, folders: [folder],
    store: .readOnly, storeReason: "r", storePath: "/s", crates: 4, albums: 5, songs: 6, gone: 7,
    problems: 8, warnings: ["w"], newAlbums: "Music", settingsPath: "/c", playlists: "/p",
    player: "mpv", mpd: "localhost")
  static let problem = Interface.Problem(
    kind: .duplicate, path: "/m/a", uri: "file:///m/a", message: "m", since: "2026-01-02T03:04:05Z",
    others: 3)

  static let traceEntry = Interface.TraceEntry(
    folder: "/m", time: "2026-01-02T03:04:05Z", text: "full scan: start")

  static let machine = Interface.Machine(
    name: "laptop", id: "7k2m", here: false, heard: "2026-01-02T03:04:05Z", version: 4,
    elsewhere: 5, problem: "p")
  static let machines = Interface.Machines(
    machines: [machine], folder: "/f", share: "kq3m", waiting: true)

  static let structures: [(name: String, json: JSON)] = [
    ("Crate", crate.json), ("Album", album.json), ("Song", song.json), ("Place", place.json),
    ("Change", change.json), ("MusicFolder", folder.json), ("LibraryStatus", status.json),
    ("Problem", problem.json), ("TraceEntry", traceEntry.json), ("Thing", thing.json),
    ("Meaning", meaning.json),
    ("Move", move.json), ("Wanted", wanted.json), ("Matched", matched.json),
    ("Machine", machine.json),
  ]

  static let enumerations: [(name: String, values: [String])] = [
    ("Presence", values(Interface.Presence.self)), ("Where", values(Interface.Where.self)),
    ("AlbumOrder", values(Interface.AlbumOrder.self)),
    ("SongOrder", values(Interface.SongOrder.self)), ("Author", values(Interface.Author.self)),
    ("FolderState", values(Interface.FolderState.self)),
    ("Kind", values(Interface.Kind.self)), ("Gathering", values(Interface.Gathering.self)),
    ("StoreState", values(Interface.StoreState.self)),
    ("ProblemKind", values(Interface.ProblemKind.self)),
    ("ThumbnailForm", values(Interface.ThumbnailForm.self)),
  ]

  private static func values<Value: WireEnumeration>(_ type: Value.Type) -> [String] {
    Value.allCases.map(\.rawValue).filter { $0 != "unknown" }
  }

  static let replies: [(method: Call.Method, reply: Reply)] = [
    (.status, .status(status)), (.listCrates, .crates([crate], sequence: 1)),
    (.listAlbums, .albums([album], total: 2, sequence: 1)),
    (.listSongs, .songs([song], total: 3, sequence: 1)),
    (.resolve, .meanings([meaning], sequence: 1)), (.match, .matches([matched], sequence: 1)),
    (
      .search,
      .found(albums: [album], songs: [song], totalAlbums: 4, totalSongs: 5, sequence: 1)
    ),
    (.moveAlbums, .change(change)), (.moveSongs, .change(change)), (.moveCrate, .change(change)),
    (.renameCrate, .change(change)), (.sortAlbums, .change(change)),
    (.sortSongs, .change(change)), (.readText, .text("t", sequence: 1)),
    (.applyText, .change(change)), (.undo, .change(change)), (.redo, .change(change)),
    (.history, .changes([change])), (.forget, .change(change)), (.watch, .change(change)),
    (.sync, .progress(sequence: 1, scanned: 2, toScan: 3)),
    (.rescan, .progress(sequence: 1, scanned: nil, toScan: nil)),
    (.problems, .problems([problem])), (.watchStatus, .statusNews(status, problems: [problem])),
    (.trace, .trace([traceEntry])), (.artwork, .artwork(mimeType: "image/png", base64: "iVBORw==")),
    (.thumbnails, .thumbnail(thumbnail)), (.machines, .machines(machines)),
    (.joinMachines, .change(change)), (.dropMachine, .nothing),
  ]

  static let errors: [InterfaceError] = [
    .noSuchCrate(name: "n"), .noSuchAlbum(id: "i"), .noSuchSong(id: "i"),
    .ambiguousId(id: "i", matches: ["a", "b"]), .notOneAlbum(songs: ["s"]),
    .invalidPlace(reason: "r"), .crateExists(name: "n"), .invalidName(name: "n", reason: "r"),
    .nothingToUndo(steps: 3), .nothingToRedo(), .editRejected(line: 1, reason: "r"),
    .noArtwork(album: "a"), .noSuchPath(path: "p"), .invalidQuery(word: "mood:x", reason: "r"),
    .noSuchMachine(name: "n"), .nothingToJoin, .outdated(sequence: 1),
    .changesRefused(reason: "r"),
    .outcomeUnknown(reason: "r"), .tooManyClients(limit: 1), .interfaceNotFound(interface: "i"),
    .methodNotFound(method: "m"), .methodNotImplemented(method: "m"),
    .invalidParameter(parameter: "p"), .permissionDenied, .expectedMore,
  ]
}
