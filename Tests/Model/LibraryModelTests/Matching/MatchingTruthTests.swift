import TestSupport
import Testing
import Text

@testable import LibraryModel

/// A library as another program knows it: the same music under other paths, with as much of the
/// tags as a list may have, and other music besides. Which song is which is known.
struct ForeignMusic {
  struct Song {
    var path: [UInt8]
    var row: MatchingLibrary.Row
    /// Nil: it is not in our library.
    var truth: SongID?
  }

  /// How a list writes of its songs.
  struct Style {
    enum Tags: CaseIterable { case none, shown, all }
    enum Paths: CaseIterable {
      case root, windows, decomposed, encoded, encodedDecomposed, mpd
      /// Each album, or each song, from another machine.
      case albumsOfAll, songsOfAll

      static let machines: [Paths] = [.root, .windows, .decomposed, .encoded, .encodedDecomposed]
    }

    var tags = Tags.none
    var paths = Paths.root
    var ending = "flac"
  }

  private(set) var music: MatchingLibrary
  /// By album, ours and others.
  private(set) var albums: [[Song]] = []
  private var random: SeededGenerator

  init(songs: Int, _ random: SeededGenerator) throws {
    self.random = random
    music = try MatchingLibrary()
    var count = 0
    while count < songs {
      let artist = name()
      for _ in 0..<Int.random(in: 1...4, using: &self.random) {
        let album = name()
        let rows = self.rows(artist: artist, album: album)
        try addOurs(rows)
        count += rows.count
        // The same titles on a stage, in ours or only in theirs; and some of it in a sampler.
        if chance(4) {
          let live = self.live(rows, album: "\(album) (Live)")
          if chance(2) { try addOurs(live) } else { addTheirs(live) }
        }
        if chance(6) { try addOurs(sampler(rows)) }
        // Another album of an artist that we have.
        if chance(5) { addTheirs(self.rows(artist: artist, album: name())) }
      }
    }
  }

