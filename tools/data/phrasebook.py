"""Make ``phrasebook.tsv.gz``: phrases that the Unicode CLDR says in English, French and Korean.

    pip install babel==2.19.0
    python -m tools.data.phrasebook

Babel carries the CLDR's locale data (licence Unicode-3.0). One line is one phrase: split, kind,
and its three wordings. What decides the split is the *combination* a phrase is made of (month and
day, number and unit, the set of names in a list), so a combination held out for the test was never
seen in training in any wording or order.
"""

import hashlib
import random
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Literal, NamedTuple

from babel import Locale
from babel.dates import format_date, format_skeleton, format_timedelta
from babel.lists import format_list
from babel.numbers import format_currency
from babel.units import format_unit

from tutor.data.files import FILES, pack

SEED = 2017
LOCALES = tuple(Locale.parse(code) for code in ("en", "fr", "ko"))
FIRST_DAY, DAYS = date(1950, 1, 1), 36_525  # one hundred years
ListStyle = Literal["standard", "or"]
LIST_STYLES: tuple[ListStyle, ...] = ("standard", "standard", "or")
DATES, MONTHS, LISTS, LONG_LISTS = 19_000, 1_200, 5_000, 500
COUNTS = range(1, 100)
TimeUnit = Literal["second", "minute", "hour", "day", "week", "month", "year"]
RELATIVE: dict[TimeUnit, int] = {
    "second": 1,
    "minute": 60,
    "hour": 3600,
    "day": 86_400,
    "week": 604_800,
}
RELATIVE |= {"month": 2_592_000, "year": 31_536_000}
UNITS = """
    angle-degree area-hectare area-square-kilometer area-square-meter
    consumption-liter-per-kilometer
    digital-bit digital-byte digital-gigabyte digital-kilobyte digital-megabyte digital-terabyte
    duration-century duration-day duration-decade duration-hour duration-millisecond
    duration-minute duration-month duration-second duration-week duration-year
    electric-ampere electric-ohm electric-volt energy-calorie energy-joule energy-kilowatt-hour
    frequency-hertz frequency-kilohertz length-centimeter length-foot length-inch length-kilometer
    length-light-year length-meter length-mile length-millimeter mass-gram mass-kilogram mass-ounce
    mass-pound mass-ton power-horsepower power-kilowatt power-watt pressure-hectopascal
    speed-kilometer-per-hour speed-meter-per-second speed-mile-per-hour temperature-celsius
    temperature-fahrenheit volume-bushel volume-cup volume-gallon volume-liter volume-milliliter
    volume-tablespoon volume-teaspoon
""".split()  # noqa: SIM905 (a list of 60 lines would say no more)
CURRENCIES = """
    AED ALL AMD AOA ARS AUD AZN BAM BBD BDT BGN BHD BMD BOB BRL BSD BTN BWP BYN BZD CAD CHF CLP CNY
    COP CRC CUP CZK DKK DOP DZD EGP ETB EUR FJD GBP GEL GHS GTQ HKD HNL HUF IDR ILS INR ISK JMD JOD
    JPY KES KGS KHR KRW KWD KZT LAK LBP LKR MAD MDL MKD MMK MNT MUR MXN MYR NAD NGN NIO NOK NPR NZD
    PEN PHP PKR PLN PYG QAR RON RSD RUB SAR SEK SGD THB TND TRY TWD TZS UAH UGX USD UYU UZS VND XAF
    ZAR
""".split()  # noqa: SIM905 (a list of 60 lines would say no more)
NOT_PLACES = {"XA", "XB", "ZZ"}  # the CLDR's test regions and "unknown region"


class Phrase(NamedTuple):
    """One line of the phrasebook."""

    split: str
    kind: str
    english: str
    french: str
    korean: str


def split_of(combination: str) -> str:
    """Put a combination into test (4 %), dev (2 %) or train (94 %), the same way for ever."""
    slot = int.from_bytes(hashlib.sha256(combination.encode()).digest()[:8], "big") % 50
    return {0: "test", 1: "test", 2: "dev"}.get(slot, "train")


def split_of_count(combination: str, count: int) -> str:
    """Like `split_of`, but a singular always trains: its form occurs with the number 1 alone."""
    return "train" if count == 1 else split_of(f"{combination} {count}")


