import LibraryModel

extension Away {
  /// Returns the music folder that contains the path; nil if none does.
  func folder(of path: BytePath) -> BytePath? { placeOfFolder(of: path).map { folders[$0] } }

  /// Returns the index of that folder among the music folders.
  func placeOfFolder(of path: BytePath) -> Int? { folders.firstIndex { path.isInside($0) } }
}
