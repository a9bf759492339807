package import LibraryModel
import LibraryStore
package import Platform

/// Checks a store, and restores backups into it, while no daemon needs it.
package struct StoreCare: Sendable {
  let store: BytePath
  let clock: Clock

  package init(store: BytePath, clock: Clock = .system) {
    (self.store, self.clock) = (store, clock)
  }

  // MARK: Checking

  /// Verifies the store without changing anything.
  ///
  /// - Parameter say: Called with a line for each finding, and with one that closes the list.
  /// - Returns: The exit status: 0 good, 1 findings, 65 unusable, 78 of a later version.
  package func check(say: (String) -> Void) -> Int32 {
    var report: StoreReport
    do {
      let files = try DiskFiles(reading: store)
      report = StoreCheck.run(files)
      for (name, mode) in try files.openToOthers() {
        let path = path(name)
        report.add(
          StoreReport.Finding(
            name: name, line: nil, reason: "others may read or write it: chmod \(mode) \(path)"))
      }
    } catch {
      say("unusable: the store can't be read (\(error)): check the path and its permissions")
      return DaemonFailure.unusableStore
    }
    for finding in report.findings { say(line(finding, "")) }
    for note in report.notes { say(line(note, "note: ")) }
    if let process = FileLock.holder(path: store.appending("lock".utf8).bytes) {
      say("\(store.display): note: in use by the crated with process id \(process)")
    }
    return close(report, say)
  }

  private func path(_ name: StoreName) -> String {
    name.name == "." ? store.display : store.appending(name.description.utf8).display
  }

  private func line(_ finding: StoreReport.Finding, _ kind: String) -> String {
    "\(path(finding.name)):\(finding.line.map { "\($0):" } ?? "") \(kind)\(finding.reason)"
  }

  private func close(_ report: StoreReport, _ say: (String) -> Void) -> Int32 {
    let count = report.findings.count
    var held = "\(counted(report.generations, "generation"))"
    if let state = report.state {
      held +=
        ", newest \(state.generation) with \(counted(state.songs, "song")) in"
        + " \(counted(state.crates, "crate")), change \(state.sequence)"
    }
    switch report.verdict {
    case .good:
      say("good: \(held)")
      return 0
    case .findings:
      if let reason = report.readOnly {
        say("\(store.display): a start takes no changes: \(reason)")
      }
      say("\(counted(count, "finding")): \(held)")
      return 1
    case .unusable(let reason):
      say("unusable: \(reason)")
      return DaemonFailure.unusableStore
    case .newer(let version, let file):
      say("\(StoreFailure.newerVersion(version, file: file))")
      return DaemonFailure.configuration
    }
  }

  // MARK: Words

  /// "1 song", "12,034 songs".
  func counted(_ count: Int, _ noun: String) -> String {
    "\(Self.grouped(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  /// "12,034"
  static func grouped(_ count: Int) -> String {
    var digits = String(count)
    for place in stride(from: digits.count - 3, to: 0, by: -3) {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
    }
    return digits
  }
}