def _phrase(split: str, kind: str, wordings: list[str]) -> Phrase:
    english, french, korean = (
        text.replace("\u00a0", " ").replace("\u202f", " ") for text in wordings
    )
    return Phrase(split, kind, english, french, korean)


def dates(rng: random.Random) -> Iterator[Phrase]:
    """Days, with and without the year or the day of the week; months with the year."""
    for number in rng.sample(range(DAYS), DATES):
        day = FIRST_DAY + timedelta(days=number)
        style = rng.choice(["full", "long", "long", "MMMMd"])
        if style == "MMMMd":
            wordings = [format_skeleton(style, day, locale=locale) for locale in LOCALES]
        else:
            wordings = [format_date(day, style, locale=locale) for locale in LOCALES]
        yield _phrase(split_of(f"date {day.month}-{day.day}"), "date", wordings)
    for number in range(MONTHS):
        day = date(FIRST_DAY.year + number // 12, number % 12 + 1, 1)
        wordings = [format_skeleton("yMMMM", day, locale=locale) for locale in LOCALES]
        yield _phrase(split_of(f"month {day.year}-{day.month}"), "month", wordings)


def relative_times() -> Iterator[Phrase]:
    """In five days, five days ago."""
    for unit, seconds in RELATIVE.items():
        for count in COUNTS:
            for sign in (1, -1):
                step = timedelta(seconds=sign * count * seconds)
                wordings = [
                    format_timedelta(
                        step,
                        unit,
                        threshold=1_000,
                        add_direction=True,
                        format="long",
                        locale=locale,
                    )
                    for locale in LOCALES
                ]
                yield _phrase(split_of_count(f"relative {unit}", count), "relative", wordings)


def measures() -> Iterator[Phrase]:
    """Five kilometres, five euros; singular and plural where a language has them."""
    for count in COUNTS:
        for unit in UNITS:
            wordings = [format_unit(count, unit, "long", locale=locale) for locale in LOCALES]
            yield _phrase(split_of_count(f"unit {unit}", count), "unit", wordings)
        for currency in CURRENCIES:
            wordings = [
                format_currency(
                    count, currency, locale=locale, format_type="name", currency_digits=False
                )
                for locale in LOCALES
            ]
            yield _phrase(split_of_count(f"money {currency}", count), "money", wordings)


def names() -> dict[str, list[tuple[str, ...]]]:
    """Return countries and languages named in at most three plain words in all three languages."""
    found: dict[str, list[tuple[str, ...]]] = {}
    taken: set[str] = set()
    for kind in ("territories", "languages"):
        tables = [getattr(locale, kind) for locale in LOCALES]
        codes = [code for code in sorted(tables[0]) if len(code) == 2 and code.isalpha()]
        rows = [tuple(t.get(c, "(") for t in tables) for c in codes if c not in NOT_PLACES]
        found[kind] = []
        for row in rows:
            plain = all("(" not in name and len(name.split()) <= 3 for name in row)
            if plain and row[0] not in taken:  # Nauru is a country and a language: one meaning each
                found[kind].append(row)
                taken.add(row[0])
    return found


def lists(rng: random.Random) -> Iterator[Phrase]:
    """Lists of one to six names, and some of eight, longer than any in training."""
    pool = names()
    for rows in pool.values():
        for row in rows:
            yield _phrase("train", "list1", list(row))
    sizes = [size for size in range(2, 7) for _ in range(LISTS)] + [8] * LONG_LISTS
    for size in sizes:
        rows = rng.sample(pool[rng.choice(["territories", "languages"])], size)
        style = rng.choice(LIST_STYLES)
        wordings = [
            format_list([row[i] for row in rows], style, locale=locale)
            for i, locale in enumerate(LOCALES)
        ]
        combination = ", ".join(sorted(row[0] for row in rows))
        split = "long" if size == 8 else split_of(f"list {combination}")
        yield _phrase(split, f"list{size}", wordings)


def phrases() -> list[Phrase]:
    """Make every phrase once, in a fixed order that groups like with like (it packs better)."""
    rng = random.Random(SEED)
    made = [*dates(rng), *relative_times(), *measures(), *lists(rng)]
    return sorted(set(made))


def rebuild() -> bytes:
    """Return the packed phrasebook as it is vendored."""
    return pack("".join("\t".join(phrase) + "\n" for phrase in phrases()))


if __name__ == "__main__":
    (FILES / "phrasebook.tsv.gz").write_bytes(rebuild())
