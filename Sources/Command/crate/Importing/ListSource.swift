import CratesInterface
import Glibc
import ImportedLists
import Platform
import Text

/// The lists of another program, read as a whole. Afterwards the process can't open any path, if
/// the kernel supports that: the files are untrusted.
struct ListSource {
  /// The path as the user knows it.
  let path: String
  /// The folder that contains the lists.
  let folder: String
  private(set) var files: [File] = []
  /// Opened before the process gives up access to paths.
  let pages = CodePages()

  enum File {
    case lists(ListFile)
    /// A list whose encoding has to be guessed by which songs are found: the bytes, and its path.
    case undecoded([UInt8], path: String)
  }

  /// The most files in a folder of lists. A folder with more serves another purpose.
  private static let filesMost = 10_000
  private static let endings = ["m3u", "m3u8", "pls", "xspf", "jspf", "nsp", "crate"]

  /// Creates a source from lists that were read.
  init(path: String, folder: String, files: [File]) {
    self.path = path
    self.folder = folder
    self.files = files
  }

  /// - Parameter word: The name of a program, or a path. A file with the name of a program needs a
  ///   folder in front: `./mixxx`.
  init(_ word: String) throws(Failure) {
    let program = ImportProgram(word: word)
    if program == nil, let failure = Self.unknown(word) { throw failure }
    path = try program.map { program throws(Failure) in try Self.place(of: program) } ?? word
    let absolute = FileAddress.absolute(path)
    let file = try Self.opened(path)
    guard let status = FileStatus(descriptor: file.descriptor), status.isFile || status.isDirectory
    else {
      throw Failure(status: .unreadable, message: "\(path) is neither a file nor a folder")
    }
    if status.isDirectory {
      folder = absolute
      try read(in: path, endings: program == .mpd ? ["m3u"] : Self.endings)
    } else {
      folder = String(absolute[..<(absolute.lastIndex(of: "/") ?? absolute.startIndex)])
      try read(file, beside: program?.beside)
    }
  }

  /// The local places of the lists' folders, as far as they can be inferred: Serato's song paths
  /// are relative to the root of the drive that contains its crates.
  var roots: [Interface.Root] { Self.roots(of: folder) }

  static func roots(of folder: String) -> [Interface.Root] {
    let crates = "/_Serato_/Subcrates"
    guard folder.hasSuffix(crates), folder.count > crates.count else { return [] }
    return [Interface.Root(theirs: "/", ours: String(folder.dropLast(crates.count)))]
  }

  /// The file's name without its folder.
  var name: String { Self.name(of: path) }

  private static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Returns the failure for a word that looks like a program's name, but is neither that nor a
  /// file.
  private static func unknown(_ word: String) -> Failure? {
    let isName = !word.contains { $0 == "/" || $0 == "." }
    guard isName, access(word, F_OK) != 0, errno == ENOENT else { return nil }
    let known = ImportProgram.allCases.map(\.rawValue)
    let advice =
      nearestName(to: word, of: known).map { "did you mean \($0)?" }
      ?? "save its lists as files there, and name one"
    return Failure(
      status: .unreadable,
      message: "\(word) is neither a file nor a program whose lists are known"
        + " (\(known.joined(separator: ", "))); \(advice)")
  }

  private static func place(of program: ImportProgram) throws(Failure) -> String {
    guard let home = Environment["HOME"], home.hasPrefix("/") else {
      throw .refused("HOME is not set, so \(program.rawValue)'s files can't be found; name one")
    }
    let places = program.places(
      home: home, config: Environment["XDG_CONFIG_HOME"], data: Environment["XDG_DATA_HOME"])
    if let place = places.first(where: { access($0, F_OK) == 0 }) { return place }
    throw Failure(
      status: .unreadable,
      message: "\(program.rawValue) has no lists where it usually keeps them"
        + " (\(places.joined(separator: ", "))); name the "
        + (program == .mpd ? "folder that mpd.conf calls playlist_directory" : "file"))
  }

  // MARK: Reading

  private mutating func read(_ file: borrowing OpenFile, beside: String?) throws(Failure) {
    let start = try Self.bytes(of: file, path, most: ProgramDatabase.headerBytes)
    if ProgramDatabase.isOne(start) {
      do throws(ListFault) {
        let temporary = Environment["TMPDIR"] ?? "/tmp"
        files = [.lists(try DatabaseFile.read(path, copyingTo: temporary, sealing: Self.seal))]
      } catch {
        throw Failure(error, in: path)
      }
      return
    }
    let bytes = try Self.bytes(of: file, path, after: start)
    let more = beside.flatMap { Self.neighbour("\(folder)/\($0)") }
    pages.open()
    Self.seal()
    files = [try source(of: bytes, path, beside: more)]
  }

