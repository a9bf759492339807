package import LibraryModel
package import LibraryStore
package import Platform
package import SharedOrder

/// Keeps this machine's part of an order that several machines share.
///
/// The table (`OrderTable`) has who decided what. It follows what is done on this machine, and
/// takes in what the files of the others say. Where the library then is in another order, that is a
/// wish, for the librarian to fulfil. The table is saved before a wish is handed over: after a kill
/// the next start finds the same wish.
package struct MachineKeeper: Sendable {
  package struct Settings: Hashable, Sendable {
    package var folder: BytePath
    /// What the person calls this machine.
    package var name: String
    /// Where the table is saved.
    package var stateFile: BytePath
    /// The crate for new albums; nil: the first one.
    package var newAlbums: String?

    package init(
      folder: BytePath, name: String, stateFile: BytePath, newAlbums: String? = nil
    ) {
      (self.folder, self.name) = (folder, name)
      (self.stateFile, self.newAlbums) = (stateFile, newAlbums)
    }
  }

  /// What became of a file that was seen.
  struct SeenFile: Sendable {
    enum Meaning: Sendable {
      case ours
      /// An older one of this machine's, which a program brought back.
      case oursOfOld
      case read(MachineID)
      case ofOtherShare(MachineOrder)
      /// Why it does not count.
      case fault(String)
      /// Why it could not be read: that may pass.
      case unreadable(String)
    }

    var status: FileStatus
    var meaning: Meaning
  }

  package let settings: Settings
  /// The library that the table follows.
  package private(set) var library: Library
  package internal(set) var table = OrderTable()
  /// Nil: this machine shares no order yet.
  package internal(set) var share: MachineID?
  package internal(set) var machine = MachineID.random()
  package internal(set) var others: [MachineID: MachineState.Other] = [:]
  /// How often this machine's file was written.
  package internal(set) var version = 0
  /// Its seal; nil before the first time.
  package internal(set) var written: String?
  var intended: String?
  var files: [MachineFolder.Name: SeenFile] = [:]
  /// What the crates of the table are called in the library.
  private var names: [CrateID: String] = [:]
  /// The library from which the traits in the table are.
  private var described = Library()
  /// Whether the table may differ from the one that was saved.
  package internal(set) var isDirty = false {
    didSet { if isDirty { revision += 1 } }
  }
  /// Another one where the table or the library may have changed.
  package private(set) var revision = 0
  /// The revision of which this machine's file says all that there is to say.
  var told: Int?
  /// Machines whose files were read since the library was in the order of the table.
  var senders: Set<MachineID> = []

  /// - Parameters:
  ///   - state: what was saved; nil where nothing was, or where it is lost.
  ///   - library: as it was after the change that the state names, or as it is now.
  package init(_ settings: Settings, _ state: MachineState?, library: Library) {
    self.settings = settings
    self.library = library
    guard let state else { return }
    table = OrderTable(state.order, held: state.held)
    (share, machine) = (state.order.share, state.order.machine)
    (others, version) = (state.others, state.order.version)
    (written, intended) = (state.written, state.intended)
    names = table.crates.mapValues(\.name.value)
  }

  /// Follows what was done on this machine.
  ///
  /// - Parameters:
  ///   - transactions: one or more, of one commit; those that are known already are passed over.
  ///   - after: the library after them.
  package mutating func follow(_ transactions: [Transaction], to after: Library) {
    for transaction in transactions where transaction.sequence > library.sequence {
      let before = library
      revision += 1
      if transaction.sequence == after.sequence {
        library = after
      } else {
        // What does not fit has been published nevertheless: the last one has it.
        try? library.apply(transaction)
      }
      if share == nil { continue }
      if table.follow(transaction, from: before, to: library, on: machine) { isDirty = true }
      if transaction.author == .machine { senders = [] }
    }
    // The same library with other tags.
    if library.sequence == after.sequence { library = after }
    if senders.isEmpty { names = table.crates.mapValues(\.name.value) }
  }

  /// Goes on with a library of which it is not known how it came to be: what the table lacks is
  /// added, and what else differs is to become as the table has it.
  ///
  /// - Parameter now: in milliseconds since 1970.
  package mutating func goOn(with library: Library, now: Int64) {
    self.library = library
    if share == nil { return }
    table.addMissing(of: library, at: now, on: machine)
    // This machine is no owner of what is not here.
    table.drop(machine, library: library)
    isDirty = true
  }

  /// Returns what the library has to become; nil where it is in the order of the table.
  package mutating func nextWish() -> SharedWish? {
    if share != nil, !table.isOrder(of: library) {
      return table.written(for: library, names: names)
    }
    senders = []
    names = table.crates.mapValues(\.name.value)
    return nil
  }

  /// The names of those that the wish is from, as the history has them.
  package var namesOfSenders: String {
    let names = senders.compactMap { others[$0]?.name }.sorted()
    return names.isEmpty ? "other machines" : names.joined(separator: ", ")
  }

  // MARK: What is told

  /// How many albums each of the other machines has that are not here.
  package var countsElsewhere: [MachineID: Int] {
    return table.held.mapValues { albums in albums.count { !library.has($0) } }
  }

  /// Why the files of machines don't count.
  package var faults: [MachineID: String] {
    var faults: [MachineID: String] = [:]
    for (name, file) in files {
      if let reason = file.fault { faults[name.machine] = reason }
    }
    return faults
  }

  // MARK: What is saved

  /// Brings up to date what others know the albums by that are here.
  mutating func describe() {
    table.refreshTraits(from: library, described: described)
    described = library
  }

  /// What this machine says of the order, with its version as it is.
  ///
  /// - Parameter share: to which it belongs.
  func contents(of share: MachineID) -> MachineOrder {
    table.contents(
      for: library, share: share, machine: machine, name: settings.name, version: version)
  }

  /// Saves the table durably.
  ///
  /// - Throws: the call that failed. What was saved before is as it was.
  package mutating func save() throws(SystemCallError) {
    guard let share else { return }
    describe()
    let order = contents(of: share)
    try save(order, lines: MachineText.lines(of: order))
  }

  /// Saves what the table has in text already.
  mutating func save(_ order: MachineOrder, lines: [UInt8]) throws(SystemCallError) {
    var state = MachineState(order: order, sequence: library.sequence)
    (state.written, state.intended) = (written, intended)
    (state.others, state.held) = (others, table.held)
    try replaceFile(settings.stateFile.bytes, with: MachineText.text(state, lines: lines))
    isDirty = false
  }
}

extension MachineID {
  static func random() -> MachineID {
    MachineID(number: .random(in: 0..<MachineID.count))
  }
}
