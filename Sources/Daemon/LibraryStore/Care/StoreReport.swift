/// What a check of a store found.
package struct StoreReport: Sendable {
  package struct Finding: Hashable, Sendable {
    package var name: StoreName
    /// From 1; nil where it is about the whole file.
    package var line: Int?
    /// What is wrong, and what to do.
    package var reason: String

    package init(name: StoreName, line: Int?, reason: String) {
      self.name = name
      self.line = line
      self.reason = reason
    }
  }

  package enum Verdict: Hashable, Sendable {
    case good, findings
    /// No start would come of it.
    case unusable(String)
    /// A later version wrote it.
    case newer(Int, file: String)
  }

  /// What a start would show.
  package struct State: Hashable, Sendable {
    package var generation: Int
    package var crates: Int
    package var songs: Int
    package var sequence: Int
  }

  package internal(set) var findings: [Finding] = []
  /// What people should know, and what is no fault.
  package internal(set) var notes: [Finding] = []
  package internal(set) var verdict = Verdict.good
  package internal(set) var state: State?
  /// Snapshots that can be read.
  package internal(set) var generations = 0
  /// Why a start would refuse changes.
  package internal(set) var readOnly: String?
  /// The highest generation that any name bears.
  var newestGeneration = 0
  /// No change has a higher number, not even one that can't be read any more.
  var highestSequence = 0
  /// Files whose bytes are not as they were written.
  var damaged: [StoreName] = []

  /// Whether the same is wrong as in another report.
  func isWrong(like other: StoreReport) -> Bool {
    (verdict, findings, readOnly) == (other.verdict, other.findings, other.readOnly)
  }

  /// Without the findings that another report of the same store has not.
  func confirmed(by other: StoreReport) -> StoreReport {
    var report = self
    report.findings.removeAll { !other.findings.contains($0) }
    if readOnly != other.readOnly { report.readOnly = nil }
    if verdict == .findings, report.findings.isEmpty, report.readOnly == nil {
      report.verdict = .good
    }
    return report
  }

  package mutating func add(_ finding: Finding) {
    findings.append(finding)
    if verdict == .good { verdict = .findings }
  }
}

extension StoreName {
  /// Whether it is crated's, by its name.
  var isOurs: Bool {
    if generation("crates") ?? generation("journal") ?? unfinishedGeneration != nil { return true }
    switch folder {
    case .store: return ["lock", "backups", "folders.txt", "folders.txt.new"].contains(name)
    case .backups: return name.hasPrefix("torn.") || name.hasPrefix("damaged.")
    }
  }
}
