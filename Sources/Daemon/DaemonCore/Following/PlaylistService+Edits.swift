import CratesInterface
import LibraryModel
import Logging
import Platform
import Playlists

extension PlaylistService {
  /// Has the players' edits decided in order: if two lists claim an album, the one that was saved
  /// later gets it.
  ///
  /// - Returns: The problems of edits that could not be stored.
  func decide(
    _ edits: [FoundEdit], _ keeper: inout PlaylistKeeper, in library: Library
  ) -> [PlaylistProblem] {
    if edits.isEmpty { return [] }
    guard let lookup = keeper.lookup(in: library) else { return [] }
    // The lookup is as large as the library.
    defer { returnFreeMemory() }
    return edits.compactMap { decide($0, &keeper, lookup) }
  }

  private func decide(
    _ edit: FoundEdit, _ keeper: inout PlaylistKeeper, _ lookup: ListLookup
  ) -> PlaylistProblem? {
    let name = edit.file.display
    let lines: [EditedList.Line]
    do throws(ListLookup.Unlikely) {
      lines = try lookup.lines(in: edit.bytes)
    } catch {
      return decline(edit, error.rawValue, &keeper)
    }
    let list = EditedList(
      name: name, crate: edit.crate, lines: lines, bases: edit.bases, edit.reading)
    let answer = Monitor<(result: Result<Interface.Change, InterfaceError>, problem: String?)?>(nil)
    let problem = Monitor<String?>(nil)
    let isSubmitted = submit(
      Librarian.EditRequest(
        sequence: nil, action: .list(list) { told in problem.withLock { $0 = told } }
      ) { result in
        { answer.withLock { $0 = (result, problem.withLock { $0 }) } }
      })
    // There is no librarian yet, as before the library is read.
    if !isSubmitted { return nil }
    let (result, told) = answer.wait { $0 }
    switch result {
    case .success(let change):
      for note in change.notes { logger.notice("\(name): \(note)") }
      var seen: Set<SongID> = []
      let known = lines.compactMap { line -> SongID? in
        guard case .song(let id) = line, seen.insert(id).inserted else { return nil }
        return id
      }
      return keeper.accept(
        edit, songs: known, isPlain: list.plainSongs != nil, problem: told, published.library)
    case .failure(.editRejected(_, let reason)): return decline(edit, reason, &keeper)
    case .failure(let error):
      // The edit is offered again until the store accepts changes.
      logger.info("\(name) is not taken yet: \(error.message)")
      return nil
    }
  }

  private func decline(
    _ edit: FoundEdit, _ reason: String, _ keeper: inout PlaylistKeeper
  ) -> PlaylistProblem? {
    keeper.decline(edit, reason, published.library)
  }
}
