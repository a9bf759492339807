import CXXHash

extension Library {
  /// A hash of everything that is shown of the order: crates, albums, songs, their paths, and which
  /// songs are gone. It is the same in every process. Linear.
  package var fingerprint: UInt64 {
    var hash: UInt64 = 0
    var bytes: [UInt8] = []
    func add(_ number: UInt64) {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    func mix() {
      add(hash)
      hash = bytes.withUnsafeBytes { crated_xxh3_128($0.baseAddress, $0.count).low }
      bytes.removeAll(keepingCapacity: true)
    }
    for crate in crates {
      bytes.append(contentsOf: crate.name.utf8)
      mix()
      for album in crate.albums.compactMap({ albums[$0] }) {
        add(album.id.number)
        bytes.append(contentsOf: album.group.description.utf8)
        for id in album.entries {
          guard let song = songs[id], song.album == album.id else { continue }
          add(id.number)
          bytes.append(song.isGone ? 1 : 0)
          add(UInt64(song.path.bytes.count))
          bytes.append(contentsOf: song.path.bytes)
        }
        mix()
      }
    }
    return hash
  }
}
