import LibraryModel
import Platform
import TestSupport
import Testing

@testable import LibraryStore

@Suite("Committing and closing", .limited)
struct CommitTests {
  private let disk = SimulatedDisk()

  private func added(_ name: String) -> Transaction {
    Transaction(by: .person, sentence: "", changes: [.crateAdded(name, after: nil)])
  }

  /// Commits a crate of that name.
  @discardableResult
  private func commit(
    _ name: String, _ store: LibraryStore<SimulatedDisk>, _ library: inout Library
  ) throws(StoreRefusal) -> [Transaction] {
    let numbered = try store.commit([added(name)], to: library)
    for change in numbered[0].changes { _ = try? library.apply(change, by: .person) }
    library.advance(to: numbered[0].sequence)
    return numbered
  }

  /// A store that was stopped with a crate in it, and its library.
  private func stopped() throws -> Library {
    let store = try Recovery.open(disk).store
    var library = Library()
    try commit("Jazz", store, &library)
    #expect(store.close(library) == nil)
    disk.restart()
    return library
  }

  private func refusal(_ body: () throws(StoreRefusal) -> Void) -> StoreRefusal? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test("Others are told while the disk writes, of what has its numbers")
  func meanwhile() throws {
    let store = try Recovery.open(disk).store
    var told: [[Int]] = []
    let before = disk.trace.count
    var kinds: [SimulatedDisk.Kind] = []
    let numbered = try store.commit([added("A"), added("B")], to: Library()) { transactions in
      told.append(transactions.map(\.sequence))
      kinds = disk.trace[before...].map(\.kind)
    }
    #expect(told == [numbered.map(\.sequence)] && told == [[1, 2]])
    #expect(kinds == [.append] && disk.writesBegun == [before + 1])
    #expect(disk.trace[before...].map(\.kind) == [.append, .synchronizeFile])
    disk.fault = .init(operation: 0, isLasting: true, code: 28, kinds: [.append])
    #expect(throws: StoreRefusal.self) {
      try store.commit([added("C")], to: Library()) { _ in told.append([]) }
    }
    #expect(told.count == 1)
  }

  @Test("A store whose directory is gone refuses its first change, too, and writes nothing")
  func goneAtFirst() throws {
    var library = try stopped()
    for writesLater in [false, true] {
      let store = try Recovery.open(disk, writesLater: writesLater).store
      disk.isIntact = false
      let files = disk.files
      let found = refusal { () throws(StoreRefusal) in try commit("Rock", store, &library) }
      #expect(found?.reason.contains("removed or replaced") == true && found?.isUnknown == false)
      #expect(disk.files == files && !store.mayHeal)
      disk.isIntact = true
      disk.restart()
    }
  }

  @Test("What was recovered after a kill is written to no directory that is gone, which is told")
  func goneWhenRecovered() throws {
    var library = Library()
    try commit("Jazz", try Recovery.open(disk).store, &library)
    disk.restart()
    let store = try Recovery.open(disk, writesLater: true).store
    disk.isIntact = false
    let files = disk.files
    store.writeRecovered(library)
    #expect(disk.files == files && !store.mayHeal)
    let notes = store.takeNotes()
    #expect(notes.count == 1 && notes[0].hasPrefix("nothing can be changed: "))
    #expect(notes[0].contains("removed or replaced"))
    let error = #expect(throws: SystemCallError.self) { try store.checkIntact() }
    #expect(error?.code == 2)
  }

  @Test("A full disk keeps what was recovered from being written, and that is told once")
  func fullWhenRecovered() throws {
    var library = Library()
    try commit("Jazz", try Recovery.open(disk).store, &library)
    disk.restart()
    let store = try Recovery.open(disk, writesLater: true).store
    disk.fault = .init(operation: 0, isLasting: true, code: 28, kinds: [.create])
    store.writeRecovered(library)
    #expect(store.takeNotes().map { $0.hasPrefix("nothing can be changed: ") } == [true])
    store.writeRecovered(library)
    #expect(store.takeNotes().isEmpty && store.mayHeal)
    disk.fault = nil
    // Waiting for room is over, and the generation is written by that.
    store.heal(library)
    // The second generation was used up.
    #expect(store.state == .ready && disk.files[.snapshot(3)] != nil)
  }

  @Test("Why a store can't be written is told as it is by now")
  func healing() throws {
    let store = try Recovery.open(disk).store
    var library = Library()
    disk.fault = .init(operation: 0, isLasting: true, code: 28, kinds: [.append])
    #expect(throws: StoreRefusal.self) { try commit("Jazz", store, &library) }
    disk.fault = .init(operation: 0, isLasting: true, code: 30, kinds: [.probe])
    store.heal(library)
    let reason = "the store's file system is read-only: make it writable"
    #expect(store.state == .readOnly(reason) && store.mayHeal)
    disk.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [.probe])
    store.heal(library)
    guard case .readOnly(let other) = store.state else {
      Issue.record("\(store.state)")
      return
    }
    #expect(other.hasSuffix("check the disk, then restart crated") && !store.mayHeal)
  }

  @Test("Where a journal was replaced, no older snapshot is written in its place")
  func replacedBeforeSnapshot() throws {
    var library = try stopped()
    let store = try Recovery.open(disk).store
    disk.fault = .init(
      operation: 0, isLasting: true, code: 5, kinds: [.synchronizeFile], name: .journal(3))
    disk.passes = 1
    disk.failsOnce = true
    #expect(throws: StoreRefusal.self) { try commit("Rock", store, &library) }
    #expect(disk.faultsMade == 1 && store.state == .ready)
    // The backups have grown, and nothing else is due.
    let thin = try #require(try store.checkpointWork(library, isIdle: false))
    thin()
    #expect(try store.checkpointWork(library, isIdle: false) == nil)
    #expect(
      disk.files.keys.filter { $0.generation("crates") != nil && $0.folder == .store }.count == 1)
    try commit("Pop", store, &library)
    expectSame(try Recovery.open(disk).library, library)
  }

  @Test("However little of a batch was written to a full disk, the journal is cut back to its end")
  func cutBack() throws {
    for written in 0...2 {
      let disk = SimulatedDisk()
      let store = try Recovery.open(disk).store
      var library = Library()
      try commit("Jazz", store, &library)
      let journal = disk.files[.journal(1)]
      disk.partialBytes = written
      disk.fault = .init(operation: 0, isLasting: true, code: 28, kinds: [.append])
      let before = disk.trace.count
      #expect(throws: StoreRefusal.self) { try commit("Rock", store, &library) }
      #expect(disk.files[.journal(1)] == journal, "\(written)")
      let kinds = disk.trace[before...].map(\.kind)
      #expect(kinds == [.append] + (written == 0 ? [] : [.truncate, .synchronizeFile]))
    }
  }

  @Test(
    "Whether what went to a directory that is gone is out of it again may not be known",
    arguments: [SimulatedDisk.Kind.truncate, .synchronizeFile])
  func unknown(kind: SimulatedDisk.Kind) throws {
    for fails in [false, true] {
      let disk = SimulatedDisk()
      let store = try Recovery.open(disk).store
      var library = Library()
      try commit("Jazz", store, &library)
      let journal = disk.files[.journal(1)]
      disk.isIntact = false
      if fails { disk.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [kind]) }
      let before = disk.trace.count
      let found = refusal { () throws(StoreRefusal) in try commit("Rock", store, &library) }
      #expect(found?.isUnknown == fails)
      if fails { continue }
      #expect(disk.files[.journal(1)] == journal)
      let kinds = disk.trace[before...].map(\.kind)
      #expect(kinds == [.append, .truncate, .synchronizeFile])
    }
  }

  @Test("A closed store takes nothing, and has no doubt of that")
  func closed() throws {
    let store = try Recovery.open(disk).store
    var library = Library()
    try commit("Jazz", store, &library)
    #expect(store.close(library) == nil && store.close(library) == nil)
    let found = refusal { () throws(StoreRefusal) in try commit("Rock", store, &library) }
    #expect(found == StoreRefusal(reason: "the store is closed", isUnknown: false))
    #expect(try store.checkpointWork(library, isIdle: true) == nil)
  }

  @Test("What fails when a store is closed is told, the first of it")
  func closingFails() throws {
    for (kinds, isChanged, code) in [
      ([.close], false, 5), ([.close], true, 5), ([.create, .close], true, 5),
      ([.names], true, nil),
    ] as [(Set<SimulatedDisk.Kind>, Bool, Int32?)] {
      let disk = SimulatedDisk()
      let store = try Recovery.open(disk).store
      var library = Library()
      if isChanged { try commit("Jazz", store, &library) }
      disk.fault = .init(operation: 0, isLasting: true, code: 5, kinds: kinds)
      let fault = store.close(library)
      #expect(fault?.code == code, "\(kinds)")
      if kinds.contains(.create) { #expect(fault?.call == "create") }
      disk.fault = nil
      expectSame(try Recovery.open(SimulatedDisk(disk.files)).library, library)
    }
  }

  @Test("What a checkpoint has to tell is told by closing, too, and its journal goes if not begun")
  func closedMeanwhile() throws {
    for isWritten in [false, true] {
      let disk = SimulatedDisk()
      let store = try Recovery.open(disk).store
      var library = Library()
      try commit("Jazz", store, &library)
      // Somebody has edited the snapshot.
      var files = disk.files
      files[.snapshot(1)] = Array("# mine\n".utf8) + (files[.snapshot(1)] ?? [])
      disk.replaceFiles(by: files)
      store.journalBound = 0
      let make = try #require(try store.checkpointWork(library, isIdle: false))
      make()
      #expect(disk.files[.journal(2)] != nil)
      if isWritten {
        let write = try #require(try store.checkpointWork(library, isIdle: false))
        write()
      }
      #expect(store.close(library) == nil)
      let notes = store.takeNotes()
      #expect(notes.count == 1 && notes[0].contains("backups/crates.1.txt"))
      let newest = isWritten ? 2 : 3
      #expect(disk.files[.snapshot(newest)] != nil && disk.files[.journal(newest)] != nil)
      if !isWritten { #expect(!disk.files.keys.contains { $0.name == "journal.2.txt" }) }
      expectSame(try Recovery.open(disk).library, library)
    }
  }

  @Test("What could not be written at all did not happen, also where no new file can be made")
  func notWritten() throws {
    // What was written in part may not be cut off, either.
    for (code, kinds) in [
      (5, [.append, .create]), (28, [.append, .truncate, .create]),
    ] as [(Int32, Set<SimulatedDisk.Kind>)] {
      let disk = SimulatedDisk()
      let store = try Recovery.open(disk).store
      var library = Library()
      try commit("Jazz", store, &library)
      disk.partialBytes = 2
      disk.fault = .init(operation: 0, isLasting: true, code: code, kinds: kinds)
      let found = refusal { () throws(StoreRefusal) in try commit("Rock", store, &library) }
      #expect(found?.isUnknown == false && !store.mayHeal)
      #expect(found?.reason.hasPrefix("the store could not be written (") == true)
    }
  }

  @Test("A disk, a quota and a file that are full, and what can only be read, may heal")
  func mayHeal() throws {
    for code in [26, 27, 28, 29, 30, 31, 121, 122, 123] as [Int32] {
      let disk = SimulatedDisk()
      let store = try Recovery.open(disk).store
      var library = Library()
      try commit("Jazz", store, &library)
      disk.partial = false
      disk.fault = .init(operation: 0, isLasting: true, code: code, kinds: [.append])
      #expect(throws: StoreRefusal.self) { try commit("Rock", store, &library) }
      switch store.state {
      case .full: #expect([27, 28, 122].contains(code))
      case .readOnly: #expect(code == 30 || !store.mayHeal)
      case .ready: Issue.record("\(code)")
      }
      #expect(store.mayHeal == [27, 28, 30, 122].contains(code), "\(code)")
    }
  }

  @Test("A checkpoint whose directory goes meanwhile begins no journal")
  func goneMeanwhile() throws {
    let store = try Recovery.open(disk).store
    var library = Library()
    try commit("Jazz", store, &library)
    store.journalBound = 0
    let makeJournal = try #require(try store.checkpointWork(library, isIdle: false))
    makeJournal()
    #expect(disk.files[.journal(2)] == [])
    disk.isIntact = false
    #expect(throws: SystemCallError.self) { try store.checkpointWork(library, isIdle: false) }
    #expect(disk.files[.journal(2)] ?? [] == [] && disk.files[.snapshot(2)] == nil)
    #expect(!store.mayHeal)
  }
}
