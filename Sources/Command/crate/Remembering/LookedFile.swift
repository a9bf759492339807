/// The file with the sequence of the last change that the user has seen: a number in a line.
struct LookedFile {
  private let file: StateFile

  /// More bytes than the number of any change has.
  private static let bytesMost = 32

  /// - Parameter folder: Nil if there is no place for the file.
  init(in folder: String? = StateFolder.path) { file = StateFile("looked", in: folder) }

  /// Nil if nothing was seen yet.
  var sequence: Int? { Int(file.read(most: Self.bytesMost).prefix { $0.isNumber }) }

  /// Stores the sequence. If that fails, the next run starts from the former one.
  func write(_ sequence: Int) { file.write("\(sequence)\n") }
}
