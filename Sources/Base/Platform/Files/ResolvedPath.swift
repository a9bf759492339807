import Glibc

/// The maximum number of dangling links that are followed: as many as the kernel follows of others.
private let mostLinks = 40

/// Returns the path without symbolic links as far as it exists; the rest is unchanged. A link is
/// followed even if its target is missing, for example on a drive that is unmounted.
///
/// If a folder takes longer than `answerWithin`, the path is returned as it is.
///
/// - Parameter path: absolute, without a terminating NUL.
package func resolvedPath(_ path: [UInt8]) -> [UInt8] {
  resolvedPath(path, within: answerWithin) ?? path
}

/// Like `resolvedPath(_:)`; nil if a folder doesn't answer in time.
package func resolvedPath(_ path: [UInt8], within nanoseconds: Int64) -> [UInt8]? {
  answer(of: path, within: nanoseconds) { resolvedPathWaiting(path) }
}

/// Like `resolvedPath(_:)`, but waits however long a folder takes.
package func resolvedPathWaiting(_ path: [UInt8]) -> [UInt8] {
  let slash = UInt8(ascii: "/")
  var existing = path
  var rest: [[UInt8]] = []
  var links = 0
  while true {
    let name = existing.map { CChar(bitPattern: $0) } + [0]
    if let real = realpath(name, nil) {
      defer { free(real) }
      let bytes = UnsafeBufferPointer(start: real, count: strlen(real)).map(UInt8.init(bitPattern:))
      return rest.reversed().reduce(bytes) { $0.last == slash ? $0 + $1 : $0 + [slash] + $1 }
    }
    guard let end = existing.lastIndex(of: slash), end + 1 < existing.count else { return path }
    let parent = Array(existing[..<max(end, 1)])
    if links < mostLinks, let target = linkTarget(name) {
      links += 1
      existing = target.first == slash ? target : parent + [slash] + target
    } else {
      rest.append(Array(existing[(end + 1)...]))
      existing = parent
    }
  }
}

/// Returns the link's target without slashes at its end; nil if the name is no link.
private func linkTarget(_ name: [CChar]) -> [UInt8]? {
  var room = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = readlink(name, &room, room.count)
  guard count > 0 else { return nil }
  var target = room[..<count].map { UInt8(bitPattern: $0) }
  while target.count > 1, target.last == UInt8(ascii: "/") { target.removeLast() }
  return target
}
