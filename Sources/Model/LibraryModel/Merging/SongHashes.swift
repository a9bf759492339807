import CXXHash

/// A hash table of songs by hashes of their keys: paths, sounds, tags. It does not store the keys,
/// so callers have to check whether a result matches. A pair may be stored several times.
///
/// It takes 12 bytes per pair, and up to a third more as spare capacity. Lookup, insertion and
/// removal take a few steps, except when the table grows.
struct SongHashes: Sendable {
  private static let empty = UInt64.max

  private(set) var count = 0
  /// The upper half of each hash. It determines the home slot of a pair, which is stored in the
  /// first free slot from there on.
  private var hashes: [UInt32] = []
  private var songs: [UInt64] = []

  init(reserving capacity: Int = 0) {
    if capacity > 0 { resize(to: Self.slots(for: capacity)) }
  }

  /// Releases spare capacity.
  mutating func fit() {
    if count > 0, songs.count > Self.slots(for: count) { resize(to: Self.slots(for: count)) }
  }

  private static func slots(for count: Int) -> Int { count * 5 / 4 + 8 }

  /// Returns the songs with this hash, sorted by id, without repetitions.
  subscript(hash: UInt64) -> [SongID] {
    if count == 0 { return [] }
    let hash = UInt32(hash >> 32)
    var found: [SongID] = []
    var slot = home(hash)
    while songs[slot] != Self.empty {
      if hashes[slot] == hash {
        found.append(SongID(number: songs[slot]))
      }
      slot = next(slot)
    }
    if found.count < 2 { return found }
    found.sort()
    var last: SongID?
    return found.filter { song in
      defer { last = song }
      return song != last
    }
  }

  mutating func insert(_ song: SongID, at hash: UInt64) {
    if (count + 1) * 5 > songs.count * 4 { resize(to: songs.count * 5 / 4 + 8) }
    put(song.number, UInt32(hash >> 32))
    count += 1
  }

  /// Removes one such pair, which has to exist.
  mutating func remove(_ song: SongID, at hash: UInt64) {
    let hash = UInt32(hash >> 32)
    if count == 0 { return assertionFailure("what is removed is there") }
    var hole = home(hash)
    while hashes[hole] != hash || songs[hole] != song.number {
      if songs[hole] == Self.empty { return assertionFailure("what is removed is there") }
      hole = next(hole)
    }
    count -= 1
    // Moves the following pairs up, unless that would put them before their home slots.
    var slot = next(hole)
    while songs[slot] != Self.empty {
      let distance = (slot - home(hashes[slot]) + songs.count) % songs.count
      if distance >= (slot - hole + songs.count) % songs.count {
        (hashes[hole], songs[hole]) = (hashes[slot], songs[slot])
        hole = slot
      }
      slot = next(slot)
    }
    songs[hole] = Self.empty
  }

  private func home(_ hash: UInt32) -> Int { Int((UInt64(hash) * UInt64(songs.count)) >> 32) }

  private func next(_ slot: Int) -> Int { slot + 1 == songs.count ? 0 : slot + 1 }

  private mutating func put(_ song: UInt64, _ hash: UInt32) {
    var slot = home(hash)
    while songs[slot] != Self.empty { slot = next(slot) }
    (hashes[slot], songs[slot]) = (hash, song)
  }

  private mutating func resize(to capacity: Int) {
    let (oldHashes, oldSongs) = (hashes, songs)
    hashes = [UInt32](repeating: 0, count: capacity)
    songs = [UInt64](repeating: Self.empty, count: capacity)
    for (hash, song) in zip(oldHashes, oldSongs) where song != Self.empty { put(song, hash) }
  }
}

extension SongHashes: Equatable {
  static func == (left: SongHashes, right: SongHashes) -> Bool {
    left.count == right.count && left.pairs == right.pairs
  }

  private var pairs: [Pair] {
    zip(hashes, songs).filter { $0.1 != Self.empty }.map(Pair.init).sorted()
  }

  private struct Pair: Comparable {
    var hash: UInt32
    var song: UInt64

    static func < (left: Pair, right: Pair) -> Bool {
      (left.hash, left.song) < (right.hash, right.song)
    }
  }
}

// MARK: - What is hashed

/// A key by which songs are searched for.
enum SongKey: Hashable {
  /// The path of a known file.
  case path(BytePath)
  /// The path of a gone song without the extension.
  case stem(BytePath)
  case identity(FileIdentity)
  case sound(AudioDigest)
  /// MusicBrainz recording and release.
  case recording(String)
  case traits(family: String, disc: Int, track: Int?, title: String)

  /// Returns nil unless both ids exist.
  static func recording(_ recording: String, _ release: String) -> SongKey? {
    recording.isEmpty || release.isEmpty ? nil : .recording("\(recording)/\(release)")
  }

  static func title(family: String, disc: Int, track: Int?, title: String) -> SongKey {
    .traits(family: family, disc: disc, track: track, title: folded(title))
  }

  var songHash: UInt64 {
    switch self {
    case .path(let path), .stem(let path): path.hash
    case .identity(let identity):
      withUnsafeBytes(
        of: (identity.fileSystem, identity.inode, UInt64(bitPattern: identity.birth)), Self.hash)
    // A hash already.
    case .sound(let digest): digest.high
    case .recording, .traits:
      UInt64(bitPattern: Int64(hashValue))
    }
  }

  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    crated_xxh3_128(bytes.baseAddress, bytes.count).high
  }
}
