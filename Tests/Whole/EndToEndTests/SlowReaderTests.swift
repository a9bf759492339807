import CratesInterface
import DemoMusic
import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

/// Listings that are longer than anything between daemon and client holds, and clients that take
/// their time.
@Suite("Clients that read slowly", .serialized, .limited)
struct SlowReaderTests {
  private static let songs = 320
  /// The least that a listing of all songs has.
  private static let bytes = 4 << 20

  private let home: Home
  private let daemon: RunningDaemon
  private let client: CratesClient

  /// A few songs with titles of a size that nobody needs, in place of thousands with short ones.
  init() throws {
    home = try Home()
    for track in 1...Self.songs {
      let song = DemoSong(
        title: String(repeating: "Very long ", count: 1_400) + "\(track)", artist: "Artist",
        album: "Album \(track / 20)", track: track % 20 + 1, seconds: 1, seed: UInt64(track))
      try writeFile(song.encoded(), to: "\(home.music)/\(track).flac")
    }
    daemon = try RunningDaemon(home)
    client = try CratesClient(home)
    try client.sync()
  }

  private func whole() throws -> SlowReader.Listing {
    let reader = try SlowReader(home)
    reader.ask()
    let listing = try reader.listing()
    try #require(listing.songs.count == Self.songs)
    try #require(listing.bytes >= Self.bytes, "the listing has \(listing.bytes) bytes only")
    return listing
  }

  @Test("One who pauses gets everything, as it was when it asked; meanwhile others are answered")
  func pause() throws {
    let expected = try whole()
    let slow = try (0..<2).map { _ in try SlowReader(home) }
    for reader in slow {
      reader.ask()
      try reader.begin()
    }
    // More than there are threads, and each waits for its client now.
    let first = try #require(try client.albums().first)
    #expect(try whole().songs == expected.songs)
    try client.move(albums: [first.id], .bottom)
    #expect(try whole().songs != expected.songs)
    for reader in slow {
      let listing = try reader.listing(hasBegun: true)
      #expect(listing.error == nil)
      #expect(listing.songs == expected.songs)
      #expect(listing.sequences == expected.sequences)
    }
    try daemon.stop()
  }

  @Test("A pipe that pauses gets every song")
  func pipe() throws {
    let paths = try RunningProgram(
      Home.program("crate"), ["paths", "Music", "--json"], environment: home.environment,
      errors: home.folder.path("paths.log"))
    // The listing has begun, and what follows has no room in the pipe.
    var bytes = try #require(try paths.nextLine()).utf8.count
    for _ in 0..<50 { #expect(try client.status().songs == Self.songs) }
    var lines = 1
    while let line = try paths.nextLine() {
      lines += 1
      bytes += line.utf8.count
    }
    #expect(bytes >= Self.bytes)
    #expect(lines == Self.songs)
    #expect(try paths.end() == 0)
    try daemon.stop()
  }

  @Test("Of 200 who ask for everything and never read nobody notices anything")
  func neverRead() throws {
    try client.ask(.listCrates)
    let quiet = try times()
    let before = try daemon.memory().resident
    let deaf = try (0..<200).map { number in
      let reader = try SlowReader(home)
      reader.ask()
      // Readers that are served: all the places but one.
      if number < 63 { try reader.begin() }
      return reader
    }
    let lateness = Lateness()
    let loud = try times()
    let noise = lateness.end()
    let (usual, late) = (quiet[quiet.count * 99 / 100], loud[loud.count * 99 / 100])
    #expect(
      late <= max(50_000_000, 10 * max(usual, noise)),
      """
      the 99th percentile is \(late / 1000) µs, and \(usual / 1000) µs without them; who waits for \
      a time is \(noise / 1000) µs late
      """)
    if !isSanitized {
      let growth = try daemon.memory().resident - before
      #expect(growth < 40 << 20, "grown by \(growth >> 20) MiB")
    }
    // The others waited indeed, and one that changes its mind is still served.
    let listing = try deaf[0].listing(hasBegun: true)
    #expect(listing.songs.count == Self.songs && listing.error == nil)
    #expect(try deaf[199].listing().error == "org.crated.Crates.TooManyClients")
    try daemon.stop()
  }

  /// How long answers took, in nanoseconds, the shortest first.
  private func times() throws -> [Int64] {
    let clock = Clock.system
    return try (0..<600).map { number in
      let start = clock.monotonic()
      try client.ask(number % 2 == 0 ? .listCrates : .status)
      return clock.monotonic() - start
    }.sorted()
  }

  @Test("Of more old libraries than may be kept the oldest goes, with those who read it")
  func oldLibraries() throws {
    var readers: [SlowReader] = []
    for _ in 0..<9 {
      let reader = try SlowReader(home)
      reader.ask()
      try reader.begin()
      readers.append(reader)
      let first = try #require(try client.albums().first)
      try client.move(albums: [first.id], .bottom)
    }
    // Each change asks anew whether there are too many, of those that take nothing for a while.
    let end = Patience.end
    while daemon.log.split(separator: "dropped those of the oldest").count < 2 {
      try #require(Clock.system.monotonic() < end)
      try client.ask(.undo(sequence: nil))
      try client.ask(.redo(sequence: nil))
    }
    let listings = try readers.map { try $0.listing(hasBegun: true) }
    #expect(listings.map(\.error) == ["closed"] + [String?](repeating: nil, count: 8))
    #expect(listings[1...].allSatisfy { $0.songs.count == Self.songs })
    #expect(Set(listings[1...].flatMap(\.sequences)).count == 8)
    try daemon.stop()
  }
}
