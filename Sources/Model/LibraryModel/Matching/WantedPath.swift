import Text

/// The files that a written path may mean, the likeliest first.
struct WantedPath {
  struct Candidate {
    var path: [UInt8]
    /// Whether it names this very file on this machine, whatever else is said of the song.
    var isExact: Bool
  }

  /// Forms of the path itself: as written, decoded, with slashes.
  private(set) var forms: [[UInt8]] = []
  private(set) var candidates: [Candidate] = []
  /// Whether it names no file.
  let isRemote: Bool

  /// - Parameters:
  ///   - lists: the folder of the list, by all its paths; none where that means nothing.
  ///   - folders: the music folders.
  ///   - roots: where folders of another machine are here, as the person says.
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
      // MPD drops what would lead above its folder.
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

/// Paths taken apart, as bytes.
enum PathParts {
  /// A path from the root, squashed.
  static func absolute(_ path: [UInt8]) -> [UInt8] { [slash] + squashed(path) }

  /// Removes `.`, `..` and superfluous slashes, the first one included. A path that leads above the
  /// root stays at the root.
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

  /// What follows a folder and a slash; nil outside it. Windows folders are compared with slashes
  /// and without case, as Windows does.
  static func rest(of path: [UInt8], behind folder: [UInt8]) -> [UInt8]? {
    let isWindows = folder.contains(backslash) || folder.dropFirst().first == UInt8(ascii: ":")
    func plain(_ bytes: [UInt8]) -> [UInt8] {
      guard isWindows else { return bytes }
      let slashes = bytes.map { $0 == backslash ? slash : $0 }
      // A drive stands so in URIs: /C:/Music.
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

/// Addresses, as far as files have them (RFC 8089).
enum URIText {
  /// The scheme in lower case; nil for a plain path. A single letter is a Windows drive.
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
    // “a: b/c.mp3” is a path; an address goes on with slashes.
    let isFile = scheme.elementsEqual("file".utf8) && rest.first == slash
    guard isFile || rest.starts(with: [slash, slash]) else { return nil }
    return String(decoding: scheme, as: UTF8.self)
  }

  /// The path of a `file:` URI, whatever its host: most say none, or localhost.
  static func path(_ uri: [UInt8]) -> [UInt8] {
    var rest = uri.drop { $0 != UInt8(ascii: ":") }.dropFirst()
    if rest.starts(with: [slash, slash]) { rest = rest.dropFirst(2).drop { $0 != slash } }
    return percentDecodedIfEscaped(Array(rest))
  }
}

private let slash = UInt8(ascii: "/")
private let backslash = UInt8(ascii: "\\")
private let dot = UInt8(ascii: ".")
