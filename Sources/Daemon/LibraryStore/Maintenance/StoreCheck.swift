import LibraryModel
import Platform

/// Verifies a store: every file by itself, how files continue each other, and what a start would
/// show. It only reads, so that it can also check a store that a daemon owns.
package struct StoreCheck<Files: StoreFiles> {
  /// The maximum number of times that everything is read.
  private static var attempts: Int { 5 }

  private let files: Files
  private var report = StoreReport()
  private var listing: StoreListing?
  /// The journals that changes went to, oldest first.
  private var journals: [(name: StoreName, contents: JournalContents)] = []
  /// Journals without a whole header.
  private var unbegun: [(generation: Int, name: StoreName)] = []
  /// The lines of unreadable journals: each may have been a change with a number.
  private var unreadLines = 0

  /// Checks a store that a daemon may be writing to. Files that are read one after the other may
  /// then seem wrong, so everything is read again if files appeared or vanished, or if anything is
  /// wrong. What is wrong only once is not reported.
  package static func run(_ files: Files) -> StoreReport {
    var before = StoreReport()
    for _ in 1..<attempts {
      let (report, isUnchanged) = read(files)
      if isUnchanged, report.verdict == .good || report.agrees(with: before) { return report }
      before = report
    }
    return read(files).report.confirmed(by: before)
  }

  private static func read(_ files: Files) -> (report: StoreReport, isUnchanged: Bool) {
    var check = StoreCheck(files: files)
    check.run()
    return (check.report, (try? StoreListing(files)) == check.listing)
  }

  private init(files: Files) {
    self.files = files
  }

  private mutating func run() {
    let listing: StoreListing
    do {
      listing = try StoreListing(files)
    } catch {
      report.verdict = .unusable("the store can't be read (\(error)): check its permissions")
      return
    }
    self.listing = listing
    report.newestGeneration = listing.newest
    for name in listing.unfinished {
      addNote(
        name, nil, "a snapshot that is being written, or never got whole: nothing is lost with it")
    }
    for name in listing.others {
      if name == FolderRecords.name {
        checkFolders()
      } else if !name.isOurs {
        addNote(name, nil, "no file of crated's: it is left alone")
      }
    }
    for (generation, name) in listing.journals.sorted(by: { $0.key < $1.key }) {
      readJournal(name, generation)
    }
    report.highestSequence += unreadLines
    checkUnbegun()
    for journal in journals { checkEnd(journal.name, journal.contents) }
    for (generation, name) in snapshots.sorted(by: { $0.key < $1.key }) {
      checkSnapshot(name, generation)
    }
    checkStart()
  }

  private var snapshots: [Int: StoreName] { listing?.snapshots ?? [:] }
  private var journalNames: [Int: StoreName] { listing?.journals ?? [:] }

  private mutating func checkFolders() {
    guard let bytes = contents(FolderRecords.name),
      let line = FolderRecords.badLine(of: bytes)
    else { return }
    addFinding(
      FolderRecords.name, line,
      "the line is not understood: delete the file; folders are then known by their files' paths")
  }

  /// Returns the file's bytes; nil if it is gone, or can't be read, which is a finding.
  private mutating func contents(_ name: StoreName) -> [UInt8]? {
    do {
      return try files.read(name)
    } catch {
      addFinding(name, nil, "can't be read (\(error)): check its permissions and the disk")
      report.damaged.append(name)
      return nil
    }
  }

  private mutating func checkStart() {
    do {
      guard let (state, damage) = try Recovery.state(of: files) else {
        report.verdict = .unusable("there is no store here")
        return
      }
      if let name = snapshots[state.generation], let fault = state.library.brokenInvariant {
        addFinding(name, nil, "with its journals: \(fault); \(advice(name.folder))")
      }
      report.state = StoreReport.State(
        generation: state.generation, crates: state.library.crates.count,
        songs: state.library.songs.count, sequence: state.library.sequence)
      if let damage { report.readOnly = damage }
    } catch {
      switch error {
      case .unusable(let reason): report.verdict = .unusable(reason)
      case .newerVersion(let version, let file):
        report.verdict = .newer(version, file: file)
      }
      return
    }
    report.verdict = report.findings.isEmpty && report.readOnly == nil ? .good : .findings
  }
}

// MARK: Findings

extension StoreCheck {
  private mutating func addFinding(_ name: StoreName, _ line: Int?, _ reason: String) {
    let finding = StoreReport.Finding(name: name, line: line, reason: reason)
    // A snapshot is checked with its own journals, and with those that a start reads after it: a
    // fault in both is reported once.
    if !report.findings.contains(finding) { report.findings.append(finding) }
  }

  private mutating func addNote(_ name: StoreName, _ line: Int?, _ reason: String) {
    report.notes.append(StoreReport.Finding(name: name, line: line, reason: reason))
  }

  private func advice(_ folder: StoreName.Folder) -> String {
    folder == .store
      ? "put a good generation in place with \"crated restore\""
      : "it can't be restored; the store itself does not need it"
  }
}

// MARK: Journals

