/// Where it is kept up to which change the person has looked: a number in a line.
struct LookedFile {
  private let file: StateFile

  /// No change has a number of so many digits.
  private static let bytesMost = 32

  /// - Parameter folder: nil where there is no place for it.
  init(in folder: String? = StateFolder.path) { file = StateFile("looked", in: folder) }

  /// Nil where nobody looked yet.
  var sequence: Int? { Int(file.read(most: Self.bytesMost).prefix { $0.isNumber }) }

  /// What can't be kept is asked for again the next time.
  func write(_ sequence: Int) { file.write("\(sequence)\n") }
}
