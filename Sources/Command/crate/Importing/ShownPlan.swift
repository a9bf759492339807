import CratesInterface
import ImportedLists

/// The plan of an import as text for the user.
struct ShownPlan {
  let plan: ImportPlan
  /// Paths of the library beside the missing ones.
  let neighbours: [String: String]

  /// The most lines of each kind for a list on a terminal; a pipe gets all lines.
  private static let shownMost = 8

  func lines(for terminal: Terminal) -> [String] {
    var lines: [String] = []
    for list in plan.lists {
      if !lines.isEmpty { lines.append("") }
      lines += self.lines(of: list, terminal)
    }
    if !plan.leftOut.isEmpty, !lines.isEmpty { lines.append("") }
    let leftOut = plan.leftOut.map { "“\($0.name)” stays out (\($0.reason.rawValue))" }
    return lines + some(leftOut, "list", terminal).map(Shown.harmless)
  }

  private func lines(of list: ImportPlan.List, _ terminal: Terminal) -> [String] {
    let count =
      "\(Shown.count(list.found)) of \(Shown.count(list.listed, "song")) found"
    if let reason = list.skipReason {
      let remark = list.listed == 0 ? "" : " (\(count))"
      var lines = ["“\(list.name)” stays out\(remark): \(reason.text(found: list.found))"]
      for path in reason.paths {
        lines.append("  theirs: \(path)")
        if let ours = neighbours[path] { lines.append("  ours:   \(ours)") }
      }
      return lines.map(Shown.harmless)
    }
    let crate = list.isNew ? "the new crate \(list.crate)" : "the crate \(list.crate)"
    let isThere = !list.albums.isEmpty && list.albums.allSatisfy(\.isInCrate)
    let albums = Shown.count(list.albums.count, "album")
    let head =
      list.albums.isEmpty
      ? "brings no album in"
      : isThere
        ? "brings nothing new, since \(albums) of it \(list.albums.count == 1 ? "is" : "are") in"
          + " \(list.crate) already" : "becomes \(crate)"
    var lines = section(
      "also in other lists",
      list.claimed.compactMap { claim in
        let others = claim.lists.filter { $0 != claim.winner }.map { "“\($0)”" }
        // Lists with equal names become one crate.
        if others.isEmpty { return nil }
        return "\(claim.album.label): goes with “\(claim.winner)”, not with"
          + " \(others.joined(separator: ", "))"
      }, terminal)
    lines += section(
      "left out, since the list has less than half of it (--any takes it)",
      list.left.map { "\($0.album.label): \($0.reason)" }, terminal)
    lines += section("not found", list.missing.map { "\($0.label): \($0.tried)" }, terminal)
    // The table escapes its cells itself, and contains styles.
    let table = isThere ? [] : table(of: list.albums, terminal)
    return [Shown.harmless("“\(list.name)” \(head): \(count)")] + table + lines.map(Shown.harmless)
  }

  private func table(of albums: [ImportPlan.Album], _ terminal: Terminal) -> [String] {
    var table = Table([
      .number(""), .name("Album"), .name("Artist"), .number("Songs"), .name(""),
    ])
    var position = 0
    for entry in albums {
      if !entry.isInCrate { position += 1 }
      let place = entry.isInCrate ? "" : "\(position)"
      let from = entry.isInCrate ? "is there, and stays" : "from \(entry.album.crate)"
      let remark = entry.songs.isEmpty ? from : "\(from), its songs in the list's order"
      table.add(
        [
          place, entry.album.title, entry.album.artist, "\(entry.listed)/\(entry.album.songs)",
          remark,
        ], isDim: entry.isInCrate)
    }
    return table.lines(for: terminal)
  }

  private func section(
    _ heading: String, _ entries: [String], _ terminal: Terminal
  ) -> [String] {
    if entries.isEmpty { return [] }
    return ["  \(heading):"] + some(entries, "one", terminal).map { "    \($0)" }
  }

  private func some(_ lines: [String], _ one: String, _ terminal: Terminal) -> [String] {
    guard terminal.isTerminal, lines.count > Self.shownMost + 1 else { return lines }
    let more = lines.count - Self.shownMost
    return lines.prefix(Self.shownMost) + ["and \(Shown.count(more)) more (--json tells all)"]
  }
}

extension KnownAlbum {
  fileprivate var label: String { artist.isEmpty ? title : "\(title) by \(artist)" }
}

extension ImportPlan.MissingSong {
  fileprivate var label: String {
    let artist = song.artist.isEmpty ? song.albumArtist : song.artist
    let name = artist.isEmpty || song.title.isEmpty ? song.title : "\(song.title) by \(artist)"
    if song.path.isEmpty { return name.isEmpty ? "a song of which the list says nothing" : name }
    return name.isEmpty ? song.shownPath : "\(name) (\(song.shownPath))"
  }
}
