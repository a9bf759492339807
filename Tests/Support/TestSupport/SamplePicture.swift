/// The pictures that fuzzing begins with: `jpeg`, `png` and others have red and green above blue
/// and white, 40 by 20 pixels.
package enum SamplePicture {
  /// The folder of them all.
  package static let folder = Repository.path("Fuzz/Corpus/pictures")

  package static func bytes(_ name: String) throws -> [UInt8] { try readFile("\(folder)/\(name)") }

  /// A song with an ID3 tag (id3.org/id3v2.3.0) that holds the picture as its cover.
  package static func inSong(_ picture: [UInt8], _ sound: [UInt8]) -> [UInt8] {
    let body = [0] + Array("image/jpeg".utf8) + [0, 3, 0] + picture
    let size = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: body.count >> $0) }
    let frame = Array("APIC".utf8) + size + [0, 0] + body
    let syncSafe = [21, 14, 7, 0].map { UInt8(frame.count >> $0 & 0x7F) }
    return Array("ID3".utf8) + [3, 0, 0] + syncSafe + frame + sound
  }
}
