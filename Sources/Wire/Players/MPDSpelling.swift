/// The names under which MPD may know a file: by a `file://` address, over its local socket, or by
/// a path relative to MPD's music directory. Only MPD knows where that directory is.
struct MPDSpelling {
  enum Form: Hashable {
    case address
    /// The rest of the path without this folder, which includes the slash.
    case below([UInt8])
  }

  /// The most forms to remember; a library has a few music folders.
  private static let mostKnown = 8
  /// The fewest path components that identify a song: its file and the folder of that.
  private static let leastNames = 2

  private let isLocal: Bool
  /// The music folders, each with a trailing slash.
  private let folders: [[UInt8]]
  /// The forms that worked before, the latest first.
  private var known: [Form] = []

  init(isLocal: Bool, folders: [[UInt8]]) {
    self.isLocal = isLocal
    self.folders = folders.map { $0.last == slash ? $0 : $0 + [slash] }
  }

  /// Returns the forms to try: those that worked before, the address, then paths from longest to
  /// shortest.
  func forms(of path: [UInt8]) -> [Form] {
    var forms = known.filter { fits($0, path) }
    func add(_ form: Form) { if !forms.contains(form) { forms.append(form) } }
    if isLocal { add(.address) }
    let slashes = path.indices.filter { path[$0] == slash }
    for (place, end) in slashes.enumerated() {
      let front = Array(path[...end])
      let names = slashes.count - place
      if names >= Self.leastNames || folders.contains(front) { add(.below(front)) }
    }
    return forms
  }

  func spelled(_ path: [UInt8], _ form: Form) -> [UInt8] {
    switch form {
    case .address: Array("file://".utf8) + path
    case .below(let front): Array(path.dropFirst(front.count))
    }
  }

  mutating func learn(_ form: Form) {
    if known.first == form { return }
    known = [form] + known.filter { $0 != form }.prefix(Self.mostKnown - 1)
  }

  private func fits(_ form: Form, _ path: [UInt8]) -> Bool {
    switch form {
    case .address: true
    case .below(let front): path.starts(with: front)
    }
  }
}

private let slash = UInt8(ascii: "/")
