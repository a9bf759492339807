extension Interface {
  /// One of the machines that share the same order.
  package struct Machine: WireStructure {
    package var name: String
    package var id: String
    /// Whether this is the local machine.
    package var here: Bool
    /// When the machine wrote its file that was last read.
    package var heard: String?
    package var version: Int
    /// The number of its albums that this machine doesn't have.
    package var elsewhere: Int
    package var problem: String?

    package init(
      name: String, id: String, here: Bool, heard: String? = nil, version: Int, elsewhere: Int = 0,
      problem: String? = nil
    ) {
      (self.name, self.id, self.here, self.heard) = (name, id, here, heard)
      (self.version, self.elsewhere, self.problem) = (version, elsewhere, problem)
    }

    package init(json: JSON) throws(FieldError) {
      let fields = try Fields(json)
      name = try fields.string("name")
      id = try fields.string("id")
      here = try fields.bool("here")
      heard = try fields.optional("heard", \.string)
      version = try fields.int("version")
      elsewhere = try fields.int("elsewhere")
      problem = try fields.optional("problem", \.string)
    }

    package var json: JSON {
      [
        "name": .string(name), "id": .string(id), "here": JSON(here), "heard": JSON(heard),
        "version": JSON(version), "elsewhere": JSON(elsewhere), "problem": JSON(problem),
      ]
    }
  }

  /// The machines that share the same order.
  package struct Machines: WireStructure {
    /// The local machine comes first.
    package var machines: [Machine]
    /// The folder of the machines' files; absent if none is set.
    package var folder: String?
    /// The share of these machines; absent if this machine shares nothing yet.
    package var share: String?
    /// Whether the user has to choose whose order counts.
    package var waiting: Bool

    package init(
      machines: [Machine] = [], folder: String? = nil, share: String? = nil, waiting: Bool = false
    ) {
      (self.machines, self.folder, self.share) = (machines, folder, share)
      self.waiting = waiting
    }

    package init(json: JSON) throws(FieldError) {
      let fields = try Fields(json)
      machines = try fields.structures("machines")
      folder = try fields.optional("folder", \.string)
      share = try fields.optional("share", \.string)
      waiting = try fields.bool("waiting")
    }

    package var json: JSON {
      [
        "machines": .array(machines.map(\.json)), "folder": JSON(folder), "share": JSON(share),
        "waiting": JSON(waiting),
      ]
    }
  }
}
