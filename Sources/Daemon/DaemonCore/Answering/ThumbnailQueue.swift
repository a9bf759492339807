import CratesInterface
import LibraryModel
import TagReading

/// The albums of one call for shrunk covers: looked for a few at a time, and told in the order
/// in which they were asked for. Pure.
struct ThumbnailQueue {
  /// Albums that are looked for at a time: enough to keep all readers at work.
  static let ahead = 8

  /// One album on its way.
  struct Slot {
    /// Where it stands among those of its call.
    var place: Int
    var album: String
    /// The digest as lists of albums have it.
    var digest: CoverDigest?
    var isBeside: Bool
    var found: ThumbnailOutcome?

    /// What is told of it when it is found.
    func thumbnail(as form: Thumbnail.Form) -> Interface.Thumbnail {
      let sent: Interface.ThumbnailForm =
        switch form {
        case .pixels: .pixels
        case .jpeg: .jpeg
        }
      var thumbnail = Interface.Thumbnail(album: album, form: sent, digest: digest?.description)
      switch found {
      case .made(let made, let digest):
        (thumbnail.width, thumbnail.height, thumbnail.bytes) = (made.width, made.height, made.bytes)
        // Before its directory was looked at, lists know of no image beside an album.
        if !isBeside { thumbnail.digest = digest.description }
      case .noCover(let digest):
        if !isBeside { thumbnail.digest = digest?.description }
      case .unknown, nil: break
      }
      return thumbnail
    }
  }

  private var albums: ArraySlice<String>
  private var begun: [Slot] = []

  init(_ albums: [String]) { self.albums = ArraySlice(albums) }

  /// Whether all are told.
  var isOver: Bool { begun.isEmpty && albums.isEmpty }

  /// Whether the first that is not told is found, and waits for nothing but its client.
  var isFound: Bool { begun.first?.found != nil }

  /// Whether another album may be looked for.
  var mayBegin: Bool { begun.count < Self.ahead && !albums.isEmpty }

  /// The next album to be looked for, and where it stands; nil where none may be.
  mutating func next() -> (place: Int, album: String)? {
    mayBegin ? (albums.startIndex, albums.removeFirst()) : nil
  }

  mutating func begin(_ slot: Slot) { begun.append(slot) }

  /// What came of an album, unless it is told already.
  mutating func take(_ outcome: ThumbnailOutcome, of place: Int) {
    guard let slot = begun.firstIndex(where: { $0.place == place }) else { return }
    begun[slot].found = outcome
  }

  /// The first that is not told, where it is found.
  mutating func popFound() -> Slot? { isFound ? begun.removeFirst() : nil }
}
