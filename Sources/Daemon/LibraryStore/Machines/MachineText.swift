import LibraryModel
package import SharedOrder
import Text

/// The order of several machines as text (Documentation/store-format.md): what one machine says of
/// it, for the others, and what it has to remember of them.
package enum MachineText {
  static let version = 1
  /// Bytes of a line with its line feed.
  static let longestLine = 64 << 10
  /// Bytes of a file.
  package static let mostBytes = 64 << 20
  /// Albums of a file.
  static let mostAlbums = 1_000_000
  /// Letters of a key.
  static let longestKey = 200

  /// Returns the file that others read.
  package static func text(_ order: MachineOrder) -> [UInt8] {
    var text = firstLine(of: order)
    append(order, hasOwners: false, to: &text)
    SealedText.seal(&text)
    return text
  }

  /// Returns the text of an order, made of that of another one that differs in its first line.
  package static func text(_ order: MachineOrder, from other: [UInt8]) -> [UInt8] {
    guard let start = other[...].place(of: 0x0A), let end = try? SealedText.end(of: other) else {
      return text(order)
    }
    var text = firstLine(of: order)
    text.reserveCapacity(other.count + 8)
    text += other[(start + 1)..<end.start]
    SealedText.seal(&text)
    return text
  }

  private static func firstLine(of order: MachineOrder) -> [UInt8] {
    var line: [UInt8] = []
    line += "crated-order \(version) \(header: order) name \(rest: order.name)\n"
    return line
  }

  /// Returns what this machine remembers.
  package static func text(_ state: MachineState) -> [UInt8] {
    var text: [UInt8] = []
    text += "crated-machines \(version) \(header: state.order) sequence \(state.sequence)"
    if let seal = state.written { text += " written=\(word: seal)" }
    if let seal = state.intended { text += " intended=\(word: seal)" }
    text += " name \(rest: state.order.name)\n"
    for (id, other) in state.others.sorted(by: { $0.key < $1.key }) {
      text += "machine \(word: "\(id)") version \(other.version) heard=\(time: other.heard)"
      text += " name \(rest: other.name)\n"
    }
    append(state.order, hasOwners: true, to: &text)
    SealedText.seal(&text)
    return text
  }

  /// Returns the seal of a text that `text` returned.
  package static func seal(of text: [UInt8]) -> String {
    let seal = (try? SealedText.end(of: text)).flatMap { try? SealedText.seal(of: text, $0) }
    return String(decoding: seal ?? [], as: UTF8.self)
  }

  private static func append(_ order: MachineOrder, hasOwners: Bool, to text: inout [UInt8]) {
    text.reserveCapacity(text.count + 256 * order.albums.count + 4096)
    var albums = order.albums[...]
    for (id, crate) in order.crates {
      text += "crate \(id) at=\(crate.place.value) by=\(crate.place.mark)"
      text += " named=\(crate.name.mark) \(rest: crate.name.value)\n"
      while let album = albums.first, album.value.spot.crate == id {
        append(album, hasOwners: hasOwners, to: &text)
        albums.removeFirst()
      }
    }
  }

  private static func append(
    _ album: MachineOrder.Album, hasOwners: Bool, to text: inout [UInt8]
  ) {
    let (value, spot, traits) = (album.value, album.value.spot, album.value.traits)
    // There are thousands of these: pieces of text would take longer than all the rest.
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
    if hasOwners, !value.owners.isEmpty {
      text += " on=\(word: value.owners.sorted().map { "\($0)" }.joined(separator: ","))"
    }
    text += " group=".utf8
    GroupText.append(traits.group, to: &text)
    if !traits.sounds.isEmpty { text += " sounds=\(traits.sounds)" }
    text += " songs=\(traits.songs) seconds=\(traits.seconds)"
    text += " \(title: traits.shown.cut(toBytes: SharedSong.longestTitle))\n"
    for song in value.songs?.value.songs ?? [] { append(song, to: &text) }
  }

  private static func append(_ song: SharedSong, to text: inout [UInt8]) {
    text += "\t\tsong \(song.id)"
    if let sound = song.sound { text += " sound=\([sound])" }
    if let disc = song.disc { text += " disc=\(disc)" }
    if let track = song.track { text += " track=\(track)" }
    text += " seconds=\(song.seconds) \(title: song.title.cut(toBytes: SharedSong.longestTitle))\n"
  }
}

/// What a machine remembers of the order that it shares.
package struct MachineState: Sendable {
  package struct Other: Hashable, Sendable {
    package var name: String
    /// Of its last file that was read.
    package var version: Int
    /// When that was written, in milliseconds since 1970.
    package var heard: Int64

    package init(name: String, version: Int, heard: Int64) {
      (self.name, self.version, self.heard) = (name, version, heard)
    }
  }

  /// What this machine says, with the owners of albums.
  package var order: MachineOrder
  /// The number of the last change of the library that it knows.
  package var sequence: Int
  /// The seal of this machine's file, as it was written last.
  package var written: String?
  /// The seal of the file that is about to be written, or was already.
  package var intended: String?
  package var others: [MachineID: Other] = [:]

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

  fileprivate mutating func appendInterpolation(_ sounds: [SharedSound]) {
    for (place, sound) in sounds.enumerated() {
      if place > 0 { appendLiteral(",") }
      Hexadecimal.append(UInt64(sound.number), digits: 8, to: &bytes)
    }
  }
}
