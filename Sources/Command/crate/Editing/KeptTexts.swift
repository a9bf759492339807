import CratesInterface
import Glibc
import Platform
import Text

/// The texts of earlier edits that were refused, or whose editor was killed.
struct KeptTexts {
  let folder: String

  private static let beginning = "order-"
  static let ending = ".crates"

  /// A text that nobody changed holds nothing of the person's, and stays for 30 days all the same.
  private static let untouchedStays: Int64 = 30 * 86_400 * 1_000_000_000
  /// Looked at each time; of more, the others are looked at when these have gone.
  private static let most = 1_000

  /// The beginning of a name that says what the text was when it was made: more letters follow.
  static func name(of text: String) -> String { beginning + sum(text) + "-" }

  /// Whether one of them lies at this path. Another in the same place is the person's own.
  func hold(_ path: String) -> Bool {
    path.hasPrefix("\(folder)/") && Self.isName(path.dropFirst(folder.count + 1))
  }

  private static func isName(_ name: some StringProtocol) -> Bool {
    name.hasPrefix(beginning) && name.hasSuffix(ending) && !name.contains("/")
  }

  /// Drops those that hold nothing of the person's.
  ///
  /// - Parameter now: nanoseconds since 1970.
  func dropUntouched(now: Int64) {
    for path in paths {
      guard let status = FileStatus(name: path, followsLinks: false), status.isFile,
        now - status.modified > Self.untouchedStays, isUntouched(path)
      else { continue }
      unlink(path)
    }
  }

  /// How many hold something of the person's, beside one.
  func count(besides own: String) -> Int { paths.count { $0 != own && !isUntouched($0) } }

  private var paths: [String] {
    let directory = OpenFile(owning: open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    guard directory.descriptor >= 0 else { return [] }
    var names: [String] = []
    // What can't be listed now is found the next time.
    try? DirectoryNames().read(directory.descriptor) { bytes, _ in
      let name = String(decoding: bytes, as: UTF8.self)
      if Self.isName(name), names.count < Self.most { names.append("\(folder)/\(name)") }
    }
    return names
  }

  /// Whether the text is what its name says that it was. One whose name does not say is not known
  /// to be.
  private func isUntouched(_ path: String) -> Bool {
    guard let text = try? TextFile(path: path).read() else { return false }
    return path.hasPrefix("\(folder)/\(Self.name(of: text))")
  }

  /// 64 bits by FNV-1a, in hexadecimal: it tells a text from what a person made of it.
  private static func sum(_ text: String) -> String {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Hexadecimal.text(sum)
  }
}
