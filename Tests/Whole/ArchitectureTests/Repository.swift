import Foundation
import TestSupport
import Testing

/// What the rules are about.
extension Repository {
  /// All Swift files below Sources and Tests.
  static let swiftFiles = sources.filter { $0.path.hasSuffix(".swift") }

  /// All files below Sources and Tests that are code, by their paths from the root.
  static let sources: [SourceFile] = ["Sources", "Tests"].flatMap { folder in
    paths(in: folder).filter { path in
      [".swift", ".c", ".cpp", ".h"].contains { path.hasSuffix($0) }
    }
  }.compactMap { path in
    text(path).map { SourceFile(path: path, text: $0) }
  }

  /// The text of a file; nil where there is none.
  static func text(_ path: String) -> String? {
    try? String(contentsOfFile: Self.path(path), encoding: .utf8)
  }

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: Self.path(path))
  }

  /// The names in a folder, sorted; hidden ones are left out.
  static func names(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }

  /// The paths of all files below a folder, from the root.
  private static func paths(in folder: String) -> [String] {
    names(in: folder).flatMap { name -> [String] in
      let path = "\(folder)/\(name)"
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: Self.path(path), isDirectory: &isFolder)
      return isFolder.boolValue ? paths(in: path) : [path]
    }
  }
}

struct SourceFile: CustomTestStringConvertible {
  let path: String
  let lines: [Substring]
  /// The lines without what stands in comments and texts.
  let codeLines: [Substring]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    codeLines = code(text).split(separator: "\n", omittingEmptySubsequences: false)
  }

  var testDescription: String { path }

  /// The folder below that of a floor, in Sources or Tests.
  var target: String { path.split(separator: "/").dropFirst(2).first.map(String.init) ?? "" }

  var isTest: Bool { path.hasPrefix("Tests/") }

  /// Where the pattern is found in the code, as `path:line`.
  func places(of pattern: some RegexComponent) -> [String] {
    codeLines.indices.filter { codeLines[$0].contains(pattern) }.map { "\(path):\($0 + 1)" }
  }
}
