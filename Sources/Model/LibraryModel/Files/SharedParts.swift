import CXXHash
import Synchronization

/// The parts that were met last, so that the files of an album, which are met one after the other,
/// share theirs. It keeps at most 256 alive.
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
