import Glibc
import LibraryModel

/// What changes of a made library take: what must not grow with it.
struct Changes {
  static let arrived = "a file arrived: merge, apply, follow"
  static let edited = "an album moved to the top: decide, apply"

  /// Microseconds, medians.
  let arrival: Double
  let edit: Double

  private init(arrival: Double, edit: Double) {
    self.arrival = arrival
    self.edit = edit
  }

  init(measuring songs: Int) throws {
    var world = MadeLibrary(songs: songs)
    // Beyond the albums that are there.
    var number = songs
    var lookups = world.lookups
    var library = world.takeLibrary()
    arrival = measure(
      prepare: {
        number += 1
        return world.arrival(number)
      },
      { contents in
        let outcome = Merge.merge(contents, into: library, lookups: lookups, newAlbums: nil)
        lookups.follow(
          from: library, to: outcome.decision.library, songs: outcome.songs,
          albums: outcome.albums)
        library = outcome.decision.library
      })

    var dice = Dice(seed: 2)
    let albums = library.crates.flatMap(\.albums)
    edit = try measure(
      most: 1_000,
      prepare: { albums.randomElement(using: &dice).map { [$0] } ?? [] },
      { chosen in
        library = try library.decide(.moveAlbums(chosen, .top, crate: nil), newAlbums: nil).library
      })
  }

  // MARK: In a process of its own

  static let option = "--changes"

  var line: String { "\(arrival) \(edit)" }

  /// The heap that another library has left would be part of the time.
  ///
  /// - Returns: nil where the other process failed.
  static func measuredElsewhere(_ songs: Int) -> Changes? {
    var name = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &name, name.count)
    if length <= 0 { return nil }
    let program = String(decoding: name[..<length], as: UTF8.self)
    guard let output = popen("exec '\(program)' \(option) \(songs)", "r") else { return nil }
    var text = [CChar](repeating: 0, count: 200)
    let isRead = fgets(&text, Int32(text.count), output) != nil
    guard pclose(output) == 0, isRead else { return nil }
    let words = text.prefix { $0 != 0 && $0 != 10 }.split(separator: 32)
    let numbers = words.compactMap { Double(String(decoding: $0.map(UInt8.init), as: UTF8.self)) }
    return numbers.count == 2 ? Changes(arrival: numbers[0], edit: numbers[1]) : nil
  }
}
