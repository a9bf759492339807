extension SettingsTable {
  /// The maximum number of names. A household has a few; each request is compared with all of them.
  private static let mostWebNames = 64
  /// The maximum lengths of a name and of each part between its dots (RFC 1035, 2.3.4), in bytes.
  private static let longestName = 253
  private static let longestLabel = 63

  func webAddress() throws(SettingsError) -> WebAddress? {
    guard let written = try text(.web) else { return nil }
    if let address = WebAddress(written) { return address }
    throw failure(
      .web, "can't be “\(written)”",
      advice: "write an address of this machine and a port, such as \"127.0.0.1:8337\" or"
        + " \"[::1]:8337\"")
  }

  /// Returns the host names in lower case, in which hosts are compared.
  func webNames() throws(SettingsError) -> [String] {
    let written = try texts(.webNames) ?? []
    if written.count > Self.mostWebNames {
      throw failure(
        .webNames, "holds \(written.count) names, and \(Self.mostWebNames) is the most",
        advice: "keep those that you type into a browser")
    }
    for name in written where !Self.isHostName(name) {
      throw failure(
        .webNames, "can't hold “\(name)”",
        advice: "write names of hosts alone, such as \"music.example.org\" (of others than ASCII"
          + " letters as xn--…)")
    }
    return written.map { $0.lowercased() }
  }

  private static func isHostName(_ name: String) -> Bool {
    guard name.utf8.count <= longestName else { return false }
    return name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
      (1...longestLabel).contains(label.utf8.count) && label.first != "-" && label.last != "-"
        && label.utf8.allSatisfy(isHostByte)
    }
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
