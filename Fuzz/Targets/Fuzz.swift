import Glibc

/// A parser and what must hold of whatever it reads. What does not hold is a trap, which libFuzzer
/// catches and keeps the input of.
enum Target: String, CaseIterable {
  case journal, snapshot, order, folders, json, call, reply, tags, playlist, settings, lists
  case pictures, terminal

  func run(_ input: [UInt8]) {
    switch self {
    case .journal: fuzzJournal(input)
    case .snapshot: fuzzSnapshot(input)
    case .order: fuzzOrder(input)
    case .folders: fuzzFolders(input)
    case .json: fuzzJSON(input)
    case .call: fuzzCall(input)
    case .reply: fuzzReply(input)
    case .tags: fuzzTags(input)
    case .playlist: fuzzPlaylist(input)
    case .settings: fuzzSettings(input)
    case .lists: fuzzLists(input)
    case .pictures: fuzzPictures(input)
    case .terminal: fuzzTerminal(input)
    }
  }
}

/// A precondition whose words a release build prints, too.
func require(_ holds: Bool, _ words: StaticString) {
  if !holds { fatalError("\(words)") }
}

/// From the environment: the arguments are libFuzzer's.
private let target: Target = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = Target(rawValue: name) else {
    fatalError("FUZZ_TARGET is one of \(Target.allCases.map(\.rawValue))")
  }
  return target
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target.run(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
