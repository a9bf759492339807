import Glibc
import LibraryModel
import Platform

/// Turns the kernel's events into dirty directories.
extension WatchCore {
  mutating func take(_ events: [InotifyEvent]) {
    guard isOnline else { return }
    var folder = Catalogue.ID.root
    var path = BytePath([])
    for event in events {
      if event.isOverflow {
        trace(.overflow)
        session.agenda.overflowed()
        // The lost events may include cookies of waiting clients. The full scan makes up for them.
        waiters.allCookiesCame()
      } else if event.watch == session.watching.cookieWatch {
        waiters.cookieCame(event.name)
      } else {
        noteTarget(event)
        guard let watched = session.watching.table.folder(of: event.watch) else { continue }
        if watched != folder {
          folder = watched
          path = tree.catalogue.path(of: watched)
        }
        trace(.event(mask: event.mask, folder: path, name: event.name))
        note(event, in: path)
      }
    }
  }

  private mutating func note(_ event: InotifyEvent, in path: BytePath) {
    if event.name.isEmpty { return noteFolderItself(event, path) }
    if event.has(Int32(IN_CREATE | IN_DELETE)) {
      session.agenda.renames.ended(at: path.appending(event.name), isFolder: event.isFolder)
    }
    if event.name == crateIgnoreName { return note([.other, .subtree], in: path) }
    if ListedNames.isLeftOut(event.name) { return }
    if event.isFolder {
      noteFolder(event, in: path)
    } else if ListedNames.isAudio(event.name) {
      noteFile(event, in: path)
    } else if event.has(Int32(IN_DELETE | IN_MOVED_FROM)) {
      note(.deletion, in: path)
    } else if event.has(Int32(IN_CREATE | IN_MOVED_TO)) {
      // It may be a link to a directory.
      note(.other, in: path)
    } else if event.has(Int32(IN_CLOSE_WRITE | IN_ATTRIB)), CoverNames.rank(event.name) != nil {
      note(.other, in: path)
    }
  }

  /// Marks a directory as dirty. Does nothing while the folder is offline, since everything is
  /// scanned when it returns.
  mutating func note(_ changes: PendingFolders.Changes, in path: BytePath) {
    if isOnline { session.agenda.pending.note(changes, in: path, at: now) }
  }

  private mutating func noteFolderItself(_ event: InotifyEvent, _ path: BytePath) {
    if event.has(Int32(IN_IGNORED)) { session.watching.table.remove(event.watch) }
    if path.isEmpty {
      note(.finished, in: path)
    } else if event.has(Int32(IN_ATTRIB)) {
      note(.other, in: path)
    } else {
      note(.deletion, in: path.parent)
    }
  }

  private mutating func noteFolder(_ event: InotifyEvent, in path: BytePath) {
    let child = path.appending(event.name)
    if event.has(Int32(IN_MOVED_TO)) { noteRename(event, to: child) }
    if event.has(Int32(IN_MOVED_FROM)) {
      session.agenda.renames.movedFrom(child, cookie: event.cookie)
    }
    if event.has(Int32(IN_CREATE | IN_MOVED_TO)) {
      note(.finished, in: path)
      // Another directory may have taken the place of a known one.
      if tree.catalogue.find(child) != nil { note([.finished, .subtree], in: child) }
    } else if event.has(Int32(IN_ATTRIB)) {
      note(.other, in: path)
      if tree.catalogue.find(child) != nil { note(.other, in: child) }
    } else {
      note(.deletion, in: path)
      // Another directory may be there by the time of the scan.
      if tree.catalogue.find(child) != nil { note(.deletion, in: child) }
    }
  }

  private mutating func noteFile(_ event: InotifyEvent, in path: BytePath) {
    if event.has(Int32(IN_CLOSE_WRITE)) {
      session.agenda.pending.noteFinished(event.name, in: path, at: now)
    } else if event.has(Int32(IN_MOVED_TO)) {
      noteRename(event, to: path.appending(event.name))
      session.agenda.pending.noteFinished(event.name, in: path, at: now)
    } else if event.has(Int32(IN_MOVED_FROM)) {
      session.agenda.renames.movedFrom(path.appending(event.name), cookie: event.cookie)
      note(.deletion, in: path)
    } else if event.has(Int32(IN_DELETE)) {
      note(.deletion, in: path)
    } else if event.has(Int32(IN_ATTRIB)) {
      note(.other, in: path)
    } else {
      session.agenda.pending.noteUnfinished(event.name, in: path, at: now)
    }
  }

  private mutating func noteRename(_ event: InotifyEvent, to path: BytePath) {
    guard let from = session.agenda.renames.movedTo(cookie: event.cookie) else {
      return session.agenda.renames.ended(at: path, isFolder: event.isFolder)
    }
    // A file that the receiver has not got may have come there by a later rename.
    let known = tree.catalogue.songs(at: from).filter { !outbox.batch.hasNew(tree.absolute($0)) }
    session.agenda.renames.rename(from, to: path, known: known, isFolder: event.isFolder)
  }
}

let crateIgnoreName = Array(".crateignore".utf8)
