import Glibc
import Platform
import TestSupport
import Testing

@Suite("Replacing a file", .limited)
struct ReplacingFilesTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("file") }

  init() throws { folder = try TemporaryFolder() }

  private func replace(
    _ name: String = "file", with text: String, draft: String = ".new", isDurable: Bool = true
  ) throws(SystemCallError) {
    try replaceFile(
      Array(folder.path(name).utf8), with: Array(text.utf8), draft: draft, isDurable: isDurable)
  }

  private func text() throws -> String { String(decoding: try readFile(path), as: UTF8.self) }

  @Test("it is all of the new one, for this user alone, and no other", arguments: [true, false])
  func replaced(isDurable: Bool) throws {
    let long = String(repeating: "long ", count: 100_000)
    try folder.write("left by a kill", to: "file.new")
    for text in ["a", long, ""] {
      try replace(with: text, isDurable: isDurable)
      #expect(try self.text() == text)
      #expect(try names(in: folder.path) == ["file"])
    }
    #expect(FileStatus(name: path, followsLinks: false)?.mode == UInt32(S_IFREG) | 0o600)
    // Who has it open reads the former one.
    let former = OpenFile(owning: open(path, O_RDONLY | O_CLOEXEC))
    try replace(with: "new", draft: ".\(getpid())", isDurable: isDurable)
    var byte: UInt8 = 0
    #expect(read(former.descriptor, &byte, 1) == 0)
    #expect(try self.text() == "new" && names(in: folder.path) == ["file"])
  }

  @Test("a link is replaced, not followed, and neither is one in the place of the draft")
  func links() throws {
    try folder.write("other", to: "other")
    for name in ["file", "file.new"] { try #require(symlink("other", folder.path(name)) == 0) }
    try replace(with: "new")
    #expect(try text() == "new" && readFile(folder.path("other")) == Array("other".utf8))
    #expect(try names(in: folder.path) == ["file", "other"])
  }

  @Test("what can't be replaced stays, is told with its path, and leaves no draft")
  func impossible() throws {
    try folder.write("x", to: "folder/file")
    #expect(throws: SystemCallError("rename", folder.path("folder"), code: EISDIR)) {
      try replace("folder", with: "new")
    }
    #expect(throws: SystemCallError("open", folder.path("gone/file"), code: ENOENT)) {
      try replace("gone/file", with: "new")
    }
    try folder.write("x", to: "file.new/x")
    #expect(throws: SystemCallError("open", path, code: EEXIST)) { try replace(with: "new") }
    #expect(try names(in: folder.path) == ["file.new", "folder"])
  }

  // MARK: At each step

  /// Runs `replaced` below in a process of its own under strace.
  ///
  /// - Parameter fault: as strace's inject= takes it; of calls that have to do with the files here.
  private func replaceTraced(
    isDurable: Bool = true, fault: String? = nil
  ) throws -> (result: ProgramResult, calls: [String]) {
    let traces = try TemporaryFolder()
    var words = ["-f", "-o", traces.path("trace"), "-e", "trace=write,fsync,fdatasync,renameat"]
    if let fault { words += ["-e", "inject=\(fault)"] }
    for traced in [folder.path, path, path + ".new"] { words += ["-P", traced] }
    let program = String(decoding: resolvedPath(Array("/proc/self/exe".utf8)), as: UTF8.self)
    words += [program, "--testing-library", "swift-testing", "--filter", "ReplacingFileProcess"]
    let result = try run(
      "strace", words, environment: ["CRATED_REPLACED": path, "CRATED_DURABLE": "\(isDurable)"])
    let lines = String(decoding: try readFile(traces.path("trace")), as: UTF8.self)
      .split(separator: "\n").map { $0.drop { $0.isNumber || $0 == " " } }
    let calls = lines.compactMap { line in line.firstIndex(of: "(").map { String(line[..<$0]) } }
    return (result, calls)
  }

  @Test("its bytes are on the disk before it has its name, and its name before it is told")
  func order() throws {
    let (result, calls) = try replaceTraced()
    #expect(result.status == 0, "\(result.output)")
    #expect(calls == ["write", "fsync", "renameat", "fsync"])
    let (cached, fewer) = try replaceTraced(isDurable: false)
    #expect(cached.status == 0 && fewer == ["write", "renameat"])
    #expect(try text() == "new")
  }

  @Test(
    "a kill or an error at each step leaves the former file, or after the last but one the new one",
    arguments: [("write", 1), ("fsync", 1), ("renameat", 1), ("fsync", 2)])
  func eachStep(call: String, number: Int) throws {
    let isNamed = number == 2
    for isKilled in [false, true] {
      try folder.write("former", to: "file")
      let fault = "\(call):error=EIO:when=\(number)" + (isKilled ? ":signal=KILL" : "")
      let (result, _) = try replaceTraced(fault: fault)
      #expect(result.status == (isKilled ? 128 + SIGKILL : 1))
      let name = call == "renameat" ? "rename" : call
      #expect(result.output.contains("\(name) \(path): Input/output error") == !isKilled)
      #expect(try text() == (isNamed ? "new" : "former"))
      let isLeft = isKilled && !isNamed
      #expect(try names(in: folder.path) == (isLeft ? ["file", "file.new"] : ["file"]))
      try replace(with: "next")
      #expect(try text() == "next" && names(in: folder.path) == ["file"])
    }
  }
}

@Suite("ReplacingFileProcess", .limited, .enabled(if: getenv("CRATED_REPLACED") != nil))
struct ReplacingFileProcess {
  @Test("A process that replaces a file, for the tests of that")
  func replaced() throws {
    let path = String(cString: try #require(getenv("CRATED_REPLACED")))
    let isDurable = String(cString: try #require(getenv("CRATED_DURABLE"))) == "true"
    do {
      try replaceFile(Array(path.utf8), with: Array("new".utf8), isDurable: isDurable)
    } catch {
      print("\(error)")
      throw error
    }
  }
}
