/// The pictures that fuzzing begins with: `jpeg`, `png` and others have red and green above blue
/// and white, 40 by 20 pixels.
package enum SamplePicture {
  /// The folder of them all.
  package static let folder: String = {
    let repository = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return "/\(repository)/Fuzz/Corpus/pictures"
  }()

  package static func bytes(_ name: String) throws -> [UInt8] { try readFile("\(folder)/\(name)") }
}
