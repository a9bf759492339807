import Glibc
import Platform

/// What is left of an object's parts after its end: a thread that was not ended keeps those that
/// it works with.
package struct Remains {
  private struct Part {
    let name: String
    weak var object: AnyObject?
  }

  private var parts: [Part] = []

  package init() {}

  /// Notes the object and its properties that are objects, without keeping any.
  package mutating func note(_ object: AnyObject, as name: String) {
    parts.append(Part(name: name, object: object))
    for child in Mirror(reflecting: object).children {
      guard let label = child.label, type(of: child.value) is AnyObject.Type else { continue }
      parts.append(Part(name: "\(name).\(label)", object: child.value as AnyObject))
    }
  }

  package var count: Int { parts.count }

  /// The names of those that are still there, where some don't go while a test may wait.
  package var left: [String] {
    _ = happensInTime { parts.allSatisfy { $0.object == nil } }
    return parts.filter { $0.object != nil }.map(\.name)
  }
}
