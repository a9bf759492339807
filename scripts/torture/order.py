"""The order that a person made, as merge-rules.md says what becomes of it ("rules 4" is its section
4): lists of numbers, and nothing of Crated's own code. It knows nothing of how songs are recognised,
but only what happened to them: a song keeps its place, whatever a tool did to its file."""
import copy


class Album:
    def __init__(self, key, title, slots, age):
        self.key = key
        self.title = title
        # All places in the album, those of songs that are gone or live elsewhere by now too.
        self.slots = list(slots)
        self.arranged = False
        # The person moved it or something in it.
        self.touched = False
        # How many albums there were before it.
        self.age = age
        # Where each of its songs was before it came in, in the order of that album.
        self.origins = {}


class Crate:
    def __init__(self, name, albums=()):
        self.name = name
        self.albums = list(albums)


class Order:
    def __init__(self):
        self.crates = []
        self.albums = {}
        self.births = 0
        # The album that each song lives in.
        self.home = {}
        # Songs that are listed: their files are there, or away with their drive.
        self.listed = set()
        # Grows whenever the folder's doing changes which albums and songs there are, or in which.
        self.version = 0
        # What came in since the last comparison, where first sight decides which is above which.
        self.fresh_albums = []
        self.fresh_songs = {}
        # Albums and songs in them, where no rule says which place they have until they are seen.
        self.loose = set()

    def copy(self):
        return copy.deepcopy(self)

    # What is listed.

    def songs(self, key):
        """The songs of an album that are listed, in order."""
        return [one for one in self.albums[key].slots
                if self.home.get(one) == key and one in self.listed]

    def members(self, key):
        """The same with those that are gone."""
        return [one for one in self.albums[key].slots if self.home.get(one) == key]

    def is_listed(self, key):
        return any(self.home.get(one) == key and one in self.listed
                   for one in self.albums[key].slots)

    def listing(self):
        found = []
        for crate in self.crates:
            albums = [key for key in crate.albums if self.is_listed(key)]
            if albums:
                found.append((crate.name, albums))
        return found

    def is_first_moved_by(self, songs):
        """Whether another crate is the first one listed when these are there again."""
        first = next(iter(self.listing()), (None,))[0]
        for crate in self.crates:
            if crate.name == first:
                return False
            if any(songs.intersection(self.albums[key].slots) for key in crate.albums):
                return True
        return False

    def crate_of(self, key):
        return next(crate for crate in self.crates if key in crate.albums)

    # The folder's doing.

    def add_album(self, key, title, songs):
        """rules 4: on top of the first listed crate."""
        listed = [crate for crate in self.crates if any(map(self.is_listed, crate.albums))]
        if not self.crates:
            self.crates.append(Crate("Music"))
        target = listed[0] if listed else self.crates[0]
        self.albums[key] = self.born(key, title, songs)
        for song in songs:
            self.home[song] = key
            self.listed.add(song)
        target.albums.insert(0, key)
        self.fresh_albums.append(key)
        self.version += 1

    def born(self, key, title, songs):
        self.births += 1
        return Album(key, title, songs, self.births)

    def add_song(self, key, song):
        """rules 4: on top of an arranged album."""
        self.albums[key].slots.insert(0, song)
        self.home[song] = key
        self.listed.add(song)
        self.fresh_songs.setdefault(key, []).append(song)
        self.version += 1

    def drop_song(self, song):
        """It never was, or its place was given up."""
        key = self.home.pop(song, None)
        self.listed.discard(song)
        self.loose = {pair for pair in self.loose if pair[1] != song}
        for album in self.albums.values():
            if song in album.slots:
                album.slots.remove(song)
        if key is not None and not self.members(key) and not self.albums[key].touched:
            self.remove_album(key)
        self.version += 1

    def remove_album(self, key):
        for crate in self.crates:
            if key in crate.albums:
                crate.albums.remove(key)
        # An empty crate goes.
        self.crates = [crate for crate in self.crates if crate.albums]
        del self.albums[key]
        for other in (self.fresh_albums, self.fresh_songs):
            if key in other:
                other.remove(key) if isinstance(other, list) else other.pop(key)

    def split(self, songs, key, title):
        """rules 4: some songs of one album begin a new one, directly above it."""
        old = self.home[songs[0]]
        crate = self.crate_of(old)
        chosen = [one for one in self.albums[old].slots if one in songs]
        album = self.albums[key] = self.born(key, title, chosen)
        album.arranged = self.albums[old].arranged
        crate.albums.insert(crate.albums.index(old), key)
        for song in chosen:
            album.origins[song] = (old, list(self.albums[old].slots))
            self.home[song] = key
        self.version += 1

    def enter(self, songs, key):
        """rules 4: songs of another album are retagged to be of this one. In their order there."""
        old = self.home[songs[0]]
        before = list(self.albums[old].slots)
        album = self.albums[key]
        # Those that have their slots there stand in them, whatever becomes of the others.
        self.home.update((one, key) for one in songs if one in album.slots)
        for song in [one for one in before if one in songs and one not in album.slots]:
            self.home[song] = key
            album.origins[song] = (old, before)
            place = before.index(song)

            # Those that came by way of another album, too: seen at once they came from this one.
            def came_along(one):
                return self.home.get(one) == key and one in album.slots

            if any((old, one) in self.loose for one in before
                   if one == song or came_along(one)):
                self.loose.add((key, song))
            ahead = [one for one in reversed(before[:place]) if came_along(one)]
            behind = [one for one in before[place + 1:] if came_along(one)]
            # Beside one whose place is open, its own is.
            if any((key, one) in self.loose for one in (ahead or behind)[:1]):
                self.loose.add((key, song))
            if ahead:
                album.slots.insert(album.slots.index(ahead[0]) + 1, song)
            elif behind:
                album.slots.insert(album.slots.index(behind[0]), song)
            else:
                album.slots.insert(0, song)
        self.hand_over(old)
        self.version += 1

    def regroup(self, old, key, title):
        """All listed songs of an album get another group, which is a new album's: it is the same
        album, unless most of those that left it went elsewhere before."""
        self.split(self.songs(old), key, title)
        self.hand_over(old)

    def is_whole(self, key):
        """Whether all that leave it now are more than half of those that ever did."""
        return len(self.songs(key)) > len(self.left(key))

    def left(self, key):
        """Songs that have their slots in an album, and live elsewhere."""
        return [one for one in self.albums[key].slots
                if self.home.get(one, key) != key and one in self.listed]

    def heir(self, old):
        """The album that holds more than half of those that left an album by their tags and
        are there, if it may go on as that one."""
        left = [one for one in self.albums[old].slots
                if self.home.get(one, old) != old and one in self.listed]
        for key, album in self.albums.items():
            came = [one for one in left if self.home[one] == key]
            if 2 * len(came) > len(left):
                may = (album.age > self.albums[old].age and not album.touched
                       and 2 * len(came) >= len(self.songs(key)))
                return key if may else None
        return None

    def hand_over(self, old):
        """rules 4: songs left `old` by their tags; whether another album goes on as it."""
        if self.songs(old):
            return False
        new = self.heir(old)
        if new is None:
            if not self.albums[old].touched and not self.members(old):
                self.remove_album(old)
            return False
        arrivals = [one for one in self.members(new) if one not in self.albums[old].slots]
        for song in self.members(new):
            self.home[song] = old
            self.loose.discard((new, song))
        title = self.albums[new].title
        self.remove_album(new)
        self.albums[old].title = title
        self.albums[old].slots[:0] = arrivals
        if arrivals:
            self.fresh_songs.setdefault(old, []).extend(arrivals)
        return True

    # The person's doing.

    @staticmethod
    def moved(chosen, where, anchor, order, listed):
        """The order after the chosen ones went to a place; what is gone never moves by itself."""
        block = [one for one in order if one in chosen]
        rest = [one for one in order if one not in chosen]
        if where == "top":
            place = 0
        elif where == "bottom":
            place = len(rest)
        elif where == "before":
            place = rest.index(anchor)
        elif where == "after":
            place = rest.index(anchor) + 1
        else:
            # One step; of one thing only.
            shown = [one for one in order if one in listed]
            now = shown.index(block[0])
            if where == "up":
                if now == 0:
                    return list(order)
                place = rest.index(shown[now - 1])
            else:
                if now + 1 == len(shown):
                    return list(order)
                place = rest.index(shown[now + 1]) + 1
        return rest[:place] + block + rest[place:]

    @staticmethod
    def permuted(chosen, order):
        """These, in this order, in the slots that they hold."""
        following = iter(chosen)
        return [next(following) if one in chosen else one for one in order]

    def move_songs(self, key, chosen, where, anchor):
        # Slots of songs that live elsewhere move with nothing; no rule says where they end.
        album = self.albums[key]
        members = self.members(key)
        after = self.moved(chosen, where, anchor, members, self.listed)
        self.put_songs(key, after)
        album.touched = True

    def put_songs(self, key, after):
        # Songs that stay in their order, too, may have gone past the slots of others: to the top.
        album = self.albums[key]
        members = self.members(key)
        strangers = [one for one in album.slots if one not in members]
        self.loose.update((key, one) for one in strangers)
        if after != members:
            album.slots = after + strangers

    def sort_songs(self, key, sorted_songs):
        self.put_songs(key, self.permuted(sorted_songs, self.members(key)))
        self.albums[key].touched = True

    def move_albums(self, chosen, where, anchor, name):
        target = next((crate for crate in self.crates if crate.name == name), None)
        if target is None:
            target = Crate(name)
            self.crates.append(target)
        order = [key for crate in self.crates for key in crate.albums]
        block = [key for key in order if key in chosen]
        if where is None:
            # Without a place those that are there already stay.
            block = [key for key in block if key not in target.albums]
        for crate in self.crates:
            crate.albums = [key for key in crate.albums if key not in block]
        target.albums += block
        target.albums = self.moved(
            block, where or "top", anchor, target.albums, self.shown()) if block else target.albums
        self.crates = [crate for crate in self.crates if crate.albums]
        for key in chosen:
            self.albums[key].touched = True

    def shift_album(self, key, where):
        crate = self.crate_of(key)
        crate.albums = self.moved([key], where, None, crate.albums, self.shown())
        self.albums[key].touched = True

    def shown(self):
        return {key for key in self.albums if self.is_listed(key)}

    def sort_albums(self, chosen):
        """`chosen` in the wanted order; each crate by itself."""
        for crate in self.crates:
            own = [key for key in chosen if key in crate.albums]
            crate.albums = self.permuted(own, crate.albums)
        for key in chosen:
            self.albums[key].touched = True

    def move_crate(self, name, where, anchor):
        names = [crate.name for crate in self.crates]
        listed = {crate.name for crate in self.crates if any(map(self.is_listed, crate.albums))}
        after = self.moved([name], where, anchor, names, listed)
        self.crates = [next(c for c in self.crates if c.name == one) for one in after]

    def rename_crate(self, name, new):
        next(crate for crate in self.crates if crate.name == name).name = new

    def take_order_of(self, other, left):
        """Undo and redo, where no merge changed anything since: the order as it was. Songs that the
        step didn't move are where they are: some may have shown their places since."""
        listed, home, touched = self.listed, self.home, {
            key for key, album in self.albums.items() if album.touched}
        titles = {key: album.title for key, album in self.albums.items()}
        origins = {key: album.origins for key, album in self.albums.items()}
        then = other.copy()
        for key, album in then.albums.items():
            now, after = self.albums[key].slots, left.albums[key].slots
            if album.slots == after:
                album.slots = list(now)
            elif [one for one in now if home.get(one) == key] != [
                    one for one in after if home.get(one) == key]:
                # It followed its tags since. What the step moved goes back behind what was above
                # it, and the others stay as they are now; which ones it moved isn't known here.
                self.loose.update((key, one) for one in album.slots)
        self.crates, self.albums = then.crates, then.albums
        self.listed, self.home = listed, home
        for key, album in self.albums.items():
            album.touched = album.touched or key in touched
            album.title = titles[key]
            album.origins = origins[key]
            # No rule says where the slots of songs that live elsewhere go.
            self.loose.update((key, one) for one in album.slots if home.get(one) != key)
