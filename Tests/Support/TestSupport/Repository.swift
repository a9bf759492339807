import Glibc

/// Where the files of the repository are that these tests were built from.
package enum Repository {
  /// The folder that has Package.swift, without a slash at its end.
  package static let root: String = {
    var folder = Self.folder()
    while !folder.isEmpty && access("\(folder)/Package.swift", R_OK) != 0 {
      folder = Self.folder(of: folder)
    }
    return folder
  }()

  /// The path of a file, given by its path from the root.
  package static func path(_ path: String) -> String { "\(root)/\(path)" }

  /// The folder of a source file: of the caller's, if none is named.
  package static func folder(of file: String = #filePath) -> String {
    String(file.prefix(upTo: file.lastIndex(of: "/") ?? file.startIndex))
  }
}
