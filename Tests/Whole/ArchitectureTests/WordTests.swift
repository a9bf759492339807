import TestSupport
import Testing

@Suite("Words that the sources do without", .limited)
struct WordTests {
  /// What writes to standard output by its nature. Everywhere else it would end up in a protocol
  /// or in the daemon's log without its priority.
  static let printing = [
    "Sources/Command/crate/Showing/", "Sources/Daemon/crated/StoreCommands.swift",
    "Sources/Demo/demo-music/", "Sources/Reader/crate-tag-reader/CrateTagReader.swift",
  ]

  func expectNone(
    _ pattern: some RegexComponent, in files: [SourceFile],
    _ location: SourceLocation = #_sourceLocation
  ) {
    for place in files.flatMap({ $0.places(of: pattern) }) {
      Issue.record("\(place)", sourceLocation: location)
    }
  }

  var programs: [SourceFile] { Repository.swiftFiles.filter { !$0.isTest } }
  var tests: [SourceFile] { Repository.swiftFiles.filter(\.isTest) }

  @Test("No notes to oneself are left")
  func notes() {
    // In halves, so that this line is none.
    let notes = ["TO" + "DO", "FIX" + "ME", "XX" + "X:"]
    for file in Repository.sources {
      for (index, line) in file.lines.enumerated() where notes.contains(where: line.contains) {
        Issue.record("\(file.path):\(index + 1)")
      }
    }
  }

  @Test("Nothing ends the program where a message could be given")
  func traps() {
    expectNone(/\bfatalError\s*\(|\btry!|\bas!/, in: Repository.swiftFiles)
  }

  @Test("Only what is meant for standard output is printed")
  func prints() {
    let silent = programs.filter { file in !Self.printing.contains { file.path.hasPrefix($0) } }
    expectNone(/\b(debugPrint|print|dump)\s*\(/, in: silent)
  }

  @Test("Threads have names: there are no tasks")
  func tasks() {
    expectNone(/\bTask\s*(<.*>)?\s*[({]|\bTask\.detached\b|\bawait\b|\basync\b/, in: programs)
  }

  @Test("No type is named after what it does not say")
  func typeNames() {
    expectNone(
      /\b(class|struct|enum|protocol|actor|typealias|extension)\s+\w*(Manager|Helper|Util)/,
      in: Repository.swiftFiles)
  }

  @Test("The compiler checks every value that threads share, but for what they wait by")
  func unchecked() {
    expectNone(/@unchecked\s+Sendable|\bnonisolated\s*\(\s*unsafe\s*\)/, in: programs)
    let promising = Repository.sources.filter { !$0.places(of: /swift_attr/).isEmpty && !$0.isTest }
    #expect(promising.map(\.path) == ["Sources/C/CLinuxShims/include/WaitingShims.h"])
  }

  @Test("No test waits for time to pass")
  func sleeping() {
    expectNone(/\b(Thread\.sleep|usleep|Task\.sleep|nanosleep|sleep)\s*\(/, in: tests)
  }
}
