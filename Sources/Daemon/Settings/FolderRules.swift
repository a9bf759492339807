import Glibc
import LibraryModel
import Platform

/// The rules for how the folders that are read and those that are written may contain each other.
struct FolderRules {
  /// The settings file; nil if the default music folder is at fault.
  let file: BytePath?
  let store: BytePath
  var foldersLine: Int?
  var playlistsLine: Int?
  var machinesLine: Int?

  func check(_ settings: Settings) throws(SettingsError) {
    let folders = settings.musicFolders.map { (written: $0, real: resolved($0)) }
    let store = resolved(store)
    for (index, folder) in folders.enumerated() {
      if let reason = notAFolder(folder.written) {
        throw failure(foldersLine, reason, "name a folder")
      }
      if store.isInside(folder.real) || folder.real.isInside(store) {
        let inside = store.isInside(folder.real)
        throw failure(
          foldersLine,
          "the store \(self.store.display) and the music folder \(folder.written.display) lie one"
            + " inside the other",
          inside ? "name a folder that holds only music" : "keep music outside the store")
      }
      for other in folders[..<index]
      where folder.real.isInside(other.real) || other.real.isInside(folder.real) {
        let same = folder.real == other.real
        throw failure(
          foldersLine,
          "the music folders \(other.written.display) and \(folder.written.display) "
            + (same ? "are the same" : "lie one inside the other"),
          same ? "remove one of them" : "keep the outer one only")
      }
    }
    if let playlists = settings.playlists {
      try check(playlists, folders: folders.map(\.real), store: store)
    }
    if let machines = settings.machines { try check(machines, beside: settings, store: store) }
  }

  /// Checks the machines' folder. It may be inside a music folder. It holds files of this and other
  /// machines that a sync program transfers, so it can be neither the store nor the playlist
  /// folder.
  private func check(
    _ machines: BytePath, beside settings: Settings, store: BytePath
  ) throws(SettingsError) {
    if let reason = notAFolder(machines) { throw failure(machinesLine, reason, "name a folder") }
    let real = resolved(machines)
    let advice = "give the machines a folder of their own"
    if store.isInside(real) || real.isInside(store) {
      throw failure(
        machinesLine,
        "the store and the machines' folder \(machines.display) lie one inside the other", advice)
    }
    if settings.musicFolders.contains(where: { resolved($0) == real }) {
      throw failure(machinesLine, "\(machines.display) is a music folder", advice)
    }
    if let playlists = settings.playlists, resolved(playlists) == real {
      throw failure(machinesLine, "\(machines.display) is the playlist folder", advice)
    }
  }

  /// Checks the playlist folder. It may be inside a music folder, and is then written and not
  /// scanned, so it can contain neither music nor the store.
  private func check(
    _ playlists: BytePath, folders: [BytePath], store: BytePath
  ) throws(SettingsError) {
    if let reason = notAFolder(playlists) {
      throw failure(playlistsLine, reason, "name a folder")
    }
    let real = resolved(playlists)
    let advice = "give the playlists a folder of their own"
    if folders.contains(where: { $0.isInside(real) }) {
      throw failure(
        playlistsLine, "a music folder lies in the playlist folder \(playlists.display)", advice)
    }
    if store.isInside(real) || real.isInside(store) {
      throw failure(
        playlistsLine,
        "the store and the playlist folder \(playlists.display) lie one inside the other", advice)
    }
  }

  private func failure(_ line: Int?, _ reason: String, _ advice: String) -> SettingsError {
    SettingsError(file: file, line: line, reason: reason, advice: advice)
  }
}

/// Returns why the path can't be a folder; nil if it is one, is missing or doesn't answer. A
/// missing folder may appear with its drive, but a file never turns into a folder.
private func notAFolder(_ path: BytePath) -> String? {
  let isOther = answer(of: path.bytes, within: answerWithin) {
    var status = stat()
    return stat(cString(path), &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
  }
  return isOther == true ? "\(path.display) is not a folder" : nil
}

func resolved(_ path: BytePath) -> BytePath { BytePath(resolvedPath(path.bytes)) }
