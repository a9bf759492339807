@testable import LibraryModel

/// A story of a music folder and a person as text, and what is listed at its end. See
/// `Scenarios/README.md` for the language.
struct Scenario {
  var name: String
  /// Files before the first look.
  var files: [Step] = []
  /// What the person does after the first look.
  var acts: [Step] = []
  var steps: [Step] = []
  /// What is listed at the end where it is looked at once, then and after each step.
  var atOnce: [String] = []
  var inSteps: [String] = []
  /// Looks at any other moments come to one of the two.
  var isSameInAnyCut = true
  /// The text as it stands, without the expectations.
  var text: [String] = []

  enum Step: Equatable {
    case put(String, [String: String])
    case move(String, String)
    case copy(String, String, [String: String])
    case remove(String)
    case tag(String, [String: String])
    case plugOff(String)
    case plugIn
    /// The music folders that are configured from now on.
    case folders([String])
    /// The person takes the album to the top of a crate.
    case crate(String, String)
    /// The person puts the songs of an album in the order of these names of files.
    case order(String, [String])
    case reverse(String)
    case look

    var isOfPerson: Bool {
      switch self {
      case .crate, .order, .reverse: true
      default: false
      }
    }

    /// Whether it changes files, so that there may be something to see.
    var isOfFolder: Bool {
      switch self {
      case .put, .move, .copy, .remove, .tag: true
      default: false
      }
    }
  }

  struct Fault: Error, CustomStringConvertible {
    var description: String
  }

  // MARK: Reading

  /// The scenarios of a text, each of which begins with a line `scenario NAME`.
  static func read(_ text: String) throws -> [Scenario] {
    var scenarios: [Scenario] = []
    var lists: [String]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      let words = line.split(separator: " ").map(String.init)
      if words.first == "scenario" {
        scenarios.append(Scenario(name: words.dropFirst().joined(separator: " ")))
        lists = nil
      }
      if scenarios.isEmpty { continue }
      let last = scenarios.count - 1
      if words.first == "expect" {
        lists = Array(words.dropFirst())
      } else if let lists, line.hasPrefix("  ") {
        let row = String(line.dropFirst(2))
        if lists.isEmpty || lists == ["at", "once"] { scenarios[last].atOnce.append(row) }
        if lists.isEmpty || lists == ["in", "steps"] { scenarios[last].inSteps.append(row) }
      } else {
        scenarios[last].text.append(line)
        if line.hasPrefix("#") || words.isEmpty || words.first == "scenario" { continue }
        try scenarios[last].add(words)
      }
    }
    return scenarios
  }

  private mutating func add(_ words: [String]) throws {
    switch words[0] {
    case "have": files += try Scenario.steps(of: words)
    case "cuts": isSameInAnyCut = false
    case "each": steps += try Scenario.steps(of: words)
    default:
      let new = try Scenario.steps(of: words)
      if case .folders = new[0], files.isEmpty {
        files += new
      } else if new.allSatisfy(\.isOfPerson), steps.isEmpty {
        acts += new
      } else {
        steps += new
      }
    }
  }

  /// The steps of a line, by its words.
  static func steps(of words: [String]) throws -> [Step] {
    switch words[0] {
    case "have": try steps(Array(words.dropFirst()), of: "put")
    case "each": try loop(words)
    default: try steps(Array(words.dropFirst()), of: words[0])
    }
  }

  /// `each 1-6: cp A/$.mp3 B/$.mp3; rm A/$.mp3`
  private static func loop(_ words: [String]) throws -> [Step] {
    let numbers = try range(String(words[1].dropLast()))
    let body = words.dropFirst(2).joined(separator: " ").split(separator: ";").map(String.init)
    return try numbers.flatMap { number in
      try body.flatMap { part -> [Step] in
        let words = part.replacing("$", with: "\(number)").split(separator: " ").map(String.init)
        return try steps(Array(words.dropFirst()), of: words[0])
      }
    }
  }

  /// `1-6`, `6-4` or `1,3,4`.
  private static func range(_ text: String) throws -> [Int] {
    if text.contains(",") { return text.split(separator: ",").compactMap { Int($0) } }
    let ends = text.split(separator: "-").compactMap { Int($0) }
    guard let first = ends.first, let last = ends.last else { throw Fault(description: text) }
    return first <= last ? Array(first...last) : (last...first).reversed()
  }

  private static func steps(_ words: [String], of verb: String) throws -> [Step] {
    let names = words.filter { !$0.contains("=") }
    var values: [String: String] = [:]
    for word in words where word.contains("=") {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      values[String(parts[0])] = String(parts[1]).replacing("_", with: " ")
    }
    func name(_ place: Int) throws -> String {
      if names.indices.contains(place) { return names[place] }
      throw Fault(description: "\(verb) \(words): a name is missing")
    }
    switch verb {
    case "put": return try puts(name(0), values)
    case "mv": return [.move(try name(0), try name(1))]
    case "cp": return [.copy(try name(0), try name(1), values)]
    case "rm": return [.remove(try name(0))]
    case "tag": return [.tag(try name(0), values)]
    case "off": return [.plugOff(try name(0))]
    case "on": return [.plugIn]
    case "folders": return [.folders(names)]
    case "look": return [.look]
    case "crate": return [.crate(try name(0).replacing("_", with: " "), try name(1))]
    case "order": return [.order(try name(0).replacing("_", with: " "), Array(names.dropFirst()))]
    case "reverse": return [.reverse(try name(0).replacing("_", with: " "))]
    default: throw Fault(description: "nobody knows what “\(verb)” is")
    }
  }

  /// `put A/1-6.mp3 sound=1 album=X` is six files: sounds, tracks and titles go up.
  private static func puts(_ path: String, _ values: [String: String]) throws -> [Step] {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: "."), name[..<dot].contains("-"),
      name[..<dot].allSatisfy({ $0.isNumber || $0 == "-" })
    else { return [.put(path, values)] }
    let (front, numbers) = (path.dropLast(name.count), try range(String(name[..<dot])))
    let sound = values["sound"].flatMap { Int($0) } ?? 0
    return numbers.enumerated().map { index, number in
      var own = values
      own["sound"] = "\(sound + index)"
      own["track"] = values["track"] ?? "\(number)"
      own["title"] = values["title"] ?? "T\(sound + index)"
      return .put("\(front)\(number)\(name[dot...])", own)
    }
  }

  // MARK: Writing

  /// The text with these expectations.
  func written(atOnce: [String], inSteps: [String]) -> [String] {
    var lines = text
    while lines.last?.isEmpty == true { lines.removeLast() }
    if atOnce == inSteps {
      lines += ["expect"] + atOnce.map { "  \($0)" }
    } else {
      lines += ["expect at once"] + atOnce.map { "  \($0)" }
      lines += ["expect in steps"] + inSteps.map { "  \($0)" }
    }
    return lines + [""]
  }
}