  /// Reads the lists in a folder, sorted by name.
  private mutating func read(in path: String, endings: [String]) throws(Failure) {
    guard let folder = opendir(path) else { throw Self.failure("can't be read", path) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count > 1, !name.hasPrefix("."),
        parts.last.map({ endings.contains($0.lowercased()) }) == true
      else { continue }
      names.append(name)
      guard names.count <= Self.filesMost else {
        throw Failure(
          status: .damaged, message: "\(path) has more than \(Self.filesMost) lists; name a file")
      }
    }
    guard !names.isEmpty else {
      let isOfMPD = path.hasSuffix("/mpd/playlists")
      throw .refused(
        "there is no list in \(path)"
          + (isOfMPD ? "; if mpd.conf names another playlist_directory, name that folder" : ""))
    }
    var texts: [(path: String, bytes: [UInt8])] = []
    var count = 0
    for name in names.sorted() {
      let path = "\(path)/\(name)"
      let file = try Self.opened(path)
      // Other files with such a name, such as pipes, are not lists.
      guard FileStatus(descriptor: file.descriptor)?.isFile == true else { continue }
      let bytes = try Self.bytes(of: file, path)
      texts.append((path, bytes))
      count += bytes.count
      guard count <= ListLimits.bytes else {
        throw Failure(status: .damaged, message: "\(path): more than 256 MiB of lists; name a file")
      }
    }
    pages.open()
    Self.seal()
    for (path, bytes) in texts { files.append(try source(of: bytes, path)) }
  }

  /// Parses a file, so that a damaged one is refused before any lookup.
  private func source(
    of bytes: [UInt8], _ path: String, beside: [UInt8]? = nil
  ) throws(Failure) -> File {
    do throws(ListFault) {
      let name = Self.name(of: path)
      let lists = try ListFile(of: bytes, named: name, beside: beside, pages)
      let isUndecoded = try ListFile.isUndecoded(bytes, named: name)
      return isUndecoded ? .undecoded(bytes, path: path) : .lists(lists)
    } catch {
      throw Failure(error, in: path)
    }
  }

  /// Parses the lists of a decoded text.
  func lists(in text: [UInt8], path: String) throws(Failure) -> ListFile {
    do throws(ListFault) {
      return try ListFile(of: text, named: Self.name(of: path), pages)
    } catch {
      throw Failure(error, in: path)
    }
  }

  private static func opened(_ path: String) throws(Failure) -> OpenFile {
    let file = OpenFile(owning: open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))
    guard file.descriptor >= 0 else { throw failure("can't be read", path) }
    return file
  }

  /// Reads the rest of a file. Returns one byte more than allowed if the file is larger.
  private static func bytes(
    of file: borrowing OpenFile, _ path: String, after start: [UInt8] = [],
    most: Int = ListLimits.bytes + 1
  ) throws(Failure) -> [UInt8] {
    var bytes = start
    var room = [UInt8](repeating: 0, count: min(most, 1 << 20))
    while bytes.count < most {
      let wanted = min(room.count, most - bytes.count)
      let count = retrying { Glibc.read(file.descriptor, &room, wanted) }
      if count == 0 { break }
      guard count > 0 else { throw failure("can't be read", path) }
      bytes += room[..<count]
    }
    return bytes
  }

  /// Reads an optional file with more data about the songs; nil if it is too large.
  private static func neighbour(_ path: String) -> [UInt8]? {
    guard let file = try? opened(path), FileStatus(descriptor: file.descriptor)?.isFile == true,
      let bytes = try? bytes(of: file, path), bytes.count <= ListLimits.bytes
    else { return nil }
    return bytes
  }

  private static func failure(_ what: String, _ path: String) -> Failure {
    Failure(status: .unreadable, message: "\(path) \(what): \(String(cString: strerror(errno)))")
  }

  /// Confines the process. If the kernel is too old for that, the parsers' limits have to suffice.
  private static func seal() { try? PathConfinement.enter() }
}

extension Failure {
  fileprivate init(_ fault: ListFault, in path: String) {
    self.init(
      status: fault.isUnreadable ? .unreadable : .damaged, message: "\(path): \(fault)")
  }
}
