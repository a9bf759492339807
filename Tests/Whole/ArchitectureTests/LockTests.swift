import TestSupport
import Testing

/// A lock is held for a value alone. What is called meanwhile may come back for the same lock, or
/// wait for a thread that wants it.
@Suite("Locks, and the thread that all clients wait for", .limited)
struct LockTests {
  /// Lends a value to a closure, by its nature: the closures that are given to it are looked at
  /// where they are written.
  private static let lending = [
    "Sources/Base/Platform/Threads/Monitor.swift",
    // SQLite's connections take one call at a time.
    "Sources/Daemon/LibraryIndex/IndexConnection.swift",
  ]

  /// Code that runs under a lock.
  struct Block {
    let path: String
    /// The number of its first line.
    let line: Int
    let code: Substring

    /// Where the pattern is, as `path:line`.
    func places(of pattern: Regex<Substring>) -> [String] {
      code.matches(of: pattern.wordBoundaryKind(.simple)).map { found in
        "\(path):\(line + code[..<found.range.lowerBound].count { $0 == "\n" })"
      }
    }
  }

  static func blocks(in code: String, of path: String) -> [Block] {
    let locks = /\b(?:withLock|change|wait)(?:\((?:[^(){}]|\([^(){}]*\))*\))?\s*\{/
      .wordBoundaryKind(.simple)
    return code.matches(of: locks).map { lock in
      var depth = 1
      let start = lock.range.upperBound
      let end = code[start...].firstIndex { character in
        if character == "{" { depth += 1 }
        if character == "}" { depth -= 1 }
        return depth == 0
      }
      let line = code[..<start].count { $0 == "\n" } + 1
      return Block(path: path, line: line, code: code[start..<(end ?? code.endIndex)])
    }
  }

  private static let all = Repository.swiftFiles
    .filter { !$0.isTest && !lending.contains($0.path) }
    .flatMap { blocks(in: $0.codeLines.joined(separator: "\n"), of: $0.path) }

  private func expectNone(_ pattern: Regex<Substring>) {
    #expect(Self.all.count > 100)
    for place in Self.all.flatMap({ $0.places(of: pattern) }) { Issue.record("\(place)") }
  }

  @Test("Nobody is answered under a lock")
  func answers() {
    expectNone(
      /(?:[A-Za-z_]\w*|[)\]])\??\.(?:reply|fail|submit|subscribe|drop|onAbandon|whenDrained)\(/)
  }

  @Test("No other part of the daemon is called under a lock")
  func otherParts() {
    expectNone(/\b(?:feed|librarian|naming|playlists|daemon|source)\??\.\w+\(/)
  }

  @Test("Nobody is called back under a lock")
  func callbacks() {
    expectNone(/\b(?:body|callback|completion|done|follower|ask)\??\(/)
  }

  @Test("The rules see what is wrong")
  func eyes() {
    func places(_ pattern: Regex<Substring>, _ code: String) -> Int {
      Self.blocks(in: code, of: "").flatMap { $0.places(of: pattern) }.count
    }
    let answers = /\.reply\(/
    #expect(places(answers, "state.withLock { s in if a { b() }; answer.reply(x) }; c()") == 1)
    #expect(places(answers, "state.withLock { s in if a { b() } }; answer.reply(x)") == 0)
    #expect(places(answers, "state.change { $0.answer.reply(x) }") == 1)
    #expect(places(answers, "state.wait(until: end, for: a) { $0.answer.reply(x) }") == 1)
  }

  /// Calls, and types that are made, on the thread that reads of all clients.
  private static func calls(in function: String, of file: String) -> Set<String> {
    guard let file = Repository.swiftFiles.first(where: { $0.path.hasSuffix(file) }),
      let extent = functions(in: file.codeLines).first(where: { extent in
        file.codeLines[extent.firstLine - 1].contains("func \(function)(")
      })
    else { return [] }
    let body = file.codeLines[(extent.firstLine - 1)...].prefix(extent.lineCount).dropFirst()
    let found = body.flatMap { $0.matches(of: /[\w.]+(?=\()|\w+\.\w+(?= \{)/) }
    // Without the cases of an enum.
    return Set(found.map { String($0.output) }.filter { !$0.hasPrefix(".") })
  }

  @Test("The server's thread puts calls into queues, and does nothing else")
  func queues() {
    let taking = Self.calls(in: "take", of: "DaemonCore/Answering/Answering.swift")
    #expect(taking.count > 5)
    let queues = taking.filter { call in
      !["statusFeed.add", "librarian.submit", "published.whenWhole"].contains(call)
        && !call.hasSuffix(".add")
    }
    #expect(
      queues == [
        "request.call", "pictures.artwork.find", "answer.show", "Editing.request",
        "answer.prepared", "synchronize", "rescan", "share", "search", "AnswerCount.search.of",
        "queue",
      ])
    for name in ["synchronize", "rescan", "progress"] {
      let calls = Self.calls(in: name, of: "DaemonCore/Answering/Answering.swift")
      #expect(!calls.isEmpty && !calls.contains { $0.contains("status") || $0.contains("roblems") })
    }
    let reading = Repository.swiftFiles.filter { file in
      file.path.hasSuffix("VarlinkServer/Connection.swift")
    }
    #expect(reading.count == 1)
    // A long message is parsed elsewhere.
    #expect(reading.flatMap { $0.places(of: /\b(?:JSON|CallMessage|ServiceCall|Call)\(/) } == [])
  }
}
