"""The row about what a change costs where there are more songs."""
import os
import shutil
import time

import processes
from changing import APART, EDITS, Editor, Watcher, rename_and_wait
from figures import Row, alternating, median, seconds, times

GROWTH = 1.2


def growth(place):
    """Edits and arrivals here and in a library an eighth as large, alternating."""
    small_folder = place.small_music()
    paths = place.copies()
    folder, folders = place.arrivals()
    small_arrivals = os.path.join(small_folder, os.path.basename(folder))
    shutil.rmtree(small_arrivals, ignore_errors=True)
    os.makedirs(small_arrivals)
    try:
        with place.daemon(folders, "large") as large, \
                place.daemon([small_folder], "small") as small:
            for daemon in (large, small):
                daemon.started()
            for daemon in (large, small):
                processes.wait_for_rest(daemon.pid)
            editors = Editor(large), Editor(small)
            edits = alternating(EDITS, large=editors[0].move_album, small=editors[1].move_album)
            copies = arrivals_in_both(paths, (folder, large), (small_arrivals, small))
            sizes = [editor.client.call("Status")["status"]["songs"] for editor in editors]
    finally:
        shutil.rmtree(small_arrivals, ignore_errors=True)
    ratios = [median(taken["large"]) / median(taken["small"]) for taken in (edits, copies)]
    shown = [
        f"{seconds(median(taken['large']))} against {seconds(median(taken['small']))}"
        for taken in (edits, copies)
    ]
    return Row(
        "a change in a library 8 × as large", f"edit {times(ratios[0])}, copy {times(ratios[1])}",
        f"≤ {times(GROWTH)}", met=max(ratios) <= GROWTH,
        notes=(f"{sizes[0]} and {sizes[1]} songs; edit {shown[0]}, copy {shown[1]}",))


def arrivals_in_both(paths, *places):
    watchers = [Watcher(daemon) for _, daemon in places]
    taken = {"large": [], "small": []}
    pairs = zip(paths[0::2], paths[1::2])
    for number, pair in enumerate(pairs):
        works = list(zip(pair, taken, places, watchers))
        # After the pause the first one finds everything cold: each is that as often.
        for path, name, (folder, _), watcher in works if number % 2 else reversed(works):
            target = os.path.join(folder, f"{number} {os.path.basename(path)}")
            taken[name].append(rename_and_wait(path, target, watcher))
        time.sleep(APART)
    for watcher in watchers:
        watcher.close()
    return taken


ROWS = {"growth": growth}
