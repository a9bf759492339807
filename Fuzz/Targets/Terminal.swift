import Terminal

/// What a terminal sends: however it is cut, it means the same, and Escape gets out of anything.
func fuzzTerminal(_ input: [UInt8]) {
  var whole = InputDecoder()
  let events = whole.feed(input)
  var one = InputDecoder()
  require(input.flatMap { one.feed([$0]) } == events, "the cut makes no difference")
  require(one.patience == whole.patience, "the cut makes no difference")
  require(events.count <= input.count, "no event comes of nothing")
  _ = whole.feed("\u{1B}[201~\u{1B}".utf8)
  _ = whole.rest()
  require(whole.feed("j".utf8) == [.key(.character("j"))], "Escape gets out of anything")
  // As text it steers no terminal.
  var grid = Grid(columns: 20, rows: 2)
  grid.put(String(decoding: input, as: UTF8.self), row: 0, column: 0)
  var painter = Painter(depth: .mixed)
  let bytes = painter.paint(grid)
  require(
    bytes.split(separator: 0x1B).dropFirst().allSatisfy { $0.first == UInt8(ascii: "[") },
    "no text steers a terminal")
}
