import Browsing

/// The queue of the browser's requests. It stays short however slow the daemon is: of requests for
/// what is shown only the last one counts, and the browser limits its edits.
struct WantedEffects: Sendable {
  private var effects: [Effect] = []
  /// The most control requests, for a key that is held down.
  private static let controlsMost = 16

  var isEmpty: Bool { effects.isEmpty }

  mutating func add(_ effect: Effect) {
    switch effect {
    case .songs: effects.removeAll { if case .songs = $0 { true } else { false } }
    case .control where effects.count >= Self.controlsMost: return
    case .play: effects.removeAll { if case .play = $0 { true } else { false } }
    case .list: if effects.contains(.list) { return }
    case .lookUp(let ids):
      for (place, other) in effects.enumerated() {
        guard case .lookUp(let others) = other else { continue }
        effects[place] = .lookUp(others + Set(ids).subtracting(others).sorted())
        return
      }
    default: break
    }
    effects.append(effect)
  }

  mutating func next() -> Effect? { effects.isEmpty ? nil : effects.removeFirst() }
}
