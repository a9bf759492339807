import Arguments
import CratesInterface
import Glibc

/// The part of the command line that shells talk to, not people.
enum Completing {
  /// A daemon that takes longer than this is none to wait for while somebody types.
  private static let secondsMost: UInt32 = 2

  /// Answers the options that are a shell's, and ends the program; else does nothing.
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

  /// - Parameter typed: of zsh the words without their quotes, of the others the line up to the
  ///   cursor, and of bash the part of it that is to be replaced.
  private static func complete(shell: String, _ typed: [String]) {
    // Without a daemon there is nothing to offer, and no place to say so.
    signal(SIGALRM) { _ in _exit(EXIT_SUCCESS) }
    alarm(secondsMost)
    var line = TypedLine(shell == "zsh" ? "" : typed[0])
    if shell == "zsh" {
      line.words = ["crate"] + typed.dropLast()
      line.current = typed.last ?? ""
    }
    // In front of the name there may be variables, or `sudo`.
    let words = line.words.drop { $0 != "crate" && !$0.hasSuffix("/crate") }.dropFirst()
    let offer = completer(words).offer(after: Array(words), current: line.current)
      .beginning(with: line.current)
    if offer.wantsFiles { return Output.line("//files") }
    // A line each; such a name can be typed as an id.
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

  /// What bash is to insert for these words; none where what was typed would get shorter.
  static func insertions(
    of words: [String], in line: TypedLine, replacing replaced: String
  ) -> [String] {
    let insertions = words.compactMap { line.insertion(of: $0, replacing: replaced) }
    // Bash puts what they have in common in place of what was typed.
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

  /// With the names that the daemon knows which the line is for.
  private static func completer(_ words: ArraySlice<String>) -> Completer {
    let socket = words.drop { $0 != "--socket" }.dropFirst().first
    let options = try? CommonOptions.parse(socket.map { ["--socket", $0] } ?? [])
    let daemon = options.flatMap { try? DaemonConnection($0, isPersonWaiting: false) }
    return Completer { beginning, kinds in
      (try? daemon?.names(beginning: beginning, kinds)) ?? KnownNames()
    }
  }
}
