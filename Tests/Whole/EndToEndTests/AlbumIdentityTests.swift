import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// Albums that are retagged or moved to other folders stay the albums they are.
@Suite("Albums keep their identity", .serialized, .limited)
struct AlbumIdentityTests {
  let home: Home
  let tagger: Tagger
  /// In three formats, between two others.
  let albums: [TaggedAlbum]

  init() throws {
    home = try Home()
    tagger = try Tagger()
    var albums: [TaggedAlbum] = []
    for (index, format) in [SampleFormat.mp3, .flac, .ogg, .aac, .wv].enumerated() {
      let title = "Album \(index)"
      let folder = try home.folder.makeFolder("Music/Artist \(index)/\(title)")
      albums.append(
        try TaggedAlbum(
          title, by: "Artist \(index)", format,
          of: try SampleMusic.sounds(format).prefix(4), in: folder, tagger))
    }
    self.albums = albums
  }

  static let meant = [1, 2, 3]

  /// The albums in an order of the person's, and the songs of those that are meant.
  private func start() throws -> (Session, Order) {
    let session = try Session(home)
    let client = session.client
    for index in [3, 0, 2, 4, 1] {
      try client.move(albums: [try client.album("Album \(index)").id], .top)
    }
    for index in Self.meant {
      let album = try client.album("Album \(index)").id
      let songs = try client.songs().filter { $0.album == album }.map(\.id)
      try client.move(songs: [songs[2]], .top)
      try client.move(songs: [songs[0]], .bottom)
    }
    let order = try client.order()
    try #require(order.albums.map(\.isArranged) == [true, false, true, false, true])
    return (session, order)
  }

  enum Retagging: String, CaseIterable {
    case title, artist

    func tags(_ album: TaggedAlbum, _ index: Int) -> [String: String] {
      var tags = album.tags(of: index)
      switch self {
      case .title: tags["album"] = "\(album.title) (Remastered)"
      case .artist:
        tags["album_artist"] = "The \(album.artist)"
        tags["artist"] = "The \(album.artist)"
      }
      return tags
    }
  }

