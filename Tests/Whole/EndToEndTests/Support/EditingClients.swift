import CratesInterface
import Platform
import ProgramSupport
import TestSupport
import Testing

/// Clients that edit at once, each until its share is done or the daemon is gone.
final class EditingClients {
  private static let share = 6

  private struct Work {
    var sent: [SentEdit] = []
    /// Clients that go on.
    var clients: Int
  }

  private let work: Monitor<Work>
  private let threads: [BlockingThread]

  /// - Parameter newest: the highest number of a change that is known so far.
  init(_ makers: [EditMaker], _ socket: String, newest: Int) {
    let work = Monitor(Work(clients: makers.count))
    self.work = work
    threads = makers.map { maker in
      BlockingThread("client") {
        Self.edit(maker, socket, newest, work)
        work.withLock { $0.clients -= 1 }
      }
    }
  }

  private static func edit(
    _ maker: EditMaker, _ socket: String, _ newest: Int, _ work: Monitor<Work>
  ) {
    var maker = maker
    guard let connection = try? RawClient(socket: socket) else { return }
    for _ in 0..<share {
      let edit = maker.next()
      let message: JSON = [
        "method": .string(edit.call.method.fullName), "parameters": edit.call.parameters,
      ]
      let bytes = message.bytes + [0]
      let place = work.withLock { work in
        let known = work.sent.compactMap(\.change?.sequence).max() ?? newest
        work.sent.append(SentEdit(edit: edit, newest: known))
        return work.sent.count - 1
      }
      guard connection.send(bytes) else { return }
      do {
        guard let reply = try connection.reply() else { return }
        let answer = try answer(reply, to: edit.call)
        work.withLock { $0.sent[place].answer = answer }
      } catch {
        Issue.record("\(error)")
        return
      }
    }
  }

  private static func answer(
    _ reply: JSON, to call: Call
  ) throws -> Result<Interface.Change, InterfaceError> {
    if let name = reply["error"]?.string {
      return .failure(InterfaceError(name: name, parameters: reply["parameters"]))
    }
    guard case .change(let change) = try Reply(to: call.method, json: reply["parameters"] ?? [:])
    else { throw WrongReply() }
    return .success(change)
  }

  /// Waits until there are so many answers, or the daemon is gone; false where neither comes.
  func wait(forAnswers count: Int) -> Bool {
    let deadline = Patience.end
    return work.wait(until: deadline) { work in
      work.clients == 0 || work.sent.count { $0.answer != nil } >= count ? () : nil
    } != nil
  }

  /// All that they sent in the end, in the order of sending.
  func end() -> [SentEdit] {
    for thread in threads { thread.join() }
    return work.withLock { $0.sent }
  }
}
