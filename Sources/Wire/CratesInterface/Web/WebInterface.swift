/// The Varlink interface org.crated.Web, which `crated web` serves besides its page. `WebCall`,
/// `WebReply` and `WebError` are its methods, their replies and its errors.
package enum WebInterface {
  package static let name = "org.crated.Web"

  /// The text of org.crated.Web.varlink. A test checks that the two are equal.
  package static let description = #"""
    # The door of the page that `crated web` serves: who may come in. Only the user's own processes
    # reach the socket, org.crated.Web in $XDG_RUNTIME_DIR/crated.
    #
    # Clients must accept fields and errors that they don't know.
    interface org.crated.Web

    # A browser or an app on a home screen that has a key.
    # name: as it called itself when it came in. since: when that was, in seconds since 1970.
    type Device (name: string, since: int)

    # A link that lets in the browser that opens it: once, within 60 seconds.
    # warning: what a person should know of it, such as that others on the network can read along.
    method Link() -> (url: string, warning: ?string)

    # Lets in the device that shows these six digits. name: what it calls itself.
    method Allow(code: string) -> (name: string)

    # The devices that are in, in the order in which they came.
    method Devices() -> (devices: []Device)

    # Forgets the devices called so, or every device where the name is all. What they follow ends
    # at once.
    method Forget(name: string) -> (forgotten: int)

    # No device that waits shows these digits.
    error NoSuchCode ()
    error NoSuchDevice (name: string)

    """#
}
