import CratesInterface
import Glibc
import Platform
import Text

/// The texts of edits that were refused, or whose editor was killed.
struct KeptTexts {
  let folder: String

  private static let beginning = "order-"
  static let ending = ".crates"

  /// The time after which an unchanged text is deleted, which is 30 days in nanoseconds.
  private static let untouchedStays: Int64 = 30 * 86_400 * 1_000_000_000
  /// The most files to examine at a time; further ones are examined later.
  private static let most = 1_000

  /// Returns the beginning of a file name, which contains the checksum of the original text.
  static func name(of text: String) -> String { beginning + sum(text) + "-" }

  /// Whether the path is that of a stored text. Other files in the folder belong to the user.
  func hold(_ path: String) -> Bool {
    path.hasPrefix("\(folder)/") && Self.isName(path.dropFirst(folder.count + 1))
  }

  private static func isName(_ name: some StringProtocol) -> Bool {
    name.hasPrefix(beginning) && name.hasSuffix(ending) && !name.contains("/")
  }

  /// Deletes old texts that the user didn't change.
  ///
  /// - Parameter now: The time in nanoseconds since 1970.
  func dropUntouched(now: Int64) {
    for path in paths {
      guard let status = FileStatus(name: path, followsLinks: false), status.isFile,
        now - status.modified > Self.untouchedStays, isUntouched(path)
      else { continue }
      unlink(path)
    }
  }

  /// Returns the number of changed texts besides the given one.
  func count(besides own: String) -> Int { paths.count { $0 != own && !isUntouched($0) } }

  private var paths: [String] {
    let directory = OpenFile(owning: open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    guard directory.descriptor >= 0 else { return [] }
    var names: [String] = []
    // If the folder can't be listed now, the files are found the next time.
    try? DirectoryNames().read(directory.descriptor) { bytes, _ in
      let name = String(decoding: bytes, as: UTF8.self)
      if Self.isName(name), names.count < Self.most { names.append("\(folder)/\(name)") }
    }
    return names
  }

  /// Whether the text has the checksum in its name. False if the name has none.
  private func isUntouched(_ path: String) -> Bool {
    guard let text = try? TextFile(path: path).read() else { return false }
    return path.hasPrefix("\(folder)/\(Self.name(of: text))")
  }

  /// Returns the 64-bit FNV-1a hash in hexadecimal, which detects changes of a text.
  private static func sum(_ text: String) -> String {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Hexadecimal.text(sum)
  }
}
