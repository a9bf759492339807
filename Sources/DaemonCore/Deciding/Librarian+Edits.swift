import CratesInterface
import LibraryModel
import LibraryStore
import Logging
import Platform
import Synchronization

extension Librarian {
  private struct Decided {
    var request: EditRequest
    var decision: Decision
    /// Which of the batch's changes it is; nil where there was nothing to do.
    var place: Int?
  }

  func decide(_ requests: [EditRequest], _ desk: inout Desk) {
    var waiting = requests[...]
    while !waiting.isEmpty {
      var draft = desk.library
      var decided: [Decided] = []
      var changes: [CommittedChange] = []
      while let request = waiting.first {
        // Its answer depends on the numbers that those before it get.
        if request.sequence != nil || request.wish.isAlone, !changes.isEmpty { break }
        waiting = waiting.dropFirst()
        do throws(InterfaceError) {
          if let sequence = request.sequence, sequence != draft.sequence {
            throw .outdated(sequence: draft.sequence)
          }
          let decision = try decision(on: request.wish, in: draft, &desk)
          var place: Int?
          if !decision.changes.isEmpty {
            place = changes.count
            changes.append(committed(decision, by: .person))
            draft = decision.library
          }
          decided.append(Decided(request: request, decision: decision, place: place))
        } catch {
          request.answer(.failure(error))()
        }
        if request.wish.isAlone { break }
      }
      settle(decided, changes, draft, &desk)
    }
  }

  private func decision(
    on wish: Wish, in library: Library, _ desk: inout Desk
  ) throws(InterfaceError) -> Decision {
    let newAlbums = desk.newAlbums
    switch wish {
    case .edit(let find):
      let edit = try find(library)
      do {
        return try library.decide(edit, newAlbums: newAlbums)
      } catch {
        throw InterfaceError(error)
      }
    case .undo:
      let history = desk.book.history(from: desk.store)
      guard let decision = library.decideUndo(history, newAlbums: newAlbums) else {
        throw .nothingToUndo
      }
      return decision
    case .redo:
      let history = desk.book.history(from: desk.store)
      guard let decision = library.decideRedo(history, newAlbums: newAlbums) else {
        throw .nothingToRedo
      }
      return decision
    case .text(let written, let sequence, let crate):
      let base = sequence == library.sequence ? library : past(sequence, desk)
      guard let base else { throw .outdated(sequence: library.sequence) }
      do {
        return try library.decide(written, readFrom: base, only: crate, newAlbums: newAlbums)
      } catch {
        throw InterfaceError(error)
      }
    }
  }

  /// The library as it was; nil where nobody knows any more.
  private func past(_ sequence: Int, _ desk: borrowing Desk) -> Library? {
    if sequence > desk.library.sequence { return nil }
    return texts.library(at: sequence) ?? desk.store.library(at: sequence)
  }

  private func settle(
    _ decided: [Decided], _ changes: [CommittedChange], _ draft: Library, _ desk: inout Desk
  ) {
    var answers: [@Sendable () -> Void] = []
    let before = desk.library
    if !changes.isEmpty {
      do {
        let begun = clock.monotonic()
        try commit(changes, draft, &desk) { told in
          answers = decided.compactMap { one in
            one.place.map { one.request.answer(.success(told[$0])) }
          }
        }
        let now = clock.monotonic()
        desk.crowd = Crowd(
          of: changes.count, waiting: mailbox.withLock { $0.edits.count }, duration: now - begun,
          now: now)
        let steps = changes.flatMap(\.changes)
        index.note(steps, from: before, to: desk.library)
        playlists.note(steps, from: before, to: desk.library)
        forget(steps, from: before, &desk)
      } catch {
        answers = decided.compactMap { $0.place == nil ? nil : $0.request.answer(.failure(error)) }
      }
    }
    for one in decided where one.place == nil {
      let now = clock.wall() / 1_000_000
      answers.append(
        one.request.answer(
          .success(
            Interface.Change(
              changed: false, sequence: desk.library.sequence, time: Timestamp.text(now),
              author: .person, summary: one.decision.summary, notes: one.decision.notes))))
    }
    // To let go of what has become of the past can wait.
    withExtendedLifetime(before) {
      for answer in answers { answer() }
    }
  }

  /// What the person forgot is not recognised any longer, here and after the next start.
  private func forget(
    _ changes: [Change], from before: Library, _ desk: inout Desk
  ) {
    let files = desk.lookups.follow(changes, from: before, to: desk.library)
    if files.isEmpty { return }
    index.drop(files)
    forgotten.withLock { $0 }(files)
    showDuplicates(desk.lookups.duplicateFiles, desk.library)
  }

  func committed(_ decision: Decision, by author: Author) -> CommittedChange {
    CommittedChange(
      sequence: 0, time: clock.wall() / 1_000_000, author: author, summary: decision.summary,
      notes: decision.notes, changes: decision.changes)
  }

  /// Durable, then applied, then published, then told.
  ///
  /// - Parameter meanwhile: is called with what will be told, while the disk writes.
  func commit(
    _ changes: [CommittedChange], _ draft: Library, _ desk: inout Desk,
    meanwhile: ([Interface.Change]) -> Void = { _ in }
  ) throws(InterfaceError) {
    defer { storeState.withLock { $0 = desk.store.state } }
    do {
      var told: [Interface.Change] = []
      let numbered = try desk.store.commit(changes, to: desk.library) { numbered in
        told = numbered.map { Interface.Change($0) }
        meanwhile(told)
      }
      desk.library = draft
      if let last = numbered.map(\.sequence).max() { desk.library.advance(to: last) }
      published.publish(desk.library)
      for change in numbered { desk.book.follow(change) }
      feed.tell(told)
    } catch {
      logger.error("changes were refused: \(error.reason)")
      throw error.isUnknown
        ? .outcomeUnknown(reason: error.reason) : .changesRefused(reason: error.reason)
    }
  }
}
