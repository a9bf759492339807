package import LibraryModel
package import LibraryStore
package import Platform
package import SharedOrder

/// Manages this machine's part of an order that several machines share.
///
/// The table (`OrderTable`) records the decisions and the machines that made them. It is updated
/// with the changes of this machine, and with the other machines' files. If the library's order
/// then differs from the table's, `neededOrder` returns that for the librarian. The table is
/// saved before a request is handed over, so that the next start finds the same one after a kill.
package struct MachineKeeper: Sendable {
  package struct Settings: Hashable, Sendable {
    package var folder: BytePath
    /// The user's name for this machine.
    package var name: String
    /// The path at which the table is saved.
    package var stateFile: BytePath
    /// The crate for new albums; nil for the first one.
    package var newAlbums: String?

    package init(
      folder: BytePath, name: String, stateFile: BytePath, newAlbums: String? = nil
    ) {
      (self.folder, self.name) = (folder, name)
      (self.stateFile, self.newAlbums) = (stateFile, newAlbums)
    }
  }

  /// A file that was seen, and its use.
  struct SeenFile: Sendable {
    enum Meaning: Sendable {
      case ours
      /// An older version of this machine's file, which a sync program brought back.
      case oursOfOld
      case read(MachineID)
      case ofOtherShare(MachineOrder)
      /// The reason why it does not count.
      case fault(String)
      /// The reason why it could not be read, which may pass.
      case unreadable(String)
    }

    var status: FileStatus
    var meaning: Meaning
  }

  package let settings: Settings
  /// The library that the table is up to date with.
  package private(set) var library: Library
  package internal(set) var table = OrderTable()
  /// Nil if this machine shares no order yet.
  package internal(set) var share: MachineID?
  package internal(set) var machine = MachineID.random()
  package internal(set) var others: [MachineID: MachineState.Other] = [:]
  /// The number of times that this machine's file was written.
  package internal(set) var version = 0
  /// The seal of this machine's file; nil before the first write.
  package internal(set) var written: String?
  var intended: String?
  var files: [MachineFolder.Name: SeenFile] = [:]
  /// The names that the table's crates have in the library.
  private var names: [CrateID: String] = [:]
  /// The library whose traits are in the table.
  private var described = Library()
  /// Whether the table may differ from the saved one.
  package internal(set) var isDirty = false {
    didSet { if isDirty { revision += 1 } }
  }
  /// A number that changes whenever the table or the library may have changed.
  package private(set) var revision = 0
  /// The revision that this machine's file describes.
  var told: Int?
  /// The machines whose files were read since the library last had the order of the table.
  var senders: Set<MachineID> = []

  /// - Parameters:
  ///   - state: the saved state; nil if there is none, or it is lost.
  ///   - library: the library after the change that the state names, or the current one.
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

  /// Updates the table to changes of this machine.
  ///
  /// - Parameters:
  ///   - transactions: one or more of one commit; known ones are skipped.
  ///   - after: the library after them.
  package mutating func follow(_ transactions: [Transaction], to after: Library) {
    for transaction in transactions where transaction.sequence > library.sequence {
      let before = library
      revision += 1
      if transaction.sequence == after.sequence {
        library = after
      } else {
        // A transaction that doesn't fit was published nevertheless; `after` has its result.
        try? library.apply(transaction)
      }
      if share == nil { continue }
      if table.follow(transaction, from: before, to: library, on: machine) { isDirty = true }
      if transaction.author == .machine { senders = [] }
    }
    // The same library, maybe with other tags.
    if library.sequence == after.sequence { library = after }
    if senders.isEmpty { names = table.crates.mapValues(\.name.value) }
  }

  /// Continues with a library whose history is unknown. What the table lacks is added; what else
  /// differs has to become as in the table.
  ///
  /// - Parameter now: in milliseconds since 1970.
  package mutating func goOn(with library: Library, now: Int64) {
    self.library = library
    if share == nil { return }
    table.addMissing(of: library, at: now, on: machine)
    // This machine no longer has what is not in the library.
    table.drop(machine, library: library)
    isDirty = true
  }

  /// Returns the change that the library needs; nil if it has the order of the table.
  package mutating func neededOrder() -> AgreedOrder? {
    if share != nil, !table.isOrder(of: library) {
      return table.written(for: library, names: names)
    }
    senders = []
    names = table.crates.mapValues(\.name.value)
    return nil
  }

  /// The names of the machines that the request comes from, for the history.
  package var namesOfSenders: String {
    let names = senders.compactMap { others[$0]?.name }.sorted()
    return names.isEmpty ? "other machines" : names.joined(separator: ", ")
  }

  // MARK: Status

  /// The number of albums of each other machine that are not in the library.
  package var countsElsewhere: [MachineID: Int] {
    return table.held.mapValues { albums in albums.count { !library.has($0) } }
  }

  /// The reasons why files of machines don't count.
  package var faults: [MachineID: String] {
    let faults = files.sorted { $0.key < $1.key }.compactMap { name, file in
      file.fault.map { (name.machine, $0) }
    }
    return Dictionary(faults) { first, _ in first }
  }

  // MARK: Saving

  /// Updates the traits by which the other machines identify this machine's albums.
  mutating func describe() {
    table.refreshTraits(from: library, described: described)
    described = library
  }

  /// Returns the contents of this machine's file, with the current version.
  ///
  /// - Parameter share: the share that they belong to.
  func contents(of share: MachineID) -> MachineOrder {
    table.contents(
      for: library, share: share, machine: machine, name: settings.name, version: version)
  }

  /// Saves the table durably.
  ///
  /// - Throws: the call that failed. The former state stays saved.
  package mutating func save() throws(SystemCallError) {
    guard let share else { return }
    describe()
    let order = contents(of: share)
    try save(order, lines: MachineText.lines(of: order))
  }

  /// Saves the table with lines that exist already.
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
