import Glibc

/// A parser and what must hold of whatever it reads. What does not hold is a trap, which libFuzzer
/// catches and keeps the input of.
enum Target: String, CaseIterable {
  // `ListReader` has more, one for each format of lists.
  case journal, snapshot, order, folders, json, call, reply, tags, playlist, settings, lists
  case pictures, terminal, door, machines

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
    case .door: fuzzDoor(input)
    case .machines: fuzzMachines(input)
    }
  }
}

/// A precondition whose words a release build prints, too.
func require(_ holds: Bool, _ words: StaticString) {
  if !holds { fatalError("\(words)") }
}

/// From the environment: the arguments are libFuzzer's.
private let run: @Sendable ([UInt8]) -> Void = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  if let reader = ListReader(rawValue: name) { return reader.run }
  guard let target = Target(rawValue: name) else {
    let names = Target.allCases.map(\.rawValue) + ListReader.allCases.map(\.rawValue)
    fatalError("FUZZ_TARGET is one of \(names)")
  }
  return target.run
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  run(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
