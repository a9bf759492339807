// Answers every message that ends in NUL with itself, on a Unix socket, to one client after the
// other: what a round trip costs where nothing is done in between.
//
//   echo-socket PATH
#include <cstdio>
#include <cstring>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace {

bool sendAll(int client, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t sent = send(client, bytes, count, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes += sent;
    count -= size_t(sent);
  }
  return true;
}

void serve(int client) {
  static char message[64 * 1024];
  size_t held = 0;
  while (held < sizeof message) {
    ssize_t came = recv(client, message + held, sizeof message - held, 0);
    if (came <= 0) break;
    held += size_t(came);
    if (message[held - 1] != 0) continue;
    if (!sendAll(client, message, held)) break;
    held = 0;
  }
  close(client);
}

}  // namespace

int main(int count, char **arguments) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (count != 2 || std::strlen(arguments[1]) >= sizeof address.sun_path) {
    std::fputs("echo-socket PATH\n", stderr);
    return 64;
  }
  std::strcpy(address.sun_path, arguments[1]);
  int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (bind(server, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0 ||
      listen(server, 4) != 0) {
    std::perror("echo-socket");
    return 71;
  }
  while (true) {
    int client = accept4(server, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) return 71;
    serve(client);
  }
}
