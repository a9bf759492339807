import LibraryModel

/// Groups the files that the library knows by directory.
enum KnownFiles {
  /// The files of one directory, sorted by name, with what the library knows of each.
  typealias Names = [(name: [UInt8], facts: FileFacts?)]

  /// Returns the files of one music folder, sorted by the paths of their directories.
  static func byFolder(
    _ files: [KnownFile], below root: BytePath
  ) -> [(folder: BytePath, files: Names)] {
    var places: [BytePath: Int] = [:]
    var folders: [(folder: BytePath, files: Names)?] = []
    for file in files {
      let beside = file.path.beside
      var place = places[beside]
      if place == nil {
        place = folders.count
        places[beside] = folders.count
        folders.append(file.path.relative(to: root).map { ($0.parent, []) })
      }
      if let place, !file.path.name.isEmpty {
        folders[place]?.files.append((file.path.name, file.facts))
      }
    }
    return folders.compactMap { folder in
      folder.map { folder, files in
        (folder, files.sorted { $0.name.lexicographicallyPrecedes($1.name) })
      }
    }.sorted { $0.folder < $1.folder }
  }
}
