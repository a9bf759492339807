import LibraryModel

extension Away {
  /// The music folder that the path lies in; nil where it lies in none.
  func folder(of path: BytePath) -> BytePath? { folders.first { path.isInside($0) } }
}
