/// The table, printed line by line as it comes.
struct Report {
  private var figures: [Figure] = []
  private var isGrowthMet = true

  init() {
    print(line("what", "songs", "µs", "threshold", ""))
  }

  var isMet: Bool { isGrowthMet && figures.allSatisfy(\.isMet) }

  mutating func add(_ changes: Changes, _ songs: Int) {
    add(Changes.arrived, songs, changes.arrival, within: Threshold.arrival)
    add(Changes.edited, songs, changes.edit, within: Threshold.edit)
  }

  mutating func add(_ name: String, _ songs: Int, _ median: Double, within threshold: Double) {
    let figure = Figure(name: name, songs: songs, median: median, threshold: threshold)
    figures.append(figure)
    print(
      line(name, "\(songs)", shown(median), shown(threshold), figure.isMet ? "met" : "NOT MET"))
  }

  /// How much longer changes take in the larger libraries than in the smallest.
  mutating func compareGrowth() {
    for name in [Changes.arrived, Changes.edited] {
      let same = figures.filter { $0.name == name }
      guard let first = same.first else { continue }
      for figure in same.dropFirst() {
        let ratio = figure.median / first.median
        let isMet = ratio <= Threshold.growth
        isGrowthMet = isGrowthMet && isMet
        print(
          line(
            "growth: \(name)", "\(figure.songs)", "×" + shown(ratio), "×" + shown(Threshold.growth),
            isMet ? "met" : "NOT MET"))
      }
    }
  }

  private func shown(_ number: Double) -> String {
    if number >= 100 { return "\(Int(number.rounded()))" }
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private func line(
    _ name: String, _ songs: String, _ median: String, _ threshold: String, _ verdict: String
  ) -> String {
    func right(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    let name = name + String(repeating: " ", count: max(0, 50 - name.count))
    return "\(name)\(right(songs, 9))\(right(median, 12))\(right(threshold, 12))  \(verdict)"
  }
}