  private mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &random) == 0 }

  private mutating func name() -> String {
    let parts = [
      "ka", "lo", "mé", "tri", "ün", "so", "Blue", "Night", "ß", "и", "ра", "後", "O’", "100%", "re",
      "ñu", "St. ", "&", "é", "Å",
    ]
    let count = Int.random(in: 3...5, using: &random)
    let name = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
    return name.hasSuffix(" ") ? name + "x" : name
  }

  private mutating func rows(artist: String, album: String) -> [MatchingLibrary.Row] {
    let discs = chance(8) ? 2 : 1
    // Titles that many albums have.
    let usual = ["Intro", "Outro", "Untitled", "Track 01", "Interlude"]
    var rows: [MatchingLibrary.Row] = []
    for disc in 1...discs {
      for track in 1...Int.random(in: 5...12, using: &random) {
        let title = chance(4) ? usual.randomElement(using: &random) ?? "" : name()
        let folder = discs > 1 ? "CD\(disc)/" : ""
        var row = MatchingLibrary.Row(
          "\(artist)/\(album)/\(folder)\(track < 10 ? "0" : "")\(track) \(title).flac", title,
          by: artist, on: album, albumArtist: artist, track: track,
          seconds: Int.random(in: 60...600, using: &random))
        row.tags.disc = disc
        rows.append(row)
      }
    }
    return rows
  }

  private mutating func live(
    _ rows: [MatchingLibrary.Row], album: String
  ) -> [MatchingLibrary.Row] {
    rows.map { row in
      var live = row
      let old = row.tags.album
      live.path = BytePath(row.path.display.replacing("/\(old)/", with: "/\(album)/"))
      live.tags.album = album
      live.milliseconds += Int.random(in: 5_000...60_000, using: &random)
      return live
    }
  }

  /// Every second song, with its own sound and length.
  private mutating func sampler(_ rows: [MatchingLibrary.Row]) -> [MatchingLibrary.Row] {
    let album = name()
    return rows.enumerated().filter { $0.offset.isMultiple(of: 2) }.map { place, row in
      var row = row
      row.path = BytePath("Samplers/\(album)/\(place + 1) \(row.tags.title).flac")
      (row.tags.album, row.tags.albumArtist) = (album, "Various Artists")
      row.tags.track = place + 1
      return row
    }
  }

  private mutating func addOurs(_ rows: [MatchingLibrary.Row]) throws {
    let ids = try music.add(
      rows.map { row in
        var row = row
        row.path = BytePath("/home/ada/Music").appending(row.path)
        return row
      })
    albums.append(zip(rows, ids).map { Song(path: $0.path.bytes, row: $0, truth: $1) })
  }

  private mutating func addTheirs(_ rows: [MatchingLibrary.Row]) {
    albums.append(rows.map { Song(path: $0.path.bytes, row: $0, truth: nil) })
  }

  // MARK: Lists

  /// A list of some albums, in one style.
  mutating func list(_ style: Style, albums count: Int) -> [(wanted: Wanted, truth: SongID?)] {
    var wanted: [(wanted: Wanted, truth: SongID?)] = []
    for album in albums.shuffled(using: &random).prefix(count) {
      var own = style
      if style.paths == .albumsOfAll { own.paths = machine() }
      for song in album {
        if style.paths == .songsOfAll { own.paths = machine() }
        wanted.append((self.wanted(song, own), song.truth))
      }
    }
    return wanted
  }

  private mutating func machine() -> Style.Paths {
    Style.Paths.machines.randomElement(using: &random) ?? .root
  }

  private mutating func wanted(_ song: Song, _ style: Style) -> Wanted {
    var wanted = Wanted()
    wanted.path = path(song, style)
    let tags = song.row.tags
    if style.tags == .none { return wanted }
    // Programs round, and count silence.
    let slack = Int.random(in: -1_500...1_500, using: &random)
    wanted.milliseconds = max(1_000, song.row.milliseconds + slack)
    (wanted.artist, wanted.title) = (tags.artist, tags.title)
    if style.tags == .shown { return wanted }
    (wanted.album, wanted.albumArtist) = (tags.album, tags.albumArtist)
    (wanted.track, wanted.disc) = (tags.track, tags.disc)
    return wanted
  }

  private func path(_ song: Song, _ style: Style) -> [UInt8] {
    var text = String(decoding: song.path, as: UTF8.self)
    text = String(text.dropLast("flac".count)) + style.ending
    switch style.paths {
    case .root, .albumsOfAll, .songsOfAll: return Array("/mnt/nas/music/\(text)".utf8)
    case .mpd: return Array(text.utf8)
    case .windows:
      return Array("D:\\Musik\\\(text.replacing("/", with: "\\"))".utf8)
    case .decomposed: return Array("/Volumes/Music/\(takenApart(text))".utf8)
    case .encoded: return Array("file:///mnt/nas/music/\(Self.encoded(text))".utf8)
    case .encodedDecomposed:
      return Array("file://localhost/Users/ada/Music/\(Self.encoded(takenApart(text)))".utf8)
    }
  }

  private static func encoded(_ text: String) -> String {
    var encoded: [UInt8] = []
    let hex = Array("0123456789ABCDEF".utf8)
    for byte in text.utf8 {
      let letter = byte | 0x20
      if (0x61...0x7A).contains(letter) || (0x2D...0x39).contains(byte) {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}

@Suite("Looking up a library whose paths all differ", .limited)
struct MatchingTruthTests {
  @Test("Of a thousand songs 99 in 100 are found, in every style, and no album is a wrong one")
  func truth() throws {
    var random = SeededGenerator(usually: 8_003)
    var lists = 0
    let libraries = Effort.runs(1, nightly: 4)
    for _ in 0..<libraries {
      let seed = random.next()
      var foreign = try ForeignMusic(songs: 1_000, SeededGenerator(seed: seed))
      let library = foreign.music.library
      let lookup = SongLookup(library)
      for paths in ForeignMusic.Style.Paths.allCases {
        for tags in ForeignMusic.Style.Tags.allCases {
          for ending in ["flac", "mp3"] {
            let style = ForeignMusic.Style(tags: tags, paths: paths, ending: ending)
            let list = foreign.list(style, albums: 60)
            check(list, lookup, library, "\(random) \(style)")
            lists += 1
          }
        }
      }
    }
    #expect(lists == 48 * libraries)
  }

  private func check(
    _ list: [(wanted: Wanted, truth: SongID?)], _ lookup: SongLookup, _ library: Library,
    _ comment: String
  ) {
    let matching = ListMatching(lookup)
    let found = matching.matches(of: list.map(\.wanted))
    var (known, right) = (0, 0)
    for ((wanted, truth), match) in zip(list, found) {
      if truth != nil { known += 1 }
      guard let song = match.song else { continue }
      let path = String(decoding: wanted.path, as: UTF8.self)
      let ours = library.songs[song]?.path.display ?? ""
      #expect(
        library.songs[song]?.album == truth.flatMap { library.songs[$0]?.album },
        "\(comment): \(path) is not \(ours) (\(match))")
      if song == truth { right += 1 }
    }
    #expect(known > 200, "\(comment)")
    #expect(right * 100 >= known * 99, "\(comment): \(right) of \(known)")
  }
}
