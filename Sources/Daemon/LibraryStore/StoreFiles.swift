package import Platform

/// A file of the store by folder and name.
package struct StoreName: Hashable, Sendable, CustomStringConvertible {
  package enum Folder: Hashable, Sendable {
    case store, backups
  }

  package var folder: Folder
  package var name: String

  package init(_ name: String, in folder: Folder = .store) {
    self.folder = folder
    self.name = name
  }

  package var description: String { folder == .store ? name : "backups/\(name)" }

  static func snapshot(_ generation: Int) -> StoreName { StoreName("crates.\(generation).txt") }
  static func journal(_ generation: Int) -> StoreName { StoreName("journal.\(generation).txt") }

  /// Returns the generation in a name such as `crates.12.txt`; nil for any other name.
  func generation(_ kind: String) -> Int? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == kind, parts[2] == "txt" else { return nil }
    return StoreName.generation(parts[1])
  }

  /// The generation of a snapshot that is being written, or whose writing was cut off.
  var unfinishedGeneration: Int? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "crates", parts[2] == "txt", parts[3] == "new" else {
      return nil
    }
    return StoreName.generation(parts[1])
  }

  /// Parses a generation in the form in which it is written, small enough to be followed by others.
  private static func generation(_ text: Substring) -> Int? {
    guard text.utf8.count <= StoreLimits.mostDigits, let number = Int(text), number > 0,
      String(number) == text
    else { return nil }
    return number
  }
}

/// The disk as the store sees it: the few operations that tests replace by a simulated disk.
///
/// Each throws the call that failed, with the path, and has then changed nothing unless it says so.
package protocol StoreFiles: AnyObject, Sendable {
  associatedtype File: Sendable

  func names(in folder: StoreName.Folder) throws(SystemCallError) -> [String]
  /// Returns the size of the file in bytes; nil if there is none.
  func size(of name: StoreName) throws(SystemCallError) -> Int?
  /// Reads the whole file; nil if there is none.
  func read(_ name: StoreName) throws(SystemCallError) -> [UInt8]?
  /// Creates an empty file; fails if the name is taken.
  func create(_ name: StoreName) throws(SystemCallError) -> File
  /// Appends all bytes. A call that fails may have appended some of them, or all: NFS takes bytes
  /// into its cache and finds out about a quota when it sends them.
  func append(_ bytes: [UInt8], to file: File) throws(SystemCallError)
  /// Returns the size of the open file in bytes.
  func size(of file: File) throws(SystemCallError) -> Int
  /// Asks the kernel to begin writing what was appended, without waiting. Errors show when the file
  /// is synchronized.
  func startWriting(_ file: File)
  /// Waits until everything appended is on the disk. After a failure it is unknown what is there,
  /// and a later success means nothing: the file must not be used again.
  func synchronize(_ file: File) throws(SystemCallError)
  /// The same for a file that another process wrote. Errors that the kernel reported to that
  /// process are not reported again.
  func synchronizeFound(_ name: StoreName) throws(SystemCallError)
  func truncate(_ file: File, to size: Int) throws(SystemCallError)
  func close(_ file: File) throws(SystemCallError)
  /// Renames a file, and never replaces another one.
  func rename(_ old: StoreName, to new: StoreName) throws(SystemCallError)
  func remove(_ name: StoreName) throws(SystemCallError)
  /// Waits until the names in the folder are on the disk. After a call that failed, a later success
  /// means nothing.
  func synchronize(_ folder: StoreName.Folder) throws(SystemCallError)
  /// Whether the directory at the store's path is still the one that was opened.
  var isIntact: Bool { get }
  /// Probes whether there is room for a change, and leaves nothing behind. Succeeds on a file
  /// system without unnamed files.
  func probe() throws(SystemCallError)
}

extension StoreFiles {
  /// Writes and synchronizes a new file. Its name is durable once its directory is synchronized.
  ///
  /// - Throws: the call that failed. The file is removed, unless that fails, too.
  func writeNew(_ bytes: [UInt8], to name: StoreName) throws(SystemCallError) {
    let file = try create(name)
    do throws(SystemCallError) {
      try append(bytes, to: file)
      try synchronize(file)
    } catch {
      try? close(file)
      try? remove(name)
      throw error
    }
    do {
      try close(file)
    } catch {
      try? remove(name)
      throw error
    }
  }

  /// The same under a temporary name, `NAME.new`, and renames the complete file. A kill leaves at
  /// most the temporary file.
  ///
  /// - Throws: the call that failed; EEXIST if the name is taken. No file of either name is left,
  ///   unless removing it fails, too.
  func writeWhole(_ bytes: [UInt8], to name: StoreName) throws(SystemCallError) {
    let temporary = StoreName("\(name.name).new", in: name.folder)
    try writeNew(bytes, to: temporary)
    do {
      try rename(temporary, to: name)
    } catch {
      try? remove(temporary)
      throw error
    }
  }
}
