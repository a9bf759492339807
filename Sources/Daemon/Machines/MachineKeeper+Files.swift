import LibraryModel
import LibraryStore
import Platform
package import SharedOrder
import Text

extension MachineKeeper {
  /// The result of a round in the folder.
  package struct Round: Sendable {
    package var problems: [MachineProblem] = []
    /// Lines for the log.
    package var notices: [String] = []
    /// Whether this machine's file is missing, or is an old one.
    package var isOwnFileMissing = false
    /// Whether other machines may change the folder without events from this kernel.
    package var isRemote = false
  }

  /// Reads the files of the other machines that changed.
  ///
  /// - Parameter now: in milliseconds since 1970.
  package mutating func read(now: Int64) -> Round {
    var round = Round()
    let listing: MachineFolder.Listing
    do {
      let folder = try MachineFolder(settings.folder)
      round.isRemote = folder.isRemote
      listing = try folder.list()
      for (name, status) in listing.files.sorted(by: { $0.key < $1.key }).prefix(
        MachineFolder.mostFiles)
      where files[name]?.status != status || files[name]?.isUnread == true {
        files[name] = read(name, in: folder, now, &round)
      }
    } catch {
      round.problems.append(MachineProblem(settings.folder, error))
      return round
    }
    // A file that disappeared has no effect: its contents stay merged.
    files = files.filter { listing.files[$0.key] != nil }
    meet(isEmpty: listing.files.isEmpty, now: now)
    round.isOwnFileMissing = share != nil && version > 0 && !files.values.contains(where: \.isOurs)
    round.problems += problems(of: listing)
    return round
  }

  private mutating func read(
    _ name: MachineFolder.Name, in folder: borrowing MachineFolder, _ now: Int64,
    _ round: inout Round
  ) -> SeenFile? {
    let order: MachineOrder
    let status: FileStatus
    let seal: String
    do {
      let found = try folder.read(name)
      status = found.status
      order = try MachineReader.order(found.bytes, now: now)
      seal = MachineText.seal(of: found.bytes)
    } catch let error as SystemCallError {
      guard let status = folder.status(of: name) else { return nil }
      return SeenFile(status: status, meaning: .unreadable(MachineProblem.reason(error)))
    } catch let fault as MachineReader.Fault {
      guard let status = folder.status(of: name) else { return nil }
      return SeenFile(status: status, meaning: .fault(MachineProblem.reason(fault)))
    } catch {
      return nil
    }
    let meaning = take(order, seal, heard: status.modified / 1_000_000, &round)
    return SeenFile(status: status, meaning: meaning)
  }

  /// Merges a file's contents.
  private mutating func take(
    _ order: MachineOrder, _ seal: String, heard: Int64, _ round: inout Round
  ) -> SeenFile.Meaning {
    if order.machine == machine {
      if seal == written || seal == intended {
        written = seal
        return .ours
      }
      if share != nil, order.version < version { return .oursOfOld }
      // The disk was cloned, or the store was restored from a backup.
      let former = machine
      repeat { machine = .random() } while others[machine] != nil || machine == former
      (version, written, intended, isDirty) = (0, nil, nil, true)
      if share != nil {
        round.notices.append(
          "another machine writes as \(settings.name) (\(former)): this one is \(machine) now"
        )
      }
    }
    guard order.share == share else { return .ofOtherShare(order) }
    join(order, heard: heard)
    return .read(order.machine)
  }

  mutating func join(_ order: MachineOrder, heard: Int64) {
    // An older file, which a sync program brought back, is ignored.
    if let known = others[order.machine], order.version < known.version { return }
    others[order.machine] = MachineState.Other(
      name: order.name, version: order.version, heard: heard)
    table.join(order, with: library)
    senders.insert(order.machine)
    isDirty = true
  }

  private func problems(of listing: MachineFolder.Listing) -> [MachineProblem] {
    var problems = files.sorted { $0.key < $1.key }.compactMap { name, file -> MachineProblem? in
      guard let reason = file.fault else { return nil }
      return MachineProblem(settings.folder.appending(name.bytes), reason)
    }
    if isWaiting {
      problems.append(
        MachineProblem(
          settings.folder,
          "the order of other machines is here, and this machine has one of its own: \"crate"
            + " machines join\" takes theirs, \"crate machines join --mine\" makes this one count"
            + " everywhere"))
    }
    if listing.conflictCopies > 0 {
      problems.append(
        MachineProblem(
          settings.folder,
          "a program that carries files has made conflict copies of machines' files"
            + " (\(listing.conflictCopies)), which crated does not need: delete them"))
    }
    if listing.files.count > MachineFolder.mostFiles {
      problems.append(
        MachineProblem(
          settings.folder,
          "there are files of \(listing.files.count) machines, and \(MachineFolder.mostFiles) are"
            + " read: remove those of machines that are gone (crate machines drop)"))
    }
    return problems
  }

  // MARK: This machine's file

  /// Writes this machine's file if its contents have changed. The table is saved first.
  ///
  /// - Parameter isMissing: whether the file is missing, so that it is written in any case.
  /// - Throws: the problem.
  package mutating func write(isMissing: Bool = false) throws(MachineProblem) {
    guard let share, isMissing || told != revision else { return }
    do throws(SystemCallError) {
      describe()
      var order = contents(of: share)
      let lines = MachineText.lines(of: order)
      let former = MachineText.text(order, lines: lines)
      if !isMissing, let written, MachineText.seal(of: former) == written {
        if isDirty { try save(order, lines: lines) }
        told = revision
        return
      }
      version += 1
      order.version = version
      let text = MachineText.text(order, lines: lines)
      let seal = MachineText.seal(of: text)
      intended = seal
      try save(order, lines: lines)
      let folder = try MachineFolder(settings.folder)
      let name = MachineFolder.Name(of: order)
      try folder.write(name, text)
      (written, told) = (seal, revision)
      if let status = folder.status(of: name) {
        files[name] = SeenFile(status: status, meaning: .ours)
      }
      // The machine's files under former names.
      for (other, file) in files where other.machine == machine && other != name && file.isOurs {
        try folder.remove(other)
        files[other] = nil
      }
    } catch {
      throw MachineProblem(settings.folder, error)
    }
  }

  /// Removes the files of a machine, and the entries that only it had.
  ///
  /// - Throws: the problem.
  package mutating func drop(_ machine: MachineID) throws(MachineProblem) {
    do throws(SystemCallError) {
      let folder = try MachineFolder(settings.folder)
      for name in try folder.list().files.keys where name.machine == machine {
        try folder.remove(name)
        files[name] = nil
      }
      others[machine] = nil
      table.drop(machine, library: library)
      isDirty = true
      try save()
    } catch {
      throw MachineProblem(settings.folder, error)
    }
  }
}

extension MachineKeeper.SeenFile {
  var isOurs: Bool { if case .ours = meaning { true } else { false } }
  var isUnread: Bool { if case .unreadable = meaning { true } else { false } }

  /// Why the file does not count; nil if it does.
  var fault: String? {
    switch meaning {
    case .fault(let reason), .unreadable(let reason): reason
    default: nil
    }
  }
}
