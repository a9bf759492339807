"""What can happen in a life. A deed is decided by dice into plain words and numbers, which a log
keeps, and then done; a shortened history does the same again, as far as it still can."""
import collections

Deed = collections.namedtuple("Deed", "name weight choose do while_away")
DEEDS = {}


def deed(weight, choose, while_away=False):
    """Registers what is done. Its first line is what people call it."""
    def register(do):
        name = do.__name__.replace("_", "-")
        DEEDS[name] = Deed(name, weight, choose, do, while_away)
        return do
    return register


def some(dice, items, most=3):
    items = list(items)
    return sorted(dice.sample(items, min(len(items), dice.randint(1, most))))


def one_of(dice, items):
    items = list(items)
    return dice.choice(items) if items else None
