import LibraryModel

/// The directories of the catalogue that hold exactly the files that the library knows there, with
/// the same facts. Usually all do, and then need no list of their own and no sorting.
struct Agreement {
  /// Whether each directory agrees, in the catalogue's order.
  private let isWhole: [Bool]
  /// The files of all other directories, including those that the catalogue lacks.
  let others: [KnownFile]

  /// - Parameter files: each once, in any order.
  init(of catalogue: Catalogue, with files: [KnownFile], below root: BytePath) {
    var homes: [BytePath: Catalogue.ID?] = [:]
    var counts = [(known: Int, same: Int)](repeating: (0, 0), count: catalogue.folders.count)
    let folders = files.map { file -> Catalogue.ID? in
      let beside = file.path.beside
      let home: Catalogue.ID?
      if let known = homes[beside] {
        home = known
      } else {
        home = file.path.relative(to: root).flatMap { catalogue.find($0.parent) }
        homes[beside] = .some(home)
      }
      if let home {
        counts[Int(home.index)].known += 1
        if catalogue.isAtRest(file.path.name, file.facts, in: home) {
          counts[Int(home.index)].same += 1
        }
      }
      return home
    }
    let isWhole = zip(counts, catalogue.folders).map { count, folder in
      count.same == count.known && count.same == folder.files.count
    }
    self.isWhole = isWhole
    others = zip(files, folders).compactMap { file, folder in
      folder.map { isWhole[Int($0.index)] } == true ? nil : file
    }
  }

  func isWhole(_ folder: Catalogue.ID) -> Bool { isWhole[Int(folder.index)] }
}
