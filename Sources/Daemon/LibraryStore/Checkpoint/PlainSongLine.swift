import Glibc
import LibraryModel
import Platform

/// The line of a snapshot that nearly all of its lines are: a song that is there, in the group of
/// its album, and a path in which nothing is escaped. All its parts stand at fixed places, so that
/// it is read several times as quickly as word by word.
struct PlainSongLine {
  let id: SongID
  let added: Int64
  let digest: AudioDigest
  /// The added time, where it is left out.
  let seen: Int64
  let isTouched: Bool
  let path: BytePath

  /// Nil for any other line, right or wrong.
  init?(_ line: UnsafeBufferPointer<UInt8>) {
    var rest = line[...]
    guard Self.take("\t\tsong ", &rest),
      let id = SongID(Self.take(IdentifierText.length, &rest)),
      Self.take(" added=", &rest),
      let added = Timestamp.milliseconds(Self.take(Timestamp.length, &rest))
    else { return nil }
    var seen = added
    if Self.take(" seen=", &rest) {
      guard let time = Timestamp.milliseconds(Self.take(Timestamp.length, &rest)) else {
        return nil
      }
      seen = time
    }
    guard Self.take(" digest=", &rest),
      let digest = DigestText.digest(Self.take(DigestText.length, &rest)),
      Self.take(" ", &rest)
    else { return nil }
    isTouched = Self.take("touched=1 ", &rest)
    let path = UnsafeBufferPointer(rebasing: rest)
    guard let start = path.baseAddress, path.first == UInt8(ascii: "/"),
      memchr(start, Int32(UInt8(ascii: "%")), path.count) == nil
    else { return nil }
    (self.id, self.added, self.seen) = (id, added, seen)
    (self.digest, self.path) = (digest, BytePath(Array(path)))
  }

  /// The next bytes, so many or as many as there are.
  private static func take(
    _ count: Int, _ rest: inout Slice<UnsafeBufferPointer<UInt8>>
  ) -> UnsafeBufferPointer<UInt8> {
    let taken = UnsafeBufferPointer(rebasing: rest.prefix(count))
    rest = rest.dropFirst(count)
    return taken
  }

  /// Whether these bytes are next, which are taken then.
  private static func take(
    _ text: StaticString, _ rest: inout Slice<UnsafeBufferPointer<UInt8>>
  ) -> Bool {
    let count = text.utf8CodeUnitCount
    guard rest.count >= count, let start = UnsafeBufferPointer(rebasing: rest).baseAddress,
      memcmp(start, text.utf8Start, count) == 0
    else { return false }
    rest = rest.dropFirst(count)
    return true
  }
}
