/// The result of a check of a store.
package struct StoreReport: Sendable {
  package struct Finding: Hashable, Sendable {
    package var name: StoreName
    /// The line, from 1; nil for the whole file.
    package var line: Int?
    /// The fault, and what to do about it.
    package var reason: String

    package init(name: StoreName, line: Int?, reason: String) {
      self.name = name
      self.line = line
      self.reason = reason
    }
  }

  package enum Verdict: Hashable, Sendable {
    case good, findings
    /// No daemon would start on it.
    case unusable(String)
    /// A later version of crated wrote the file.
    case newer(Int, file: String)
  }

  /// The state that a start would show.
  package struct State: Hashable, Sendable {
    package var generation: Int
    package var crates: Int
    package var songs: Int
    package var sequence: Int
  }

  package internal(set) var findings: [Finding] = []
  /// Notes for the user about things that are not wrong.
  package internal(set) var notes: [Finding] = []
  package internal(set) var verdict = Verdict.good
  package internal(set) var state: State?
  /// The number of snapshots that can be read.
  package internal(set) var generations = 0
  /// Why a start would refuse changes.
  package internal(set) var readOnly: String?
  /// The highest generation of any name.
  var newestGeneration = 0
  /// An upper bound of the numbers of all changes, those that can't be read any more included.
  var highestSequence = 0
  /// The files whose bytes are not as they were written.
  var damaged: [StoreName] = []

  /// Returns whether another report has the same verdict and findings.
  func agrees(with other: StoreReport) -> Bool {
    (verdict, findings, readOnly) == (other.verdict, other.findings, other.readOnly)
  }

  /// Returns the report without findings that another report of the same store lacks.
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
  /// Whether the store writes files of this name.
  var isOurs: Bool {
    if generation("crates") ?? generation("journal") ?? unfinishedGeneration != nil { return true }
    switch folder {
    case .store:
      let replaced = ["folders.txt", "machines.txt"]
      return (["lock", "backups"] + replaced + replaced.map { $0 + ".new" }).contains(name)
    case .backups: return name.hasPrefix("torn.") || name.hasPrefix("damaged.")
    }
  }
}
