import LibraryModel

extension World {
  /// Names whose keys a former version made otherwise, each in an album of its own, and an order of
  /// the person's.
  static func withFormerNames() throws -> World {
    var world = World()
    for (number, name) in formerNames.enumerated() {
      world.putAlbum(name, by: "\(name) band", tracks: 2, sound: number * 10 + 1, in: "t\(number)")
      world.put("a \(name)/1.mp3", sound: number * 10 + 5, title: "In \(number)", album: name)
      world.put("b \(name)/1.mp3", sound: number * 10 + 6, title: "Untagged \(number)")
    }
    let odd = root.appending([0x46, 0xC3, 0x2F] + Array("Cafe\u{301}".utf8) + [0x25, 0x31, 0xFF])
    world.files[odd.appending("x.mp3".utf8)] = File(sound: 9001, inode: 9001)
    let deep = (0..<12).map { "\($0) " + String(repeating: "Tschu\u{308}s", count: 12) }
    world.put("\(deep.joined(separator: "/"))/1.mp3", sound: 9002, title: "Deep")
    world.merge(firstScan: true)
    let albums = world.library.crates[0].albums.sorted()
    try world.edit(.moveAlbums([albums[0], albums[3]], .top, crate: "Cafe\u{301} Straße"))
    try world.edit(.moveAlbums([albums[5]], .top, crate: "ΟΔΟΣ İz"))
    return world
  }

  static let formerNames = [
    "Motorhead", "Mot\u{F6}rhead NFC", "Moto\u{308}rhead NFD", "s\u{307}\u{323}", "\u{212B}ngström",
    "Straße", "STRASSE 2", "\u{1E9E}", "İstanbul", "I\u{307}zmir", "Işık", "ISPARTA", "ﬁlm",
    "ΟΔΟΣ", "ᾴ", "Ꭰꮿ", "\u{1100}\u{1161}\u{11A8}", "\u{958}", " a\u{A0}b\u{3000}\tc ",
    "100% %41", String(repeating: "Long ", count: 300), String(repeating: "Чай", count: 300),
  ]
}
