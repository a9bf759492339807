package import LibraryModel
package import SharedOrder
import Text

/// The shared order as text (store-format.md): the file of one machine for the others, and the
/// state that it stores for itself.
package enum MachineText {
  static let version = 1
  /// The maximum length of a line with its line feed, in bytes.
  static let longestLine = 64 << 10
  /// The maximum size of a file in bytes.
  package static let mostBytes = 64 << 20
  /// The maximum number of albums in a file.
  static let mostAlbums = 1_000_000
  /// The maximum length of a place key in bytes.
  static let longestKey = 200

  /// The number of ids on a line of the albums that a machine has.
  private static let heldOnLine = 1_000

  /// Returns the file for the other machines.
  ///
  /// - Parameter lines: the lines of the order if they exist already.
  package static func text(_ order: MachineOrder, lines: [UInt8]? = nil) -> [UInt8] {
    var text: [UInt8] = []
    text += "crated-order \(version) \(header: order) name \(rest: order.name)\n"
    text += lines ?? Self.lines(of: order)
    SealedText.seal(&text)
    return text
  }

  /// Returns the state that this machine stores.
  ///
  /// - Parameter lines: the lines of its order if they exist already.
  package static func text(_ state: MachineState, lines: [UInt8]? = nil) -> [UInt8] {
    var text: [UInt8] = []
    text += "crated-machines \(version) \(header: state.order) sequence \(state.sequence)"
    if let seal = state.written { text += " written=\(word: seal)" }
    if let seal = state.intended { text += " intended=\(word: seal)" }
    text += " name \(rest: state.order.name)\n"
    for (id, other) in state.others.sorted(by: { $0.key < $1.key }) {
      text += "machine \(word: "\(id)") version \(other.version) heard=\(time: other.heard)"
      text += " name \(rest: other.name)\n"
      append(held: state.held[id] ?? [], to: &text)
    }
    text += lines ?? Self.lines(of: state.order)
    SealedText.seal(&text)
    return text
  }

  private static func append(held albums: Set<AlbumID>, to text: inout [UInt8]) {
    for (place, id) in albums.sorted().enumerated() {
      if place % heldOnLine == 0 { text += (place == 0 ? "\thas" : "\n\thas").utf8 }
      text.append(UInt8(ascii: " "))
      IdentifierText.append(id.number, to: &text)
    }
    if !albums.isEmpty { text.append(0x0A) }
  }

  /// Returns the seal of a text that `text` returned.
  package static func seal(of text: [UInt8]) -> String {
    let seal = (try? SealedText.end(of: text)).flatMap { try? SealedText.seal(of: text, $0) }
    return String(decoding: seal ?? [], as: UTF8.self)
  }

  /// Returns the lines of the crates and their albums, which both files have.
  package static func lines(of order: MachineOrder) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(256 * order.albums.count + 4096)
    var albums = order.albums[...]
    for (id, crate) in order.crates {
      text += "crate \(id) at=\(crate.place.value) by=\(crate.place.mark)"
      text += " named=\(crate.name.mark) \(rest: crate.name.value)\n"
      let end = albums.firstIndex { $0.value.spot.crate != id } ?? albums.endIndex
      for album in albums[..<end] { append(album, to: &text) }
      albums = albums[end...]
    }
    return text
  }

  private static func append(_ album: MachineOrder.Album, to text: inout [UInt8]) {
    let (value, spot, traits) = (album.value, album.value.spot, album.value.traits)
    // There are thousands of albums: `StoreText` would take longer than everything else.
    text += (album.isOwn ? "\talbum" : "\telsewhere").utf8
    text += (value.songs?.value.isArranged == true ? "* " : " ").utf8
    IdentifierText.append(album.id.number, to: &text)
    text += " in=".utf8
    spot.entered.append(to: &text)
    text += " at=".utf8
    spot.place.value.append(to: &text)
    text += " by=".utf8
    spot.place.mark.append(to: &text)
    if let songs = value.songs { text += " arranged=\(songs.mark)" }
    text += " group=".utf8
    GroupText.append(traits.group, to: &text)
    if !traits.sounds.isEmpty { text += " sounds=".utf8 }
    append(traits.sounds, to: &text)
    let shown = traits.shown.cut(toBytes: SharedSong.longestTitle)
    text += " songs=\(traits.songs) seconds=\(traits.seconds) \(title: shown)\n"
    for song in value.songs?.value.songs ?? [] { append(song, to: &text) }
  }

  private static func append(_ sounds: [SharedSound], to text: inout [UInt8]) {
    for (place, sound) in sounds.enumerated() {
      if place > 0 { text.append(UInt8(ascii: ",")) }
      Hexadecimal.append(UInt64(sound.number), digits: 8, to: &text)
    }
  }

  private static func append(_ song: SharedSong, to text: inout [UInt8]) {
    text += "\t\tsong \(song.id)"
    if let sound = song.sound {
      text += " sound=".utf8
      append([sound], to: &text)
    }
    if let disc = song.disc { text += " disc=\(disc)" }
    if let track = song.track { text += " track=\(track)" }
    text += " seconds=\(song.seconds) \(title: song.title.cut(toBytes: SharedSong.longestTitle))\n"
  }
}

/// The state that a machine stores of the shared order.
package struct MachineState: Sendable {
  package struct Other: Hashable, Sendable {
    package var name: String
    /// The version of its last file that was read.
    package var version: Int
    /// When that file was written, in milliseconds since 1970.
    package var heard: Int64

    package init(name: String, version: Int, heard: Int64) {
      (self.name, self.version, self.heard) = (name, version, heard)
    }
  }

  /// The order that this machine's file describes.
  package var order: MachineOrder
  /// The number of the last change of the library that it knows.
  package var sequence: Int
  /// The seal of this machine's file, as it was written last.
  package var written: String?
  /// The seal of the file that is about to be written, or has been already.
  package var intended: String?
  package var others: [MachineID: Other] = [:]
  /// The albums that each of the other machines has.
  package var held: [MachineID: Set<AlbumID>] = [:]

  package init(order: MachineOrder, sequence: Int) {
    (self.order, self.sequence) = (order, sequence)
  }
}

extension StoreText.Interpolation {
  fileprivate mutating func appendInterpolation(header order: MachineOrder) {
    appendLiteral("share \(order.share) machine \(order.machine)")
    appendLiteral(" version \(order.version) clock \(order.clock)")
  }

  fileprivate mutating func appendInterpolation(_ key: PlaceKey) { key.append(to: &bytes) }
  fileprivate mutating func appendInterpolation(_ mark: Mark) { mark.append(to: &bytes) }
}
