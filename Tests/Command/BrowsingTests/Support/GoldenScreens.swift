import Glibc
import TestSupport
import Testing

/// Files of what was right.
enum GoldenScreens {
  private static let folder = Repository.folder() + "/../Golden/"

  static func expect(
    _ text: String, in name: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let path = folder + name
    guard let file = fopen(path, "r") else {
      let file = try #require(fopen(path, "w"), sourceLocation: location)
      fwrite(text, 1, text.utf8.count, file)
      fclose(file)
      Issue.record("\(name) is new: look at it", sourceLocation: location)
      return
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    #expect(String(decoding: bytes[..<count], as: UTF8.self) == text, sourceLocation: location)
  }
}
