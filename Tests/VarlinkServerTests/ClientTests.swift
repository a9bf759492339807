import CratesInterface
import Glibc
import Platform
import TestSupport
import Testing
import VarlinkClient
import VarlinkServer

/// What our own client does with a server that isn't as it should be.
@Suite("The client", .limited)
struct ClientTests {
  @Test("Whoever waits for the beginning of an answer is told once, and gets the answer")
  func late() throws {
    let waiting = Waiting()
    let fixture = try ServerFixture(answering: waiting.take)
    let told = Monitor(0)
    let texts = Monitor<[String]>([])
    let path = fixture.path
    let caller = BlockingThread("caller") {
      let lateness = VarlinkClient.Lateness(milliseconds: 10) { told.withLock { $0 += 1 } }
      do throws(ClientError) {
        var client = try VarlinkClient(path: path, lateness: lateness)
        try client.eachReply(to: .readText(crate: nil)) { reply in
          texts.withLock { $0.append(reply["text"]?.string ?? "") }
          return true
        }
      } catch {
        Issue.record("\(error)")
      }
    }
    let answer = try waiting.next().answer
    let end = Patience.end
    #expect(told.wait(until: end) { $0 == 1 ? true : nil } == true)
    // One batch has come, so the next may take its time.
    for number in 1...3 {
      answer.reply(.text("\(number)", sequence: 1), continues: true)
      let count: Bool? = texts.wait(until: end) { $0.count == number ? true : nil }
      #expect(count == true)
    }
    answer.reply(.text("4", sequence: 1))
    caller.join()
    #expect(texts.withLock { $0 } == ["1", "2", "3", "4"])
    #expect(told.withLock { $0 } == 1)
  }

  @Test("Where no connection more can wait it says so, in time")
  func crowded() throws {
    let directory = try ServerFixture.temporaryDirectory()
    defer { ServerFixture.remove(directory) }
    let (path, descriptor) = try RawListener.make(at: "\(directory)/socket", backlog: 0)
    defer { close(descriptor) }
    let first = try RawClient(path: path)
    var refusal: ClientError?
    do throws(ClientError) {
      _ = try VarlinkClient(path: path, connectMilliseconds: 20)
    } catch {
      refusal = error
    }
    #expect(refusal.map { "\($0)" } == "too many connections wait for crated")
    withExtendedLifetime(first) {}
  }

  @Test("An answer that breaks off is told as that, and not as an end of the daemon")
  func brokenOff() throws {
    let waiting = Waiting()
    let fixture = try ServerFixture(answering: waiting.take)
    let path = fixture.path
    let message = Monitor("")
    let caller = BlockingThread("caller") {
      do throws(ClientError) {
        var client = try VarlinkClient(path: path)
        try client.eachReply(to: .readText(crate: nil)) { _ in true }
      } catch {
        message.withLock { $0 = "\(error)" }
      }
    }
    let answer = try waiting.next().answer
    answer.reply(.text("1", sequence: 1), continues: true)
    answer.drop()
    caller.join()
    #expect(
      message.withLock { $0 } == "crated closed the connection before its answer was complete")
  }
}