  @Test(
    "One that is retitled, or whose artist is corrected, stays where and as it is; taken back, too",
    arguments: Retagging.allCases, [true, false])
  func atOnce(_ retagging: Retagging, whileRunning: Bool) throws {
    let (session, order) = try start()
    for isTakenBack in [false, true] {
      try session.meanwhile(running: whileRunning) {
        for album in Self.meant.map({ albums[$0] }) {
          for (index, path) in album.paths.enumerated() {
            let tags = isTakenBack ? album.tags(of: index) : retagging.tags(album, index)
            try tagger.write(tags, picture: isTakenBack ? 20_000 : 0, to: path)
          }
        }
      }
      expectSame(try session.client.order(), order, "\(retagging), taken back: \(isTakenBack)")
      let shown = try session.client.albums()
      #expect(
        shown.count { $0.title.hasSuffix("(Remastered)") || $0.artist.hasPrefix("The ") }
          == (isTakenBack ? 0 : 3))
    }
    try session.stop()
  }

  @Test(
    "Retagged one file at a time, it is in the end what it was; and taken back one at a time, too",
    arguments: Retagging.allCases)
  func oneByOne(_ retagging: Retagging) throws {
    let (session, order) = try start()
    let client = session.client
    for isTakenBack in [false, true] {
      for album in Self.meant.map({ albums[$0] }) {
        for (index, path) in album.paths.enumerated() {
          let tags = isTakenBack ? album.tags(of: index) : retagging.tags(album, index)
          try tagger.write(tags, to: path)
          try client.sync()
          // Between, both stand where the one stood, and every song is in one of them.
          let now = try client.albums()
          #expect(now.count == 5 + (index == 3 ? 0 : 1))
          #expect(try client.songs().count == 20)
        }
        expectSame(
          try client.order(), order, "\(retagging) of \(album.title), back: \(isTakenBack)")
      }
    }
    try session.stop()
  }

  @Test("Retagged half way and taken back, it is what it was")
  func halfWay() throws {
    let (session, order) = try start()
    let client = session.client
    for album in Self.meant.map({ albums[$0] }) {
      for index in [1, 3] {
        try tagger.write(Retagging.title.tags(album, index), to: album.paths[index])
        try client.sync()
      }
      let titles = try client.albums().map(\.title)
      let place = try #require(titles.firstIndex(of: album.title))
      #expect(place > 0 && titles[place - 1] == "\(album.title) (Remastered)")
      for index in [3, 1] {
        try tagger.write(album.tags(of: index), to: album.paths[index])
        try client.sync()
      }
      // The other one keeps its place, as what is gone does, and is not listed.
      let kept = try client.order().albums.filter { !$0.songs.isEmpty }
      expectSame(Order(albums: kept), order, album.title)
    }
    try session.stop()
  }

  @Test(
    "What was gone when its album was retitled has its place when it is back and retitled, too",
    arguments: [true, false])
  func goneMeanwhile(whileRunning: Bool) throws {
    let (session, order) = try start()
    let aside = try home.folder.makeFolder("aside")
    for album in Self.meant.map({ albums[$0] }) {
      let kept = "\(aside)/kept.\(album.format.pathExtension)"
      try session.meanwhile(running: whileRunning) { try move(album.paths[2], to: kept) }
      try session.meanwhile(running: whileRunning) {
        for index in [0, 1, 3] {
          try tagger.write(Retagging.title.tags(album, index), to: album.paths[index])
        }
      }
      expectSame(try session.client.order(), order, "\(album.title), one song gone")
      try session.meanwhile(running: whileRunning) { try move(kept, to: album.paths[2]) }
      let titles = try session.client.albums().map(\.title)
      let place = try #require(titles.firstIndex(of: album.title))
      #expect(titles.count > place + 1 && titles[place + 1] == "\(album.title) (Remastered)")
      try session.meanwhile(running: whileRunning) {
        try tagger.write(Retagging.title.tags(album, 2), to: album.paths[2])
      }
      let kept2 = try session.client.order().albums.filter { !$0.songs.isEmpty }
      expectSame(Order(albums: kept2), order, album.title)
    }
    try session.stop()
  }

  @Test("Where the person has moved the one that is coming to be, it stays where it was put")
  func movedMeanwhile() throws {
    let (session, _) = try start()
    let client = session.client
    let album = albums[Self.meant[0]]
    func retag(_ indices: [Int]) throws {
      for index in indices {
        try tagger.write(Retagging.title.tags(album, index), to: album.paths[index])
        try client.sync()
      }
    }
    try retag([0, 1])
    let new = try client.album("\(album.title) (Remastered)").id
    try client.move(albums: [new], .top, to: "Evening")
    let others = try client.albums().filter { $0.title != album.title }.map(\.id)
    try retag([2, 3])
    #expect(try client.albums().map(\.id) == others)
    #expect(try client.album("\(album.title) (Remastered)").crate == "Evening")
    #expect(try client.status().songs == 20)
    // The old one's place is kept.
    for index in 0..<4 { try tagger.write(album.tags(of: index), to: album.paths[index]) }
    try client.sync()
    #expect(try client.album(album.title).crate == "Music")
    try session.stop()
  }

  @Test(
    "A song that leaves the folder that makes its album comes back to its place",
    arguments: [true, false])
  func outOfFolder(whileRunning: Bool) throws {
    for (index, path) in albums[2].paths.enumerated() {
      var tags = albums[2].tags(of: index)
      tags["album_artist"] = nil
      try tagger.write(tags, to: path)
    }
    for path in albums[3].paths { try tagger.write([:], to: path) }
    let (session, order) = try start()
    for album in [albums[2], albums[3]] {
      let path = "\(home.music)/\(album.title).\(album.format.pathExtension)"
      try session.meanwhile(running: whileRunning) { try move(album.paths[1], to: path) }
      #expect(try session.client.songs().count == 20)
      #expect(try session.client.albums().count == 6)
      try session.meanwhile(running: whileRunning) { try move(path, to: album.paths[1]) }
      let kept = try session.client.order().albums.filter { !$0.songs.isEmpty }
      expectSame(Order(albums: kept), order, album.title)
    }
    try session.stop()
  }

  enum Foldering: String, CaseIterable {
    case renamed, movedUp, discs
  }

  @Test(
    "Whatever happens to its folder, it stays where and as it is; taken back, too",
    arguments: Foldering.allCases, [true, false])
  func folders(_ foldering: Foldering, whileRunning: Bool) throws {
    // One album whose folder counts, since its songs have no album artist; and one without tags.
    for (index, path) in albums[2].paths.enumerated() {
      var tags = albums[2].tags(of: index)
      tags["album_artist"] = nil
      try tagger.write(tags, to: path)
    }
    for path in albums[3].paths { try tagger.write([:], to: path) }
    let (session, order) = try start()
    for isTakenBack in [false, true] {
      try session.meanwhile(running: whileRunning) {
        for index in Self.meant { try change(foldering, albums[index], isTakenBack) }
      }
      expectSame(
        try session.client.order(), order, "\(foldering), taken back: \(isTakenBack)")
      #expect(try session.client.songs().allSatisfy { $0.presence == .present })
    }
    try session.stop()
  }

  private func change(_ foldering: Foldering, _ album: TaggedAlbum, _ isTakenBack: Bool) throws {
    let folder = "\(home.music)/\(album.artist)/\(album.title)"
    let other =
      switch foldering {
      case .renamed: "\(home.music)/\(album.artist)/Renamed"
      case .movedUp: "\(home.music)/\(album.title) here"
      case .discs: folder
      }
    if other != folder { try move(isTakenBack ? other : folder, to: isTakenBack ? folder : other) }
    guard foldering == .discs else { return }
    for (index, path) in album.paths.enumerated() {
      let disc = "\(folder)/CD \(index / 2 + 1)"
      let name = path.split(separator: "/").last.map(String.init) ?? ""
      if isTakenBack {
        try move("\(disc)/\(name)", to: path)
        rmdir(disc)
      } else {
        mkdir(disc, 0o755)
        try move(path, to: "\(disc)/\(name)")
      }
    }
  }
}