extension StoreCheck {
  private mutating func readJournal(_ name: StoreName, _ generation: Int) {
    guard let bytes = contents(name) else { return }
    let lines = bytes.count { $0 == 0x0A }
    do {
      let contents = try JournalReader.read(bytes)
      guard contents.generation == generation else {
        addFinding(
          name, 1, "says that it is of generation \(contents.generation): give it its own name back"
        )
        return
      }
      if listing?.isAbandoned(contents) != true { journals.append((name, contents)) }
      // Each line that can't be read may have been a change.
      let highest = contents.end == .whole ? contents.sequence : contents.base + lines
      report.highestSequence = max(report.highestSequence, highest)
    } catch {
      unreadLines += lines + 1
      switch error {
      case .newerVersion(let version): newer(name, version)
      case .notBegun: unbegun.append((generation, name))
      case .damaged(let reason): damaged(name, reason)
      }
    }
  }

  private mutating func damaged(_ name: StoreName, _ reason: String) {
    report.damaged.append(name)
    addFinding(name, 1, "\(reason); \(advice(name.folder))")
  }

  /// Checks journals without a whole header. A journal is made before its header is written, and
  /// its snapshot after; one that was cut off in between is not used.
  private mutating func checkUnbegun() {
    for (generation, name) in unbegun {
      if snapshots[generation] == nil, !isGap(at: generation) {
        addNote(name, 1, "was not begun whole, and is not used")
      } else {
        damaged(name, JournalReader.Fault.notBegun.reason)
      }
    }
  }

  /// Returns whether changes are missing between the journals before and after this generation.
  private func isGap(at generation: Int) -> Bool {
    guard let before = journals.last(where: { $0.contents.generation < generation })?.contents,
      let next = journal(after: generation)
    else { return false }
    return next.base > before.sequence && isUnbroken(before.generation, next.generation)
  }

  /// Returns whether every journal between the two generations exists, so that none was thinned
  /// out.
  private func isUnbroken(_ first: Int, _ last: Int) -> Bool {
    (first...last).allSatisfy { journalNames[$0] != nil }
  }

  private mutating func newer(_ name: StoreName, _ version: Int) {
    addFinding(name, 1, StoreFailure.newerVersion(version, file: "it").description)
  }

  /// Returns the next journal that changes went to.
  private func journal(after generation: Int) -> JournalContents? {
    journals.first { $0.contents.generation > generation }?.contents
  }

  private mutating func checkEnd(_ name: StoreName, _ contents: JournalContents) {
    let next = journal(after: contents.generation)
    // What was given up when the next one began does not matter.
    let isReached = next.map { $0.isAfterEdit || contents.sequence >= $0.base } ?? false
    let isMissed =
      !isReached && next.map { isUnbroken(contents.generation, $0.generation) } ?? false
    switch contents.end {
    case .whole:
      if let next, isMissed {
        let last = contents.line(of: contents.transactions.count) - 1
        addFinding(name, last, "changes up to \(next.base) should follow; \(advice(name.folder))")
      }
    case .torn(let line):
      if next == nil {
        report.damaged.append(name)
        addNote(name, line, "the last batch was not written whole: it never happened")
      } else if isMissed {
        report.damaged.append(name)
        addFinding(name, line, "changes are missing from here on; \(advice(name.folder))")
      }
    case .damaged(let line, let reason):
      if isReached { return }
      report.damaged.append(name)
      addFinding(name, line, "\(reason); \(advice(name.folder))")
    }
  }
}

// MARK: Snapshots

extension StoreCheck {
  private mutating func checkSnapshot(_ name: StoreName, _ generation: Int) {
    guard let bytes = contents(name) else { return }
    do {
      let read = try SnapshotReader.read(bytes)
      report.generations += 1
      report.highestSequence = max(report.highestSequence, read.library.sequence)
      if let fault = read.library.brokenInvariant {
        return addFinding(name, nil, "\(fault); \(advice(name.folder))")
      }
      replay(from: generation, of: name, read)
    } catch {
      switch error {
      case .newerVersion(let version): newer(name, version)
      case .rejected(let line, let reason): addFinding(name, line, "\(reason); mend the line")
      case .damaged(let line, let reason):
        report.damaged.append(name)
        addFinding(name, line, "\(reason); \(advice(name.folder))")
      }
    }
  }

  /// Applies the journals up to the next snapshot, as a start would do.
  private mutating func replay(
    from generation: Int, of snapshot: StoreName, _ read: SnapshotReader.Contents
  ) {
    guard let own = journals.first(where: { $0.contents.generation == generation }) else {
      if journalNames[generation] == nil, !read.isEdited {
        addFinding(
          snapshot, nil, "its journal.\(generation).txt is missing; \(advice(snapshot.folder))")
      }
      return
    }
    guard own.contents.base == read.library.sequence else {
      return addFinding(
        own.name, 1,
        "begins at change \(own.contents.base), crates.\(generation).txt ends at"
          + " \(read.library.sequence); \(advice(own.name.folder))")
    }
    var library = read.library
    let nextSnapshot = snapshots.keys.filter { $0 > generation }.min() ?? .max
    for (name, contents) in journals
    where (generation..<nextSnapshot).contains(contents.generation)
      && contents.base == library.sequence
    {
      let next = journal(after: contents.generation)
      let end = next.map { $0.isAfterEdit ? .max : $0.base } ?? .max
      if let fault = contents.apply(upTo: end, to: &library).fault {
        return addFinding(
          name, fault.line,
          "does not fit what is before it (\(fault.misfit)); \(advice(name.folder))")
      }
    }
    if let fault = library.brokenInvariant {
      addFinding(snapshot, nil, "with its journals: \(fault); \(advice(snapshot.folder))")
    }
  }
}
