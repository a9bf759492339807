import LibraryModel

/// The files that the library knows, by the directories that they lie in.
enum KnownFiles {
  /// Files of one directory in the order of their names, with what the library knows of each.
  typealias Names = [(name: [UInt8], facts: FileFacts?)]

  /// Those of one music folder, in the order of their directories' paths.
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
