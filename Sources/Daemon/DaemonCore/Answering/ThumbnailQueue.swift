import CratesInterface
import LibraryModel
import TagReading

/// The albums of one call for shrunk covers. A few are searched at a time, and answered in the
/// order of the call. Pure.
struct ThumbnailQueue {
  /// The maximum number of albums searched at a time: enough to keep all readers busy.
  static let ahead = 8

  /// An album that is being searched.
  struct Slot {
    /// The album's index in the call.
    var place: Int
    var album: String
    /// The digest that lists of albums show.
    var digest: CoverDigest?
    var isBeside: Bool
    var found: ThumbnailOutcome?

    /// Returns the answer for the album once it is found.
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
        // Lists know the image beside an album only after its directory was scanned.
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

  /// Whether all albums are answered.
  var isOver: Bool { begun.isEmpty && albums.isEmpty }

  /// Whether the first unanswered album is found, and waits only for its client.
  var isFound: Bool { begun.first?.found != nil }

  /// Whether the search for another album may start.
  var mayBegin: Bool { begun.count < Self.ahead && !albums.isEmpty }

  /// Returns the next album to search, and its index; nil if none may be searched now.
  mutating func next() -> (place: Int, album: String)? {
    mayBegin ? (albums.startIndex, albums.removeFirst()) : nil
  }

  mutating func begin(_ slot: Slot) { begun.append(slot) }

  /// Stores the result of an album, unless that is answered already.
  mutating func take(_ outcome: ThumbnailOutcome, of place: Int) {
    guard let slot = begun.firstIndex(where: { $0.place == place }) else { return }
    begun[slot].found = outcome
  }

  /// Removes and returns the first unanswered album if it is found.
  mutating func popFound() -> Slot? { isFound ? begun.removeFirst() : nil }
}
