extension Interface {
  /// The text of org.varlink.service, which every Varlink service implements.
  package static let serviceDescription = #"""
    # What a Varlink service says about itself.
    interface org.varlink.service

    # Who made the service, which one it is, and the interfaces it has.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # The text of one of its interfaces.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # The service has no such interface.
    error InterfaceNotFound (interface: string)

    # The interface has no such method.
    error MethodNotFound (method: string)

    # The interface names the method, and the service does not have it.
    error MethodNotImplemented (method: string)

    # A parameter is unknown, missing, of another type or out of range.
    error InvalidParameter (parameter: string)

    # The client may not do that.
    error PermissionDenied ()

    # The method answers calls with "more" only.
    error ExpectedMore ()

    """#
}
