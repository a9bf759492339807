import LibraryModel
import SharedOrder

@testable import LibraryStore

/// What another machine says of the order, as it is and with a seal that fits. Whatever it is, it
/// orders and renames, and no more.
func fuzzMachines(_ input: [UInt8]) {
  let lines = SealedText.lines(of: input)
  let start = lines.dropLast().lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
  var sealed = Array(lines[..<start])
  SealedText.seal(&sealed)
  for bytes in [input, sealed] {
    if let order = try? MachineReader.order(bytes, now: now) { check(order) }
    if let state = try? MachineReader.state(bytes) {
      let text = MachineText.text(state)
      let again = try? MachineReader.state(text)
      require(again.map { MachineText.text($0) } == text, "what is remembered is read again")
    }
  }
}

/// In 2027, in milliseconds since 1970.
private let now: Int64 = 1_800_000_000_000

private func check(_ order: MachineOrder) {
  let text = MachineText.text(order)
  let again = try? MachineReader.order(text, now: now)
  require(again.map { MachineText.text($0) } == text, "an order is read as it was written")
  guard let machine = MachineID("0001".utf8) else { fatalError("a machine") }
  var table = OrderTable(beginning: shown, at: now, on: machine, newAlbums: nil)
  let names = table.crates.mapValues(\.name.value)
  table.join(order, with: shown)
  let isWhole = shown.albums.values.allSatisfy { table.albums[$0.id] != nil }
  require(isWhole, "every album has a place")
  do {
    let wish = table.written(for: shown, names: names)
    let decision = try shown.decide(wish, from: "other", newAlbums: nil)
    require(decision.library.albums.count == shown.albums.count, "every album is kept")
    require(decision.library.songs.count == shown.songs.count, "every song is kept")
    require(table.isOrder(of: decision.library), "the machines' order is the library's")
  } catch {
    fatalError("\(error)")
  }
}
