extension WebServer {
  /// The files of the folder `Page`, by name.
  static var page: [String: [UInt8]] {
    [
      "app.css": PackageResources.app_css, "app.js": PackageResources.app_js,
      "commands.js": PackageResources.commands_js, "dialogs.js": PackageResources.dialogs_js,
      "door.js": PackageResources.door_js, "drag.js": PackageResources.drag_js,
      "icon.svg": PackageResources.icon_svg, "index.html": PackageResources.index_html,
      "keys.js": PackageResources.keys_js, "link.js": PackageResources.link_js,
      "manifest.webmanifest": PackageResources.manifest_webmanifest,
      "model.js": PackageResources.model_js, "side.js": PackageResources.side_js,
      "view.js": PackageResources.view_js,
    ]
  }
}
