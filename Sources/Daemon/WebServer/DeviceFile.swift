import Glibc
package import Platform

/// The file with the devices that were let in.
package struct DeviceFile: Sendable {
  /// The path of the file. The directory has mode 0700, the file 0600.
  package let path: String
  private static let bytesMost = 1 << 20

  /// - Parameter directory: An absolute path.
  package init(in directory: String) {
    path = directory + "/devices"
  }

  package enum ReadError: Error, Sendable {
    case system(SystemCallError)
    /// The content is not what `DeviceText` writes.
    case damaged(path: String)
  }

  /// Returns the devices; none if the file doesn't exist.
  func read() throws(ReadError) -> [Device] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return [] }
    guard descriptor >= 0 else { throw .system(SystemCallError("open", path)) }
    let file = OpenFile(owning: descriptor)
    var text: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = retrying { Glibc.read(file.descriptor, &room, room.count) }
      guard count >= 0 else { throw .system(SystemCallError("read", path)) }
      if count == 0 { break }
      text += room[..<count]
      guard text.count <= Self.bytesMost else { throw .damaged(path: path) }
    }
    guard let devices = DeviceText.devices(in: text) else { throw .damaged(path: path) }
    return devices
  }

  /// Replaces the file durably: when this returns, the new content survives a power loss.
  func write(_ devices: [Device]) throws(SystemCallError) {
    try replaceFile(Array(path.utf8), with: DeviceText.text(of: devices))
  }

  var directory: String { String(path.dropLast("/devices".count)) }
}
