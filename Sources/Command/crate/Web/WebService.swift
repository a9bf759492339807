import CratesInterface
import VarlinkClient

/// A connection to `crated web`, with error messages for the user.
struct WebService: ~Copyable {
  private var client: VarlinkClient

  /// The time without a reply after which the user is told to wait, in milliseconds.
  private static let lateAfter: Int32 = 3_000

  /// Returns nil if no service listens at the socket.
  init?(path: String) throws(Failure) {
    let lateness = VarlinkClient.Lateness(milliseconds: Self.lateAfter) {
      Output.complain("crate: crated web does not answer yet")
    }
    do throws(ClientError) {
      client = try VarlinkClient(path: path, lateness: lateness)
    } catch .notRunning {
      return nil
    } catch {
      throw Failure(error)
    }
  }

  /// Connects to the running service.
  static func running(path: String) throws(Failure) -> WebService {
    guard let service = try WebService(path: path) else {
      throw Failure(
        status: .notRunning,
        message: "the page is not served; start it with: systemctl --user start crated-web")
    }
    return service
  }

  /// Returns the reply to a call, as it came.
  mutating func parameters(of call: WebCall) throws(Failure) -> JSON {
    do throws(ClientError) {
      return try client.parameters(toMethod: call.method.fullName, call.parameters)
    } catch {
      guard case .refused(let refusal) = error, let refusal = WebError(refusal) else {
        throw Failure(error)
      }
      throw .refused(Self.words(for: refusal))
    }
  }

  /// Returns a link that lets a browser in, with a warning for the user.
  mutating func link() throws(Failure) -> (url: String, warning: String?) {
    let parameters = try parameters(of: .link)
    guard case .link(let url, let warning) = try Self.reply(to: .link, parameters) else {
      throw .unreadable("it has no link")
    }
    return (url, warning)
  }

  static func reply(
    to method: WebCall.Method, _ parameters: JSON
  ) throws(Failure) -> WebReply {
    do throws(FieldError) {
      return try WebReply(to: method, json: parameters)
    } catch {
      throw .unreadable(error.description)
    }
  }

  private static func words(for error: WebError) -> String {
    switch error {
    case .noSuchCode: "no device shows that code; codes are good for ten minutes"
    case .noSuchDevice(let name):
      "no device is called “\(name)”; crate web --devices shows them"
    }
  }
}
