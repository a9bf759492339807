import DemoMusic
import LibraryModel
import TagReading
import TestSupport
import Testing

@Suite("The demo library", .limited) struct DemoLibraryTests {
  @Test("every song of the demo library is read as it was meant, and sounds like no other")
  func library() throws {
    let folder = try TemporaryFolder()
    let songs = DemoLibrary.songs()
    let paths = try songs.map { place, song in
      try folder.write(song.encoded(), to: place.joined(separator: "/"))
    }
    let pool = try ReaderPool(program: builtReader, count: 1)
    defer { pool.shutDown() }
    var digests = Set<String>()
    for ((_, song), outcome) in zip(songs, pool.read(paths)) {
      let facts = try #require(outcome?.facts)
      let tags = facts.tags
      #expect(
        [tags.title, tags.artist, tags.album, tags.albumArtist, tags.date]
          == [song.title, song.artist, song.album, song.albumArtist, song.date])
      #expect(tags.track == song.track)
      #expect(facts.format == song.format.rawValue)
      #expect(abs(Double(facts.audio.milliseconds) / 1000 - song.seconds) < 0.01)
      #expect(facts.audio.sampleRate == song.sampleRate)
      digests.insert("\(facts.digest.map { "\($0.high) \($0.low)" } ?? "none")")
    }
    #expect(songs.count >= 15)
    #expect(digests.count == songs.count)
  }
}
