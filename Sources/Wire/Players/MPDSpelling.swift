/// How MPD may know the files of a machine: by address, through its local socket, or by what
/// follows the place of its own music folder, which only it knows.
struct MPDSpelling {
  enum Form: Hashable {
    case address
    /// What is left when this folder, with its slash, is taken off.
    case below([UInt8])
  }

  /// Forms that were right before; a library has a few music folders.
  private static let mostKnown = 8
  /// Names of a path by which a song is taken for the same: its own, and its folder's.
  private static let leastNames = 2

  private let isLocal: Bool
  /// The music folders, each with a slash at its end.
  private let folders: [[UInt8]]
  /// The one that was right last is first.
  private var known: [Form] = []

  init(isLocal: Bool, folders: [[UInt8]]) {
    self.isLocal = isLocal
    self.folders = folders.map { $0.last == slash ? $0 : $0 + [slash] }
  }

  /// The likeliest first, then the address, then the longest end of the path.
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
