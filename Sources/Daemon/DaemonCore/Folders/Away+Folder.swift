import LibraryModel

extension Away {
  /// The music folder that the path lies in; nil where it lies in none.
  func folder(of path: BytePath) -> BytePath? { placeOfFolder(of: path).map { folders[$0] } }

  /// Where among the music folders that one is.
  func placeOfFolder(of path: BytePath) -> Int? { folders.firstIndex { path.isInside($0) } }
}
