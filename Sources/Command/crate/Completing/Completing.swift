import Arguments
import CratesInterface
import Glibc

/// The options of the command line for shell completion.
enum Completing {
  /// The timeout for the daemon, in seconds, since the user is typing.
  private static let secondsMost: UInt32 = 2

  /// Handles the options for shells and ends the program; otherwise does nothing.
  static func answer(_ arguments: [String]) throws(Failure) {
    if arguments.first == Scripts.question, arguments.count >= 3 {
      complete(shell: arguments[1], Array(arguments.dropFirst(2)))
    } else if let first = arguments.first, first.hasPrefix(Scripts.option) {
      let words = first.split(separator: "=", maxSplits: 1).dropFirst().map(String.init)
      let shell = (words + arguments.dropFirst()).first ?? ""
      guard let script = Scripts.text(for: shell) else {
        throw .wrongUse("\(Scripts.option) takes one of \(Scripts.shells.joined(separator: ", "))")
      }
      Output.bytes(Array(script.utf8))
    } else {
      return
    }
    Output.flush()
    exit(EXIT_SUCCESS)
  }

  /// - Parameter typed: For zsh, the words without their quotes. For other shells, the line up to
  ///   the cursor, and for bash also the part of it to replace.
  private static func complete(shell: String, _ typed: [String]) {
    // Without a daemon there are no candidates, and errors can't be shown.
    signal(SIGALRM) { _ in _exit(EXIT_SUCCESS) }
    alarm(secondsMost)
    var line = TypedLine(shell == "zsh" ? "" : typed[0])
    if shell == "zsh" {
      line.words = ["crate"] + typed.dropLast()
      line.current = typed.last ?? ""
    }
    // The name may follow variables, or `sudo`.
    let words = line.words.drop { $0 != "crate" && !$0.hasSuffix("/crate") }.dropFirst()
    let offer = completer(words).offer(after: Array(words), current: line.current)
      .beginning(with: line.current)
    if offer.wantsFiles { return Output.line("//files") }
    // One candidate a line. A name with control characters can be given by its id instead.
    let candidates = offer.candidates.filter { candidate in
      !candidate.word.unicodeScalars.contains(where: \.isSteering)
    }
    guard shell == "bash" else {
      for candidate in candidates {
        let about = candidate.about.isEmpty ? "" : "\t\(Shown.harmless(candidate.about))"
        Output.line(candidate.word + about)
      }
      return
    }
    let replaced = typed.dropFirst().first ?? line.typed
    for insertion in insertions(of: candidates.map(\.word), in: line, replacing: replaced) {
      Output.line(insertion)
    }
  }

  /// Returns bash's insertions for the words; none if they would shorten the input.
  static func insertions(
    of words: [String], in line: TypedLine, replacing replaced: String
  ) -> [String] {
    let insertions = words.compactMap { line.insertion(of: $0, replacing: replaced) }
    // Bash replaces the input with the common beginning of all insertions.
    let isSameCase = words.allSatisfy { $0.hasPrefix(line.current) }
    return isSameCase || sharedCount(insertions) >= replaced.count ? insertions : []
  }

  private static func sharedCount(_ texts: [String]) -> Int {
    guard var shared = texts.first?[...] else { return 0 }
    for text in texts.dropFirst() {
      shared = shared.prefix(zip(shared, text).prefix { $0 == $1 }.count)
    }
    return shared.count
  }

  /// Returns a completer that queries the daemon of the command line.
  private static func completer(_ words: ArraySlice<String>) -> Completer {
    let socket = words.drop { $0 != "--socket" }.dropFirst().first
    let options = try? CommonOptions.parse(socket.map { ["--socket", $0] } ?? [])
    let daemon = options.flatMap { try? DaemonConnection($0, isPersonWaiting: false) }
    return Completer { beginning, kinds in
      (try? daemon?.names(beginning: beginning, kinds)) ?? KnownNames()
    }
  }
}
