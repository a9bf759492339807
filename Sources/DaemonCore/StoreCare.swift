package import LibraryModel
import LibraryStore
import Platform

/// What a person does to a store while no daemon needs it: checking it, and restoring a backup.
package struct StoreCare: Sendable {
  private let store: BytePath

  package init(store: BytePath) {
    self.store = store
  }

  // MARK: Checking

  /// Verifies the store, and changes nothing.
  ///
  /// - Parameter say: takes a line for each finding, and one that closes the list.
  /// - Returns: the exit status: 0 good, 1 findings, 65 unusable, 78 of a later version.
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

  // MARK: Restoring

  /// Puts a backup in place as a new generation.
  ///
  /// - Parameter backup: a generation, a name in the backups or the store, or the path of any
  ///   snapshot.
  /// - Returns: what was done and what people should know, a sentence each.
  package func restore(_ backup: String) throws(DaemonFailure) -> [String] {
    let (path, bytes) = try read(backup)
    do throws(StoreFailure) {
      // Before a store is made for it, where there is none.
      _ = try StoreRestore<DiskFiles>.read(bytes, path.display)
    } catch {
      throw DaemonFailure(error)
    }
    let files: DiskFiles
    do {
      files = try DiskFiles(directory: store)
    } catch {
      throw DaemonFailure(
        status: DaemonFailure.unusableStore,
        "the store can't be opened (\(error)): check the directory and the disk")
    }
    let lock = try Daemon.claim(store)
    defer { withExtendedLifetime(lock) {} }
    do throws(StoreFailure) {
      let restored = try StoreRestore.put(bytes, called: path.display, into: files)
      let library = restored.library
      return [
        "restored \(path.display) as generation \(restored.generation):"
          + " \(counted(library.songs.count, "song")) in \(counted(library.crates.count, "crate"))"
          + "; what was there before is in backups"
      ] + restored.notes
    } catch {
      throw DaemonFailure(error)
    }
  }

  private func read(_ backup: String) throws(DaemonFailure) -> (BytePath, [UInt8]) {
    let isGeneration = !backup.isEmpty && backup.utf8.allSatisfy { (0x30...0x39).contains($0) }
    let name = isGeneration ? "crates.\(backup).txt" : backup
    var places = [BytePath(name)]
    if !name.hasPrefix("/") {
      let own = [store.appending("backups".utf8), store].map { $0.appending(name.utf8) }
      places = isGeneration ? own : own + places
    }
    for place in places {
      do {
        if let bytes = try DiskFiles.read(place) { return (place, bytes) }
      } catch {
        throw DaemonFailure(
          status: DaemonFailure.unusableStore,
          "the backup can't be read (\(error)): check the path and its permissions")
      }
    }
    throw DaemonFailure(
      status: DaemonFailure.wrongUse,
      "there is no backup \(backup): those of this store are in \(store.display)/backups")
  }

  // MARK: Words

  /// "1 song", "12,034 songs".
  private func counted(_ count: Int, _ noun: String) -> String {
    var digits = String(count)
    for place in stride(from: digits.count - 3, to: 0, by: -3) {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
    }
    return "\(digits) \(noun)\(count == 1 ? "" : "s")"
  }
}
