"""What happens to drives, and to the daemon."""
import os

import judge
from deeds import deed, one_of
from life import Broken, Skip


def need_mounts(life):
    if not life.place.can_mount:
        raise Skip("nothing can be mounted here")


def choose_nothing(life, dice):
    return {}


@deed(0, choose_nothing)
def drive(life):
    """The music folder is a drive of its own; only before anything else."""
    need_mounts(life)
    if life.home.is_running or life.songs or life.drive:
        raise Skip("too late")
    life.home.run("truncate", "-s", "300M", "drive.img")
    life.home.run("mkfs.ext4", "-q", "drive.img")
    life.home.mount("-o", "loop", "drive.img", "Music")
    life.home.run("mkdir", "-p", "elsewhere")
    life.drive = "drive.img"


def choose_leave(life, dice):
    if life.believed or life.covered:
        return None
    return dict(how="unmount" if life.drive else "rename")


@deed(3, choose_leave)
def leave(life, how):
    """The music folder goes: unplugged, or renamed. It is changed elsewhere."""
    if life.believed or life.covered or (how == "unmount") != bool(life.drive) or life.copies:
        raise Skip("it can't go now")
    life.settle()
    if how == "unmount":
        life.home.unmount("Music")
        life.home.mount("-o", "loop", life.drive, "elsewhere")
        life.root = "elsewhere"
    else:
        life.home.run("mv", "Music", "Away")
        life.root = "Away"
    life.believed = life.order.copy()


def choose_return(life, dice):
    return life.believed and {}


@deed(5, choose_return, while_away=True)
def come_back(life):
    if not life.believed:
        raise Skip("it is there")
    if life.root == "elsewhere":
        life.home.unmount("elsewhere")
        life.home.mount("-o", "loop", life.drive, "Music")
    else:
        life.home.run("mv", "Away", "Music")
    known = life.believed.listed
    life.root, life.believed = "Music", None
    if life.home.is_running:
        life.confirm(known)
    else:
        life.known = life.known | known


def choose_cover(life, dice):
    artists = sorted({song.path.split("/")[0] for song in life.free_songs()})
    return artists and dict(artist=dice.choice(artists), filled=dice.random() < 0.4)


@deed(2, choose_cover)
def cover(life, artist, filled):
    """A new file system is mounted over one artist, perhaps with the same files on it."""
    need_mounts(life)
    life.need_folder()
    if life.covered or not life.in_folder(artist):
        raise Skip("one is enough")
    if any(song.path.startswith(artist + "/") and (song.archive or song.stash or song.twin_file)
           for song in life.songs.values()):
        raise Skip("some of it is out of reach")
    for song in life.in_folder(artist):
        life.here(song.number)
    life.settle()
    folder = os.path.join("Music", artist)
    if filled:
        life.home.run("cp", "-a", folder, "same")
    life.home.mount("-t", "tmpfs", "none", folder)
    if filled:
        life.home.run("cp", "-a", "same/.", folder)
        life.home.run("rm", "-r", "same")
        life.settle()
        life.home.unmount(folder)
        seen_without(life)
    else:
        life.covered, life.known = artist, set(life.order.listed)


def seen_without(life):
    """The files that were seen last went with what was mounted: what lies below must be seen as it
    was, or it is another album's by now where its folder makes the album (rules 4)."""
    life.settle()


def choose_uncover(life, dice):
    return life.covered and dict(artist=life.covered)


@deed(5, choose_uncover)
def uncover(life, artist):
    if life.covered != artist:
        raise Skip("nothing is covered")
    life.home.unmount(os.path.join("Music", artist))
    life.covered, life.is_unread = None, False
    # Deletions that wait for a moment when mounts change count as seen by nobody.
    if life.home.is_running:
        life.confirm(life.known)


def choose_blank(life, dice):
    return dict(with_files=dice.random() < 0.5)


@deed(1, choose_blank)
def blank(life, with_files):
    """Another drive is mounted over the music folder for a while, empty or with the same files."""
    need_mounts(life)
    life.need_folder()
    if life.covered or life.drive or life.copies:
        raise Skip("a drive is there")
    life.settle()
    if with_files:
        life.home.run("cp", "-a", "Music", "other")
        life.home.run("mkdir", "-p", "other")
        life.home.mount("--bind", "other", "Music")
        life.settle()
    else:
        life.home.mount("-t", "tmpfs", "none", "Music")
        life.believed = life.order.copy()
        try:
            life.settle()
        finally:
            life.believed = None
    life.home.unmount("Music")
    if with_files:
        life.home.run("rm", "-r", "other")
        seen_without(life)


def choose_trip(life, dice):
    song = one_of(dice, life.free_songs())
    return song and dict(folder=life.album_folder(song.path),
                         to=f"trip/{dice.choice('ÄBC')} {life.next_number()}",
                         sync=dice.random() < 0.5)


@deed(2, choose_trip)
def trip(life, folder, to, sync):
    """A folder is moved to another file system, and back under another name."""
    need_mounts(life)
    life.need_folder()
    from deeds_files import need_loose
    songs = need_loose(life, folder)
    if not life.is_free(to):
        raise Skip("the name is taken")
    if life.has_arrived:
        life.settle()
    life.leaving(songs)
    life.claim(songs)
    life.move_groups(songs)
    life.has_deleted = True
    life.home.run("mkdir", "-p", "memory")
    life.home.mount("-t", "tmpfs", "none", "memory")
    life.home.run("mv", os.path.join("Music", folder), "memory/it")
    if sync and life.home.is_running:
        life.home.sync()
    life.make_folder(os.path.dirname(to))
    life.home.run("mv", "memory/it", os.path.join("Music", to))
    life.home.unmount("memory")
    life.moved_folder(folder, to)


# The daemon.


@deed(3, choose_nothing, while_away=True)
def stop(life):
    """What follows happens while the daemon doesn't run."""
    if not life.home.is_running:
        raise Skip("it doesn't run")
    life.known = set(life.order.listed)
    life.home.stop()


@deed(2, choose_nothing, while_away=True)
def kill(life):
    """kill -9, at whatever it does at the moment."""
    if not life.home.is_running:
        raise Skip("it doesn't run")
    life.known = set(life.order.listed)
    life.home.kill()


@deed(3, choose_nothing, while_away=True)
def start(life):
    if life.home.is_running:
        raise Skip("it runs")
    life.start()


@deed(4, choose_nothing, while_away=True)
def sync(life):
    """A look in between, without a comparison."""
    if not life.home.is_running:
        raise Skip("it doesn't run")
    life.home.sync()


@deed(2, choose_nothing)
def rescan(life):
    if not life.home.is_running:
        raise Skip("it doesn't run")
    life.need_folder()
    life.home.tell("crate rescan")
    life.home.call("Rescan")


@deed(1, choose_nothing)
def restart(life):
    """Stop and start, with nothing between: nothing may have changed."""
    life.need_folder()
    life.settle()
    before = judge.sequence(life)
    life.home.stop()
    life.home.start()
    life.settle()
    if judge.sequence(life) != before:
        change = life.home.call("History", limit=1)["changes"][0]
        raise Broken("not idle", f"a restart changes: {change['summary']}")


@deed(1, choose_nothing)
def lose_index(life):
    """The index is deleted while the daemon doesn't run."""
    life.need_folder()
    life.settle()
    life.home.stop()
    life.is_unread = life.covered is not None
    life.home.run("rm", "-rf", life.home.environment["XDG_CACHE_HOME"])
    life.home.start()
    life.settle()
