import Text

/// The files that a written path may refer to, the likeliest first.
struct WantedPath {
  struct Candidate {
    var path: [UInt8]
    /// Whether it refers to exactly this file on this machine, whatever the other metadata is.
    var isExact: Bool
  }

  /// The interpretations of the path: as written, decoded, with slashes.
  private(set) var forms: [[UInt8]] = []
  private(set) var candidates: [Candidate] = []
  /// Whether it does not refer to a file.
  let isRemote: Bool

  /// - Parameters:
  ///   - lists: the folder of the list, by all its paths. Empty if the list's own location is
  ///     irrelevant.
  ///   - folders: the music folders.
  ///   - roots: the user's mapping of another machine's folders to this machine's.
  init(
    _ written: [UInt8], lists: [BytePath], folders: [BytePath],
    roots: [(theirs: [UInt8], ours: BytePath)]
  ) {
    let scheme = URIText.scheme(of: written)
    isRemote = scheme.map { $0 != "file" } ?? false
    if isRemote || written.isEmpty { return }
    for form in WantedPath.forms(of: written, isURI: scheme != nil) {
      if form.isEmpty || forms.contains(form) { continue }
      forms.append(form)
      add(form, lists: lists, folders: folders)
      for (theirs, ours) in roots {
        guard let rest = PathParts.rest(of: form, behind: theirs) else { continue }
        candidates.append(Candidate(path: ours.appending(BytePath(rest)).bytes, isExact: true))
      }
    }
    for form in forms where form.first != slash {
      // MPD drops components that would lead above its folder.
      let squashed = PathParts.absolute(form)
      for folder in folders {
        candidates.append(
          Candidate(path: folder.bytes + squashed, isExact: false))
      }
    }
  }

  private mutating func add(_ form: [UInt8], lists: [BytePath], folders: [BytePath]) {
    if form.first == slash {
      candidates.append(
        Candidate(path: PathParts.absolute(form), isExact: true))
      return
    }
    for list in lists {
      candidates.append(
        Candidate(path: PathParts.absolute(list.bytes + [slash] + form), isExact: true))
    }
    for folder in folders {
      candidates.append(
        Candidate(path: PathParts.absolute(folder.bytes + [slash] + form), isExact: false))
    }
  }

  private static func forms(of written: [UInt8], isURI: Bool) -> [[UInt8]] {
    let plain = isURI ? URIText.path(written) : written
    var forms = isURI ? [plain] : [plain, percentDecodedIfEscaped(plain)]
    for form in forms where form.contains(backslash) {
      forms.append(form.map { $0 == backslash ? slash : $0 })
    }
    return forms
  }
}

/// Operations on paths as bytes.
enum PathParts {
  /// Returns the path from the root, squashed.
  static func absolute(_ path: [UInt8]) -> [UInt8] { [slash] + squashed(path) }

  /// Removes `.`, `..` and redundant slashes, including the leading one. A path that leads above
  /// the root stays at the root.
  static func squashed(_ path: [UInt8]) -> [UInt8] {
    var parts: [ArraySlice<UInt8>] = []
    for part in path.split(separator: slash) {
      if part.elementsEqual([dot]) { continue }
      if part.elementsEqual([dot, dot]) {
        _ = parts.popLast()
      } else {
        parts.append(part)
      }
    }
    return Array(parts.joined(separator: [slash]))
  }

  /// Returns the path below a folder, or nil if it is outside. Paths of Windows folders are
  /// compared with slashes and case-insensitively, as Windows does.
  static func rest(of path: [UInt8], behind folder: [UInt8]) -> [UInt8]? {
    let isWindows = folder.contains(backslash) || folder.dropFirst().first == UInt8(ascii: ":")
    func plain(_ bytes: [UInt8]) -> [UInt8] {
      guard isWindows else { return bytes }
      let slashes = bytes.map { $0 == backslash ? slash : $0 }
      // URIs have drives in this form: /C:/Music.
      let isDrive = slashes.count > 2 && slashes[0] == slash && slashes[2] == UInt8(ascii: ":")
      return isDrive ? Array(slashes.dropFirst()) : slashes
    }
    func same(_ bytes: [UInt8]) -> [UInt8] {
      isWindows ? bytes.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 } : bytes
    }
    var folder = plain(folder)
    while folder.last == slash { folder.removeLast() }
    let path = plain(path)
    guard path.count > folder.count + 1, path[folder.count] == slash,
      same(Array(path[..<folder.count])) == same(folder)
    else { return nil }
    return Array(path[(folder.count + 1)...])
  }
}

/// Parsing of file URIs (RFC 8089).
enum URIText {
  /// Returns the scheme in lowercase, or nil for a plain path. A single letter is a Windows drive.
  static func scheme(of text: [UInt8]) -> String? {
    guard let colon = text.prefix(20).firstIndex(of: UInt8(ascii: ":")), colon > 1 else {
      return nil
    }
    let scheme = text[..<colon].map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }
    guard let first = scheme.first, (0x61...0x7A).contains(first),
      scheme.allSatisfy({
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
      })
    else { return nil }
    let rest = text[(colon + 1)...]
    // “a: b/c.mp3” is a path. In a URI, slashes follow.
    let isFile = scheme.elementsEqual("file".utf8) && rest.first == slash
    guard isFile || rest.starts(with: [slash, slash]) else { return nil }
    return String(decoding: scheme, as: UTF8.self)
  }

  /// Returns the path of a `file:` URI. The host is ignored: most have none, or localhost.
  static func path(_ uri: [UInt8]) -> [UInt8] {
    var rest = uri.drop { $0 != UInt8(ascii: ":") }.dropFirst()
    if rest.starts(with: [slash, slash]) { rest = rest.dropFirst(2).drop { $0 != slash } }
    return percentDecodedIfEscaped(Array(rest))
  }
}

private let slash = UInt8(ascii: "/")
private let backslash = UInt8(ascii: "\\")
private let dot = UInt8(ascii: ".")
