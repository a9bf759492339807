import CratesInterface
import ProgramSupport
import TestSupport
import Testing

/// What other programs know of songs, asked of the real daemon.
@Suite("Songs that lists of other programs mean", .limited)
struct MatchTests {
  private let home: Home
  private let daemon: RunningDaemon
  private let client: CratesClient

  init() throws {
    home = try Home()
    try copy(try SampleMusic.albums([.flac, .mp3, .ogg, .opus]), to: "\(home.music)/Here")
    daemon = try RunningDaemon(home)
    client = try CratesClient(home)
    try client.sync()
  }

  private func match(
    _ wanted: [Interface.Wanted], relativeTo folder: String? = nil, roots: [Interface.Root] = []
  ) throws -> [Interface.Matched] {
    let call = Call.match(wanted: wanted, relativeTo: folder, roots: roots)
    guard case .matches(let matched, let sequence) = try client.ask(call) else {
      throw WrongReply()
    }
    #expect(sequence == (try client.status().sequence))
    return matched
  }

  @Test("they are found by path, by names and under other roots, in the order asked")
  func matching() throws {
    let songs = try client.songs()
    let flac = try #require(songs.first { $0.title == "Second flac" })
    let ogg = try #require(songs.first { $0.title == "First ogg" })
    var tags = Interface.Wanted(title: "first OGG")
    tags.artist = "Artist ogg"
    tags.album = "album ogg"
    tags.track = 1
    let beside = Interface.Wanted(path: "../Album flac/2 Second%20flac.flac")
    let windows = Interface.Wanted(path: "D:\\Musik\\Album flac\\2 Second flac.flac")
    let wanted = [
      Interface.Wanted(path: flac.uri), tags, Interface.Wanted(path: "/nowhere/1.flac"), beside,
      windows, Interface.Wanted(title: "First ogg"), Interface.Wanted(),
    ]
    let found = try match(
      wanted, relativeTo: "\(home.music)/Here/Album ogg",
      roots: [Interface.Root(theirs: "D:\\Musik", ours: "\(home.music)/Here")])
    #expect(found.map(\.song) == [flac.id, ogg.id, nil, flac.id, flac.id, nil, nil])
    #expect(found.map(\.album) == [flac.album, ogg.album, nil, flac.album, flac.album, nil, nil])
    #expect(found.map { $0.tried == nil } == found.map { $0.song != nil })
    #expect(found[0].by == "its path")
    #expect(found[1].by == "artist, album and title")
    #expect(try match([]) == [])
  }

  @Test("what came, and what was retagged, is found at once")
  func following() throws {
    let wanted = Interface.Wanted(path: "\(home.music)/New/9-1.flac")
    #expect(try match([wanted])[0].song == nil)
    try home.folder.makeFolder("Music/New")
    try SmallLibrary.song(9, 1, to: "\(home.music)/New")
    try client.sync()
    #expect(try match([wanted])[0].song != nil)
    var tags = Interface.Wanted(title: "Song 1")
    tags.artist = "Artist 9"
    tags.album = "Album 9"
    tags.track = 1
    #expect(
      try match([tags])
        == [try match([wanted])[0]].map {
          Interface.Matched(song: $0.song, album: $0.album, by: "artist, album and title")
        })
  }
}
