import LibraryModel
import Platform

/// Large directories, of which only the files are looked at that the kernel named. What it says is
/// taken for what to look at, never for what there is; where a look at everything might find more,
/// that is what follows.
extension WatchLoop {
  /// So many files that a look at them all costs much more than one at a few.
  func isLarge(_ folder: Catalogue.ID) -> Bool {
    catalogue[folder].files.count >= settings.manyFiles
  }

  /// False: the directory has to be looked at as a whole.
  ///
  /// - Parameter names: nil: its news may be about anything.
  func lookAtNamed(_ names: Set<[UInt8]>?, in folder: Catalogue.ID) -> Bool {
    guard let names, isToldByName(folder), let former = catalogue[folder].status,
      let watch = watches.watch(of: folder)
    else { return false }
    let path = catalogue.path(of: folder)
    let sorted = names.sorted { $0.lexicographicallyPrecedes($1) }
    let slash = UInt8(ascii: "/")
    guard
      sorted.allSatisfy({ !$0.contains(slash) && catalogue.subfolder($0, of: folder) == nil })
    else { return false }
    let answer: NamedLook
    do throws(SystemCallError) {
      // As in a whole look.
      var listing = FolderListing()
      swap(&listing, &self.listing)
      defer { swap(&listing, &self.listing) }
      answer = try directoryLook.look(
        at: sorted, in: absolute(path), isLink: folder == .root || catalogue[folder].isLink,
        into: &listing, rules: ignoreRules[path],
        isLeftOut: { listing, entry in hasRules && isLeftOut(entry, in: path, listing) },
        watch: { descriptor, status in
          guard accept(folder, path, status) else { return .isDeclined }
          _ = self.watch(folder, descriptor, status)
          return watches.watch(of: folder) == watch && isAsBefore(folder, status, former)
            ? .done : .isNotEnough
        })
    } catch {
      // As the whole look will, which knows what to do then.
      return false
    }
    switch answer {
    case .isDeclined: return true
    case .isNotEnough: return false
    case .done: return compareNamed(sorted, in: folder, path)
    }
  }

  /// Whether nothing is known by which its news might not name all that a look would find.
  private func isToldByName(_ folder: Catalogue.ID) -> Bool {
    // A file may have gone to a name before it, and one that is missing may be away.
    if paths.hasLinks || !offlinePlaces.isEmpty || !strays.isEmpty { return false }
    if walk.isFull || walk.retriesFailures { return false }
    return catalogue[folder].isToldByName && isLarge(folder) && coverage.isWhole(folder)
  }

  /// Whether it is the directory that was listed, on the mount that it was on.
  private func isAsBefore(
    _ folder: Catalogue.ID, _ status: FolderStatus, _ former: FolderStatus
  ) -> Bool {
    var status = status
    status.changed = former.changed
    return status == former && coverage.isWhole(folder)
      && walk.mount == catalogue[folder].mount && walk.mount != .unknown
  }

  /// Takes in what the files are by now. False: one may be away, and nothing was taken in.
  private func compareNamed(
    _ names: [[UInt8]], in folder: Catalogue.ID, _ path: BytePath
  ) -> Bool {
    var difference = Difference()
    var next = 0
    for name in names {
      let place = catalogue.place(of: name, in: folder)
      if next < listing.entries.count, listing.name(listing.entries[next]) == name {
        note(
          listing.entries[next], next, file: place,
          state: place.map { catalogue[folder].files[$0].state }, folder: nil, in: path, false,
          &difference)
        next += 1
      } else if let place {
        difference.missingFiles.append(place)
      }
    }
    let lack = Lack(mounts: [walk.mount], fileSystem: listing.status.fileSystem)
    let missing = difference.missingFiles.map { catalogue[folder].files[$0] }
    if missing.contains(where: { isOffline($0.name, $0.state, in: folder, lack) }) { return false }
    for pair in difference.openFiles { update(pair.file, pair.entry, in: folder, path) }
    for file in missing { _ = takeOut(file.name, in: folder, path, lack) }
    for index in difference.newEntries { noteNew(listing.entries[index], in: folder, path) }
    namedLooks += 1
    return true
  }
}
