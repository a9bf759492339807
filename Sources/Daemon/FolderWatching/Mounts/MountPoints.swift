import LibraryModel

/// The real locations of paths, from the text of `/proc/self/mountinfo`. Pure.
struct MountPoints {
  /// A file system and a path in it: the same for all paths that lead to one place through mounts.
  struct Location: Hashable {
    var device: [UInt8]
    var path: BytePath
  }

  /// A mount, identified by its number, its device and its place.
  struct Mount: Hashable {
    fileprivate var id: UInt64
    fileprivate var device: [UInt8]
    /// The part of the file system that is visible at the mount point.
    fileprivate var root: BytePath
    fileprivate var point: BytePath
  }

  private var mounts: [UInt64: Mount] = [:]
  /// The mount numbers in the order of the text: later mounts cover earlier ones.
  private var order: [UInt64] = []

  init(_ text: [UInt8] = []) {
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " "))
      guard fields.count > 4, let id = UInt64(String(decoding: fields[0], as: UTF8.self))
      else { continue }
      mounts[id] = Mount(
        id: id, device: Array(fields[2]), root: BytePath(Self.unescaped(fields[3])),
        point: BytePath(Self.unescaped(fields[4])))
      order.append(id)
    }
  }

  /// Returns the mounts inside these places and those that the places lie on.
  func concerning(_ places: Set<BytePath>) -> Set<Mount> {
    var concerning: Set<Mount> = []
    for place in places {
      var above: Mount?
      for mount in order.compactMap({ mounts[$0] }) {
        if mount.point.isInside(place) {
          concerning.insert(mount)
        } else if place.isInside(mount.point),
          above.map({ mount.point.count >= $0.point.count }) ?? true
        {
          above = mount
        }
      }
      if let above { concerning.insert(above) }
    }
    return concerning
  }

  func knows(_ mount: UInt64) -> Bool { mounts[mount] != nil }

  /// Returns the location of a path; nil if the mount is unknown.
  ///
  /// - Parameters:
  ///   - real: an absolute path without symbolic links.
  ///   - mount: the kernel's number of the mount that it lies on.
  func location(of real: BytePath, on mount: UInt64) -> Location? {
    guard let mount = mounts[mount], let rest = real.relative(to: mount.point) else { return nil }
    return Location(device: mount.device, path: mount.root.appending(rest))
  }

  /// Returns the location by the path alone, without asking the kernel, which might not answer.
  func location(of real: BytePath) -> Location? {
    var best: (id: UInt64, length: Int)?
    for id in order {
      guard let point = mounts[id]?.point, real.isInside(point),
        best.map({ point.count >= $0.length }) ?? true
      else { continue }
      best = (id, point.count)
    }
    return best.flatMap { location(of: real, on: $0.id) }
  }

  /// Decodes a field, in which blanks and backslashes are written as a backslash and three octal
  /// digits.
  static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var index = field.startIndex
    while index < field.endIndex {
      let digits = field[(index + 1)...].prefix(3)
      if field[index] == UInt8(ascii: "\\"), digits.count == 3,
        digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) })
      {
        let value = digits.reduce(0) { $0 * 8 + Int($1 - UInt8(ascii: "0")) }
        result.append(UInt8(truncatingIfNeeded: value))
        index += 4
      } else {
        result.append(field[index])
        index += 1
      }
    }
    return result
  }
}
