import CXXHash
import Synchronization

/// A cache of recent parts. The files of an album are processed one after the other, and so share
/// theirs. It keeps at most 256 parts alive.
final class SharedParts: Sendable {
  private static let most = 256
  private let parts = Mutex([[UInt8]](repeating: [], count: SharedParts.most))

  func same(as part: [UInt8]) -> [UInt8] {
    let place = part.withUnsafeBytes(Self.place)
    return parts.withLock { parts in
      if parts[place] != part { parts[place] = part }
      return parts[place]
    }
  }

  func same(as part: UnsafeRawBufferPointer) -> [UInt8] {
    let place = Self.place(part)
    return parts.withLock { parts in
      if !parts[place].elementsEqual(part) { parts[place] = Array(part) }
      return parts[place]
    }
  }

  private static func place(_ part: UnsafeRawBufferPointer) -> Int {
    Int(crated_xxh3_128(part.baseAddress, part.count).low % UInt64(most))
  }
}
