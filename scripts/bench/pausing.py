"""The row about listings whose readers pause: they must be whole, and nobody else wait for them."""
import random
import time

import processes
from daemon import RECEIVED, Client, Failure
from figures import Row, percentile, seconds, times, unmeasured

# More than there are threads that make listings.
PAUSING = 4
ROUNDS = 24
# The last ones pause for longer than anybody would think that a reader is still there.
LONG = 15
QUESTIONS = 150
RATIO = 1.2
# What the kernel and the daemon's queue hold of an answer is far less; a shorter one pauses
# nowhere.
LEAST = 1 << 20
LIST_SONGS = Client.message("ListSongs", more=True)


def paused_listing(place):
    """Somebody else asks before, while and after some readers pause, in each round."""
    what, bar = "beside listings that pause, p99; cut short", f"≤ {times(RATIO)} or noise; 0"
    before, during, after, cut = [], [], [], 0
    with place.daemon() as daemon:
        client = daemon.started()
        processes.wait_for_rest(daemon.pid)
        messages = questions(client)
        whole = Reader(daemon).rest()
        if len(whole) < LEAST:
            return unmeasured(what, f"a listing of {len(whole)} bytes never pauses", bar)
        songs, listed = client.call("Status")["status"]["songs"], whole.count(b'"uri":')
        if listed != songs:
            raise Failure(f"{listed} of {songs} songs were listed")
        for left in reversed(range(place.options.rounds or ROUNDS)):
            before += [client.timed(message) for message in messages]
            readers = [Reader(daemon) for _ in range(PAUSING)]
            during += [client.timed(message) for message in messages]
            time.sleep(0 if left else LONG)
            cut += sum(reader.rest() != whole for reader in readers)
            after += [client.timed(message) for message in messages]
    quiet, paused = percentile(before + after, 0.99), percentile(during, 0.99)
    halves = [percentile(half, 0.99) for half in (before, after)]
    ratio, noise = paused / quiet, max(halves) / min(halves)
    return Row(
        what, f"{seconds(paused)}; {cut}", bar, limit=seconds(quiet), ratio=times(ratio),
        met=cut == 0 and ratio <= max(RATIO, noise),
        notes=(
            f"{len(during)} questions beside {PAUSING} readers that pause in a listing of"
            f" {len(whole)} bytes, the last ones for {LONG} s; the limit is the same without them",
            f"{verdict(ratio, noise)}; the noise is that of p99 before and after them,"
            f" {seconds(halves[0])} and {seconds(halves[1])}"))


def verdict(ratio, noise):
    if ratio <= RATIO:
        return f"within {times(RATIO)}"
    return f"{'within' if ratio <= noise else 'beyond'} the noise, {times(noise)}"


def questions(client):
    """Some for each thread that answers."""
    dice = random.Random(1)
    albums = client.albums()
    return [
        message for _ in range(QUESTIONS) for message in (
            Client.message("Status"), Client.message("ListCrates"),
            Client.message("ListSongs", album=dice.choice(albums)["id"]))]


class Reader:
    """Somebody who asks for all songs, and reads no further than the beginning until told to."""

    def __init__(self, daemon):
        self.client = Client(daemon.socket_path)
        self.client.send(LIST_SONGS)
        self.begun = self.client.socket.recv(RECEIVED)

    def rest(self):
        """All that came; less than there is where the connection was closed."""
        pieces = [self.begun]
        # Not in the middle of a listing, and not in a title, where it would be escaped.
        while pieces[-1] and not self.is_whole(pieces):
            pieces.append(self.client.socket.recv(RECEIVED))
        self.client.close()
        return b"".join(pieces)

    @staticmethod
    def is_whole(pieces):
        end = b"".join(pieces[-2:])[-40:]
        return end.endswith(b"\0") and b'"continues":true' not in end


ROWS = {"paused-listing": paused_listing}
