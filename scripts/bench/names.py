"""Names for music that nobody made: artists, albums and titles with as many different words as a
collection of that size has, some of them not in Latin letters."""

COMMON = (
    "the of and a in to night love blue time day river heart fire light rain home road song moon "
    "sun star sea wind city dream stone gold silver winter summer morning evening street garden "
    "mirror train letter window shadow water snow glass paper iron velvet electric silent broken "
    "golden lost hidden little great long slow wild new old last first"
).split()
GIVEN = (
    "Ada Björn Chloé Dmitri Élodie Günther Håkon Ilse José Łucja Märta Niels Øyvind Renée Søren "
    "Tomáš Ulla Václav Wanda Yusuf Zoë Ben Clara Duke Etta Frank Grace Hank"
).split()
OTHER_SCRIPTS = [
    "Ночь Дождь Река Город Снег Ветер Солнце Дом Море Звезда".split(),
    "夜 雨 川 町 雪 風 海 星 月 花 夢 東京".split(),
    "νύχτα θάλασσα ήλιος φως δρόμος καρδιά".split(),
]
GENRES = (
    "Rock,Pop,Jazz,Classical,Electronic,Ambient,Folk,Metal,Hip-Hop,Soul,Blues,Reggae,Punk,Techno,"
    "Soundtrack,Drum & Bass,R&B"
).split(",")
SYLLABLES = (
    "ka lo mi ren sta vel dor an is ber gro tha nu fel mar ond ris el tor wen hal bri os qui zan "
    "pel ur ash lin kor"
).split()


def invented(dice):
    """One of tens of thousands of words."""
    return "".join(dice.choice(SYLLABLES) for _ in range(dice.choice((2, 2, 3)))).capitalize()


def word(dice):
    # A few words are in very many names, most are in few.
    if dice.random() < 0.6:
        return COMMON[min(int(dice.expovariate(0.06)), len(COMMON) - 1)].capitalize()
    return invented(dice)


def phrase(dice, least=1, most=4):
    if dice.random() < 0.08:
        script = dice.choice(OTHER_SCRIPTS)
        return " ".join(dice.choice(script) for _ in range(dice.randint(1, 3)))
    return " ".join(word(dice) for _ in range(dice.randint(least, most)))


def artist(dice):
    kind = dice.random()
    if kind < 0.45:
        return f"{dice.choice(GIVEN)} {invented(dice)}"
    if kind < 0.75:
        return f"The {phrase(dice, 1, 2)}"
    return phrase(dice, 1, 3)


def title(dice):
    ending = dice.choice(["", "", "", "", "", " (Live)", " (Remastered)", ", Pt. 2", " [Demo]"])
    return phrase(dice) + ending


def file_name(text):
    """What can be a file's name of it."""
    name = text.replace("/", "_").strip().lstrip(".") or "_"
    return name.encode()[:180].decode(errors="ignore").rstrip()


def musicbrainz(dice):
    digits = f"{dice.getrandbits(128):032x}"
    groups = digits[:8], digits[8:12], "4" + digits[13:16], "a" + digits[17:20], digits[20:]
    return "-".join(groups)
