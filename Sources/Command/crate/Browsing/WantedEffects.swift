import Browsing

/// What the browser wants of the daemon and nobody has begun yet. It stays short however long the
/// daemon takes: of what is looked at, only the last matters, and the browser bounds its edits.
struct WantedEffects: Sendable {
  private var effects: [Effect] = []
  /// Of a key that is held down; nobody means more.
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
