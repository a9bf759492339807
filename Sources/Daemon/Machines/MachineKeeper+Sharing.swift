import LibraryModel
import Platform
import SharedOrder

/// How machines come to share one order:
///
/// 1. The first machine, which finds no file, begins a share.
/// 2. A machine on which the user has decided nothing yet adopts the order that it finds.
/// 3. On any other machine the user has to say whose order counts. Until then it merges nothing,
///    and the others merge nothing of it.
extension MachineKeeper {
  /// The orders of another share that this machine may join, with the names and dates of their
  /// files.
  private var joinable: [(name: MachineFolder.Name, order: MachineOrder, heard: Int64)] {
    let found = files.compactMap { name, file -> (MachineFolder.Name, MachineOrder, Int64)? in
      guard case .ofOtherShare(let order) = file.meaning else { return nil }
      return (name, order, file.status.modified / 1_000_000)
    }
    let share = found.map(\.1.share).min()
    return found.filter { $0.1.share == share }.sorted { $0.0 < $1.0 }
  }

  /// Whether the user has to say whose order counts.
  package var isWaiting: Bool {
    let others = joinable
    if others.isEmpty { return false }
    return share == nil || table.hasDecisions && others.contains { $0.order.hasDecisions }
  }

  /// Returns whether the order that was found is adopted without asking the user.
  func shouldAdopt(now: Int64) -> Bool {
    let others = joinable
    guard let first = others.first else { return false }
    if let share {
      if table.hasDecisions { return false }
      return others.contains { $0.order.hasDecisions } || first.order.share < share
    }
    if !begun(now: now).hasDecisions { return true }
    // The library would not change.
    var table = OrderTable()
    for other in others { table.join(other.order, with: library) }
    table.addAll(of: library, at: now, on: machine)
    return table.isOrder(of: library)
  }

  /// Returns a table that has the order of the library, and nothing else.
  private func begun(now: Int64) -> OrderTable {
    OrderTable(beginning: library, at: now, on: machine, newAlbums: settings.newAlbums)
  }

  /// Decides what to do with orders of other shares.
  ///
  /// - Parameter isEmpty: whether there is no file of any machine.
  mutating func meet(isEmpty: Bool, now: Int64) {
    if share == nil, isEmpty {
      share = .random()
      table = begun(now: now)
      isDirty = true
    } else if shouldAdopt(now: now) {
      adopt(now: now)
    }
  }

  /// Adopts the order of the others. What only this machine has goes after what it followed.
  private mutating func adopt(now: Int64) {
    let others = joinable
    guard let share = others.first?.order.share else { return }
    // Files of the former share belong to another one now.
    files = files.filter { if case .read = $0.value.meaning { false } else { true } }
    (self.share, self.others, table) = (share, [:], OrderTable())
    for other in others {
      join(other.order, heard: other.heard)
      files[other.name]?.meaning = .read(other.order.machine)
    }
    table.addAll(of: library, at: now, on: machine)
    isDirty = true
  }

  /// Joins the share that was found, as the user asks.
  ///
  /// - Parameters:
  ///   - isMine: whether the order of this machine counts everywhere.
  ///   - now: in milliseconds since 1970.
  /// - Returns: false if there is none to join.
  package mutating func joinShare(mine isMine: Bool, now: Int64) -> Bool {
    guard isWaiting else { return false }
    adopt(now: now)
    if isMine { table.decideAll(as: library, at: now, on: machine) }
    return true
  }
}
