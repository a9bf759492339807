import CratesInterface
import Glibc
import Platform
import ProgramSupport
import TestSupport

/// A client that asks for a listing and reads when the test says.
final class SlowReader {
  private let connection: RawClient

  init(_ home: Home) throws { connection = try RawClient(home) }

  func ask(_ method: String = "ListSongs") {
    let call: JSON = [
      "method": .string("org.crated.Crates.\(method)"), "parameters": [:], "more": true,
    ]
    connection.send(call.bytes + [0])
  }

  /// Waits for the first byte of the answer, which begins with a brace, and takes no more.
  func begin() throws { try connection.take(1) }

  struct Listing {
    var bytes = 0
    /// The ids of the songs.
    var songs: [String] = []
    var sequences: Set<Int> = []
    /// Why there are no more, where that is not the end.
    var error: String?
  }

  /// Reads up to the end of the listing, or of the connection.
  ///
  /// - Parameter hasBegun: whether the brace is taken already.
  func listing(hasBegun: Bool = false) throws -> Listing {
    var listing = Listing()
    var taken: [UInt8] = hasBegun ? Array("{".utf8) : []
    while let reply = try connection.reply(behind: taken, counting: &listing.bytes) {
      taken = []
      listing.error = reply["error"]?.string
      let parameters = reply["parameters"]
      listing.songs += (parameters?["songs"]?.array ?? []).map { $0["id"]?.string ?? "" }
      if let sequence = parameters?["sequence"]?.integer { listing.sequences.insert(sequence) }
      if reply["continues"]?.bool != true { return listing }
    }
    listing.error = "closed"
    return listing
  }
}
