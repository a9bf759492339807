import Glibc
import LibraryModel
import Platform

/// What the kernel tells, turned into directories to look at.
extension WatchLoop {
  func readEvents() {
    guard let inotify else { return }
    var events: [InotifyEvent] = []
    // Bounded by what the kernel holds at most; who goes on writing for ever is heard next time.
    for _ in 0..<64 {
      let isMore = inotify.read { events.append(contentsOf: InotifyEvents(buffer: $0)) }
      if !isMore { break }
    }
    if events.isEmpty { return }
    let now = now
    var folder = Catalogue.ID.root
    var path = BytePath([])
    for event in events {
      if event.isOverflow {
        overflowed()
      } else if event.watch == cookieWatch {
        syncs.cookieCame(event.name)
      } else {
        noteTarget(event, at: now)
        guard let watched = watches.folder(of: event.watch) else { continue }
        if watched != folder {
          folder = watched
          path = catalogue.path(of: watched)
        }
        note(.event(mask: event.mask, folder: path, name: event.name))
        note(event, in: path, at: now)
      }
    }
  }

  private func overflowed() {
    hasOverflowed = true
    note(.overflow)
    // A file may have gone on from where it was renamed to.
    renames.removeAll()
    // The cookies of those who wait may be among what was lost; the full look answers them.
    syncs.allCookiesCame()
  }

  private func note(_ event: InotifyEvent, in path: BytePath, at now: Int64) {
    if event.name.isEmpty { return noteFolderItself(event, path, at: now) }
    if event.has(Int32(IN_CREATE | IN_DELETE)) {
      renames.ended(at: path.appending(event.name), isFolder: event.isFolder)
    }
    if event.name == crateIgnoreName {
      return pending.note([.other, .subtree], in: path, at: now)
    }
    if ListedNames.isLeftOut(event.name) { return }
    if event.isFolder {
      noteFolder(event, in: path, at: now)
    } else if ListedNames.isAudio(event.name) {
      noteFile(event, in: path, at: now)
    } else if event.has(Int32(IN_DELETE | IN_MOVED_FROM)) {
      pending.note(.deletion, in: path, at: now)
    } else if event.has(Int32(IN_CREATE | IN_MOVED_TO)) {
      // It may be a link to a directory.
      pending.note(.other, in: path, at: now)
    } else if event.has(Int32(IN_CLOSE_WRITE | IN_ATTRIB)), CoverNames.rank(event.name) != nil {
      pending.note(.other, in: path, at: now)
    }
  }

  private func noteFolderItself(_ event: InotifyEvent, _ path: BytePath, at now: Int64) {
    if event.has(Int32(IN_IGNORED)) { watches.remove(event.watch) }
    if path.isEmpty {
      pending.note(.finished, in: path, at: now)
    } else if event.has(Int32(IN_ATTRIB)) {
      pending.note(.other, in: path, at: now)
    } else {
      pending.note(.deletion, in: path.parent, at: now)
    }
  }

  private func noteFolder(_ event: InotifyEvent, in path: BytePath, at now: Int64) {
    let child = path.appending(event.name)
    if event.has(Int32(IN_MOVED_TO)) { noteRename(event, to: child) }
    if event.has(Int32(IN_MOVED_FROM)) { renames.movedFrom(child, cookie: event.cookie) }
    if event.has(Int32(IN_CREATE | IN_MOVED_TO)) {
      pending.note(.finished, in: path, at: now)
      // Another directory may have taken the place of a known one.
      if catalogue.find(child) != nil {
        pending.note([.finished, .subtree], in: child, at: now)
      }
    } else if event.has(Int32(IN_ATTRIB)) {
      pending.note(.other, in: path, at: now)
      if catalogue.find(child) != nil { pending.note(.other, in: child, at: now) }
    } else {
      pending.note(.deletion, in: path, at: now)
    }
  }

  private func noteFile(_ event: InotifyEvent, in path: BytePath, at now: Int64) {
    if event.has(Int32(IN_CLOSE_WRITE)) {
      pending.noteFinished(event.name, in: path, at: now)
    } else if event.has(Int32(IN_MOVED_TO)) {
      noteRename(event, to: path.appending(event.name))
      pending.noteFinished(event.name, in: path, at: now)
    } else if event.has(Int32(IN_MOVED_FROM)) {
      renames.movedFrom(path.appending(event.name), cookie: event.cookie)
      pending.note(.deletion, in: path, at: now)
    } else if event.has(Int32(IN_DELETE)) {
      pending.note(.deletion, in: path, at: now)
    } else if event.has(Int32(IN_ATTRIB)) {
      pending.note(.other, in: path, at: now)
    } else {
      pending.noteUnfinished(event.name, in: path, at: now)
    }
  }

  private func noteRename(_ event: InotifyEvent, to path: BytePath) {
    guard let from = renames.movedTo(cookie: event.cookie) else {
      return renames.ended(at: path, isFolder: event.isFolder)
    }
    renames.rename(
      from, to: path, known: catalogue.songs(at: from), isFolder: event.isFolder)
  }
}

let crateIgnoreName = Array(".crateignore".utf8)
