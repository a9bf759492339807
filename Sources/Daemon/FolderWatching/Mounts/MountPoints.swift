import LibraryModel

/// Where things really lie, by the text of `/proc/self/mountinfo`. Pure.
struct MountPoints {
  /// A file system and a path in it: the same for all paths that mounts make lead to one thing.
  struct Location: Hashable {
    var device: [UInt8]
    var path: BytePath
  }

  private struct Mount {
    var device: [UInt8]
    /// The part of the file system that is seen at the point.
    var root: BytePath
    var point: BytePath
  }

  private var mounts: [UInt64: Mount] = [:]
  /// Numbers, in the order of the text: what is mounted later covers.
  private var order: [UInt64] = []

  init(_ text: [UInt8] = []) {
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " "))
      guard fields.count > 4, let id = UInt64(String(decoding: fields[0], as: UTF8.self))
      else { continue }
      mounts[id] = Mount(
        device: Array(fields[2]), root: BytePath(MountTable.unescaped(fields[3])),
        point: BytePath(MountTable.unescaped(fields[4])))
      order.append(id)
    }
  }

  func knows(_ mount: UInt64) -> Bool { mounts[mount] != nil }

  /// - Parameters:
  ///   - real: an absolute path without symbolic links.
  ///   - mount: the kernel's number of what it lies on.
  func location(of real: BytePath, on mount: UInt64) -> Location? {
    guard let mount = mounts[mount], let rest = real.relative(to: mount.point) else { return nil }
    return Location(device: mount.device, path: mount.root.appending(rest))
  }

  /// By the path alone, without asking the kernel, which might not answer.
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
}
