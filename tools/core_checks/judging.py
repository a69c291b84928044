"""The computed answers of items of `judging`: their facts as data, and the answer that follows.

A function has the name of its item, and returns the answer.
"""

import datetime
import itertools
import math


def core_a504e152f2():
    """If version 4.2 appears on its new date, the team may publish version 4.3 on 30 March."""
    import datetime

    d = datetime.date(2026, 3, 10)
    assert d.weekday() == 1
    v42 = d + datetime.timedelta(days=7)
    v43 = datetime.date(2026, 3, 30)
    gold = str((v43 - v42).days >= 14 and v43.weekday() in (1, 3))
    return gold


def core_e2d194025a():
    """Mr. Haddad would have kept the eight-hour rule even if his blood had been taken at..."""
    supper = 23 * 60 + 15
    test = 24 * 60 + 7 * 60 + 30
    gold = str(test - supper >= 8 * 60)
    return gold


def core_8741b77773():
    """According to the timetable, the flight to Warsaw lasts five hours and a quarter."""
    dep = 13 * 60 + 20
    arr = 18 * 60 + 35 - 60
    gold = str(arr - dep == 315)
    return gold


def core_6dd886e4f6():
    """With the letter that she posted in April, Ms. Kowalczyk ends her lease on 30 June."""
    import datetime

    received = datetime.date(2026, 5, 2)
    start_month = received.month + 1
    end = datetime.date(2026, start_month + 2, 1) - datetime.timedelta(days=1)
    gold = str((end.month, end.day) == (6, 30))
    return gold


def core_e7de09c745():
    """The sample that contained 8 milligrams of oxygen per litre was measured a single t..."""
    order = ["A", "B", "D", "C"]
    oxygen = {order[0]: 11, order[-1]: 8}
    times = {"A": 1, "B": 2, "C": 1, "D": 2}
    x = [k for k in oxygen if oxygen[k] == 8][0]
    gold = str(times[x] == 1)
    return gold


def core_e4dae45833():
    """The Rovers are placed above the Comets in the table at this point of the season."""
    comets = 4 * 3 + 1
    rovers = 3 * 3 + 3
    gold = str(rovers > comets or (rovers == comets and 3 > 4))
    return gold


def core_22c5f97e7e():
    """For last year, the bank paid Kenji 360 euros of interest on his savings."""
    b = 12000
    interest = min(b, 10000) * 3 / 100 + max(0, b - 10000) * 1 / 100
    gold = str(interest == 360)
    return gold


def core_aca21287fd():
    """A Mixed wash with Eco that begins at 19:30 breaks the rules of the house."""
    start = 19 * 60 + 30
    end = start + 80 * 5 // 4
    gold = str(end > 21 * 60)
    return gold


def core_64e8c41d9d():
    """Mireille was entitled to enter the museum at half price when she bought the tickets."""
    now = 18 * 60 + 30
    close = 21 * 60
    gold = str(now >= close - 120)
    return gold


def core_eca59cbc60():
    """After the extra points were added, the exam score of Dmitri stood at 49."""
    score, sheets = 44, 7
    if sheets >= 7 and score >= 45:
        score += 5
    gold = str(score == 49)
    return gold


def core_e4f8861235():
    """The second paper round of this month was made on the 16th."""
    tuesdays = [1, 8, 15, 22, 29]
    holidays = [15]
    d = tuesdays[2]
    while d in holidays:
        d += 1
    gold = str(d == 16)
    return gold


def core_26e418dcf4():
    """Of the daily copies kept on Wednesday at noon, four contain the deleted file."""
    t = lambda day, h: day * 24 + h
    made, gone = t(5, 9), t(8, 16)
    now = t(10, 12)
    copies = [t(d, 2) for d in range(0, 11) if t(d, 2) <= now][-7:]
    gold = str(sum(made <= c < gone for c in copies) == 4)
    return gold


def core_cd5e25a099():
    """Of the three shifts that start on Wednesday, Pavel may take only the night shift."""
    end = 24 + 6
    starts = {"early": 24 + 6, "late": 24 + 14, "night": 24 + 22}
    ok = [s for s in starts if starts[s] - end >= 11]
    gold = str(ok == ["night"])
    return gold


def core_4852241f5c():
    """Valentina returned her headphones one day too late under the terms of the shop."""
    import datetime

    delivered = datetime.date(2026, 6, 3)
    last = delivered + datetime.timedelta(days=14)
    sent = datetime.date(2026, 6, 17)
    gold = str((sent - last).days == 1)
    return gold


def core_33fc068d4d():
    """No tray that was kept at 18 degrees was given any fertilizer."""
    trays = range(1, 7)
    light = {t: 16 if t % 2 else 8 for t in trays}
    temp = {t: 18 if t <= 3 else 24 for t in trays}
    fert = [t for t in trays if light[t] == 8 and temp[t] != 18]
    gold = str(not any(temp[t] == 18 for t in fert))
    return gold


def core_94e1da2c8c():
    """The results list gives Lucas a shorter net time than Nadia."""
    lucas = (11 * 60 + 58) - 9 * 60
    nadia = (12 * 60 + 4) - (9 * 60 + 10)
    gold = str(lucas < nadia)
    return gold


def core_d3b977b170():
    """None of the fees that Olumide paid for May had to be refunded."""
    fees = sum(max(1, p * 2 / 100) for p in (30, 200, 400)) + 2 * 4
    gold = str(not fees > 20)
    return gold


def core_ea780aac45():
    """The target at 08:45 on Thursday was lower than the target at 07:00."""

    def base(t):
        return 20 if 360 <= t < 510 or 1020 <= t < 1350 else 16

    def target(t):
        return base(t) + (3 if 480 <= t < 540 else 0)

    gold = str(target(525) < target(420))
    return gold


def core_718074cd53():
    """One of the jurors who could vote on 'Salt Roads' did not vote for it."""
    jury = 7
    barred = 2
    needed = 5
    gold = str(jury - barred > needed)
    return gold


def core_b6b36c8a4c():
    """Lorenzo's cancellation came too late, so half of his course fee was kept."""
    import datetime

    last = datetime.date(2026, 6, 1) - datetime.timedelta(days=30)
    gold = str(datetime.date(2026, 5, 2) > last)
    return gold


def core_1842ad77a8():
    """Without the cans, the deposits due to Mateusz add up to less than 2.30 euros."""
    plastic = [1.5] * 4 + [1] * 2
    cents = sum(25 if v > 1 else 15 for v in plastic) + 12 * 8
    gold = str(cents < 230)
    return gold


def core_91913b45a5():
    """The rule obliged Jun to take part in the calls of July."""
    start = 15 + 7
    gold = str(8 <= start <= 21)
    return gold


def core_6b45b3a46d():
    """As an administrator, Farid can give the approval that the current price list still..."""
    role = {"Farid": "admin", "Luis": "admin", "Bea": "editor", "Hong": "reviewer"}
    maker = "Farid"
    given = {"Luis"}
    can = {p for p in role if role[p] in ("admin", "reviewer") and p != maker and p not in given}
    gold = str("Farid" in can)
    return gold


def core_b7303dd56e():
    """Mr. Lindqvist could take a third tablet at 08:30 on Tuesday without going against ..."""
    taken = [8, 15]
    new = 24 + 8.5
    inside = [t for t in taken if new - t < 24]
    gold = str(new - taken[-1] >= 6 and len(inside) + 1 <= 2)
    return gold


def core_9b4878cac1():
    """The kilometres included in the rental were enough for the distance that was driven."""
    gold = str(3 * 200 >= 640)
    return gold


def core_739102e5b1():
    """Mr. Okafor owed the full 40 euros when he paid in April."""
    import datetime

    rejected = datetime.date(2026, 3, 29)
    paid = datetime.date(2026, 4, 6)
    n = (paid - rejected).days
    owed = 20 if n <= 10 else 40 if n <= 30 else 60
    gold = str(owed == 40)
    return gold


def core_123b3e338e():
    """That night, all three conditions held at the same time for less than three hours."""
    moon = 23 * 60 + 40
    wind = 25 * 60 + 10
    humid = 28 * 60
    span = humid - max(moon, wind)
    gold = str(span < 180)
    return gold


def core_ed80175e05():
    """After these two bookings, Kwame may book two more hours in the same week."""
    used = 1.5 + 1.5
    gold = str(used + 2 <= 4)
    return gold


def core_f3bf1b9fae():
    """With the deduction, the first invoice came to 2,037 euros."""
    goods, delivery = 2000, 100
    gold = str(goods * 97 // 100 + delivery == 2037)
    return gold


def core_e9c6cc603e():
    """Boris left his interview at 12:40."""
    import itertools

    ok = [
        p
        for p in itertools.permutations(["Ana", "Boris", "Chen", "Dario", "Esra"])
        if p.index("Chen") < p.index("Ana") < p.index("Boris")
        and p[4] == "Dario"
        and p[1] == "Esra"
    ]
    assert len(ok) == 1
    end = 9 * 60 + 60 * ok[0].index("Boris") + 40
    gold = str(end == 12 * 60 + 40)
    return gold


def core_519b4dd6c3():
    """With a first dose one week earlier, Eli would be protected on the day they leave."""
    import datetime

    first = datetime.date(2026, 5, 1) - datetime.timedelta(days=7)
    protected = first + datetime.timedelta(days=28 + 14)
    gold = str(protected <= datetime.date(2026, 6, 3))
    return gold


def core_85f7232a0e():
    """By the local calendar, Tevita and Sigrid landed on the same day of the week on whi..."""
    import datetime

    dep = datetime.datetime(2026, 5, 2, 23, 55)
    land = dep + datetime.timedelta(hours=8, minutes=50) - datetime.timedelta(hours=22)
    gold = str(land.date() == dep.date())
    return gold


def core_42fc166d7d():
    """When Mr. Dumont died, none of his grandchildren was too young to receive a part of..."""
    import datetime

    death = (2024, 3, 5)
    born = {
        "Manon": (1995, 1, 1),
        "Jules": (1999, 1, 1),
        "Noe": (2004, 1, 31),
        "Ines": (2006, 3, 6),
    }
    adult = [k for k, (y, m, d) in born.items() if (y + 18, m, d) <= death]
    gold = str(len(adult) == 4)
    return gold


def core_c20f7a1dd4():
    """After the evaporation, a litre of what was in the dish would contain 40 grams of s..."""
    salt = 0.5 * 20 + 0.25 * 60
    volume = 0.5 + 0.25 - 0.15
    gold = str(abs(salt / volume - 40) < 0.01)
    return gold


def core_4f55ce99cc():
    """The relay team was due five medals in all."""
    final = {"Ida", "Musa", "Ferran", "Rosa"}
    heat = (final - {"Rosa"}) | {"Keiko"}
    place = 3
    medals = len(final | heat) if place <= 3 else 0
    gold = str(medals == 5)
    return gold


def core_2e7ee8de8b():
    """For the camera alone, 800 euros are due to Aroha from the insurance."""
    gold = str(900 - 150 == 800)
    return gold


def core_09a0b3249d():
    """The recipe told Nour to bake her muffins at 180 degrees for 24 minutes."""
    temp, time = 180, 20
    fan, twelve = True, True
    if fan:
        temp -= 20
    if twelve:
        time += 4
    gold = str((temp, time) == (180, 24))
    return gold


def core_bb124e3493():
    """In the hall, Femi could hear no more than two of the four pieces from start to fin..."""
    starts = [0, 12, 60, 75]
    ends = [12, 40, 75, 115]
    arrive = 20
    enter = min(e for e in ends if e >= arrive)
    gold = str(sum(s >= enter for s in starts) <= 2)
    return gold


def core_51b5e130ef():
    """On 24 October, Siobhan was no longer entitled to keep the atlas at home."""
    import datetime

    due = datetime.date(2026, 10, 4) + datetime.timedelta(days=14 + 7)
    gold = str(datetime.date(2026, 10, 24) > due)
    return gold


def core_216b919295():
    """At ten in the morning, neither Mbali's car nor Joris's is admitted to the inner zone."""
    cars = {"Mbali": 4 + 1, "Joris": 3 + 1}
    hour = 10
    ok = [k for k, s in cars.items() if s >= 5 or (s == 4 and (hour >= 20 or hour < 6))]
    gold = str(not ok)
    return gold


def core_4c4b99f60b():
    """Every month Ayumi pays exactly 200 euros more than Stefan."""
    rooms = {"Ayumi": 20, "Rukia": 16, "Stefan": 12}
    pay = {k: 1200 * v / sum(rooms.values()) + 150 / 3 for k, v in rooms.items()}
    pay["Rukia"] -= 30
    pay["Ayumi"] += 15
    pay["Stefan"] += 15
    gold = str(pay["Ayumi"] - pay["Stefan"] == 200)
    return gold


def core_c6855d04af():
    """Lakshmi did not pass the course, since her final mark was below 10."""
    import math

    project = 15 - 2 * math.ceil(1.5)
    final = project * 40 + 8 * 35 + 12 * 25
    gold = str(final < 1000)
    return gold


def core_6e0b5b41b8():
    """At 08:00 on a Sunday, a sprinkler is permitted for the Ferreira family but not for..."""
    days = {0: {"Mon", "Wed", "Sat"}, 1: {"Tue", "Thu", "Sun"}}
    ok = lambda n, d, h: d in days[n % 2] and (6 <= h < 9 or 19 <= h < 22)
    gold = str(ok(27, "Sun", 8) and not ok(14, "Sun", 8))
    return gold


def core_38bab0bf71():
    """Matteo's two nights in Bergen are refunded without any deduction."""
    gold = str(130 <= 120)
    return gold


def core_885c372bcb():
    """On 20 May, the Duartes could make room for another device by removing the tablet b..."""
    import datetime

    removed_by_hand = [datetime.date(2026, 5, 3)]
    day = datetime.date(2026, 5, 20)
    gold = str(not any((d.year, d.month) == (day.year, day.month) for d in removed_by_hand))
    return gold


def core_77026d6e14():
    """On that Saturday, the rules allowed Tobi and his mother to be with Mr. Abara toget..."""
    day, hour = "Sat", 15
    visitors = [35, 8]
    ward = "2" if hour >= 13 else "ic"
    ok = len(visitors) <= 2 and 14 <= hour < 19 and (min(visitors) >= 12 or day in ("Sat", "Sun"))
    gold = str(ward == "2" and ok)
    return gold


def core_7e3bc8dea5():
    """On 5 February 2025, the company became free to destroy the invoice."""
    import datetime

    keep_until = datetime.date(2015 + 10, 12, 31)
    gold = str(datetime.date(2025, 2, 5) > keep_until)
    return gold


def core_3ac97a16e6():
    """According to the key, beetle 1 should be named as type O."""

    def key(spots, length, legs):
        if spots:
            return "K" if spots > 9 else "L"
        if length > 12:
            return "M"
        return "N" if legs == "green" else "O"

    gold = str(key(0, 12, "brown") == "O")
    return gold


def core_e3c538e36e():
    """Amir's opponent in the semi-final was the player with number 4."""
    w1 = [1, 4]
    w2 = [6, 2]
    opp = [x for x in w2 if x != 6][0]
    gold = str(opp == 4)
    return gold


def core_5345f2dd07():
    """Svetlana had paid back the whole loan by the end of December 2025."""
    months = [(y, m) for y in (2024, 2025) for m in range(1, 13)]
    skipped = {(2024, 3), (2024, 7)}
    paid = 500 * sum(k not in skipped for k in months)
    gold = str(paid >= 12000)
    return gold


def core_8e05fd56c3():
    """In week 7, it was the turn of flat B to clean the stairs."""
    order = ["ABCD"[(w - 1) % 4] for w in range(1, 13)]
    order[5], order[6] = order[6], order[5]
    gold = str(order[6] == "B")
    return gold


def core_12ca586d23():
    """It is not necessary to order more than two buses for all the people who will go on..."""
    import math

    pupils = 92
    adults = math.ceil(pupils / 12)
    gold = str(math.ceil((pupils + adults) / 48) == 2)
    return gold


def core_c33c283be2():
    """On Wednesday evening, 4 kilowatt-hours were left in the battery."""
    b = 0
    for p in (18, 24, 9):
        b = max(0, min(10, b + p - 15))
    gold = str(b == 4)
    return gold


def core_434dabeeca():
    """For ticket 71, an answer on Monday at 10:00 would have come too late."""
    friday = 18 - 16.5
    deadline = 8 + (4 - friday)
    gold = str(10 > deadline)
    return gold


def core_bd12e090be():
    """On 16 May, Leandro had waited long enough since March, but not since his tooth was..."""
    import datetime

    D = datetime.date
    day = D(2026, 5, 16)
    gold = str((day - D(2026, 3, 20)).days >= 56 and (day - D(2026, 5, 12)).days < 7)
    return gold


def core_c6c8ca55a6():
    """Before anything carried over is added, Marius had a right to 18 days for 2025."""
    full = 5
    years = lambda y, m, on: on - y - (0 if (m, 1) == (1, 1) else 1)
    base = 25 if years(2020, 3, 2025) < 5 else 30
    gold = str(base * 3 / full == 18)
    return gold


def core_ca52a2d194():
    """A free seat was not to be had for Priyanka at her first attempt."""
    free = [605 + 15, 612 + 15]
    taken = [624]
    t = 625
    gold = str(sum(f <= t for f in free) - sum(x <= t for x in taken) <= 0)
    return gold


def core_48a51b0507():
    """At the end of March, two more sessions were left to Nikolai."""
    used = 4 + (1 if 23 < 24 else 0)
    gold = str(6 - used == 2)
    return gold


def core_28c9b0d827():
    """Without its two stops, the bus was on the road for less than nine hours."""
    minutes = (2 * 60 + 7 * 60 + 30) + 60
    driving = minutes - 30 - 20
    gold = str(driving < 9 * 60)
    return gold


def core_30589f0afb():
    """From Milan to Vienna, the bus took ten and a half hours in all."""
    gold = str((24 - 22) + 7.5 + 1 == 10.5)
    return gold


def core_d866438f2c():
    """On 5 October of the same year, Ioana was still on probation."""
    import datetime

    D = datetime.date
    ill = (D(2026, 6, 20) - D(2026, 5, 10)).days + 1
    end = D(2026, 8, 31) + datetime.timedelta(days=ill if ill > 30 else 0)
    gold = str(D(2026, 10, 5) <= end)
    return gold


def core_a575c3037e():
    """At 0 degrees, lamp Q goes out sooner than lamp P does at 20 degrees."""
    P = 40
    Q = P * 5 / 4
    gold = str(Q * 9 / 10 < P)
    return gold


def core_818d7c2ac1():
    """Of these three riders, it was Joana who had the shortest total time in the end."""
    total = {"Joana": 0, "Mikkel": 8 - 7, "Tariq": 12 - 13}
    gold = str(min(total, key=total.get) == "Joana")
    return gold


def core_4a5b88ff5b():
    """In total time, Mikkel was still behind Joana at the end of the race."""
    gold = str(8 - 7 > 0)
    return gold


def core_b88840ab1a():
    """Between the two of them, cabin and food taken together, Bram owed Haakon 70 euros."""
    nights = [["H", "L"], ["H", "L", "B", "S"], ["H", "B"]]
    cabin = sum(120 / len(n) for n in nights if "B" in n)
    gold = str(cabin - 80 / 4 == 70)
    return gold


def core_58c594a78f():
    """At 18:00 on 4 June, the soup thawed the day before was still within its time."""
    thawed = 3 * 24 + 12
    now = 4 * 24 + 18
    gold = str(now - thawed <= 24)
    return gold


def core_96c9046bf4():
    """Olga would have saved 1 euro by seeing the same film on Tuesday."""
    monday = 6 + 2
    tuesday = 7 + 2
    gold = str(monday - tuesday == 1)
    return gold


def core_69d73280c3():
    """Olga's ticket on Monday was 2 euros cheaper than Sanjay's on Tuesday."""
    gold = str(10 - (6 + 2) == 2)
    return gold


def core_88d997763c():
    """After her late arrival, Maren could still write for 140 minutes."""
    end = 9 * 60 + 15 + 120 * 5 // 4
    gold = str(end - (9 * 60 + 25) == 140)
    return gold


def core_8c34856773():
    """Each of the three maples makes it necessary to plant two trees."""
    n = lambda c: 2 if c > 80 else 1 if c >= 40 else 0
    gold = str(3 * n(80) == 6)
    return gold


def core_54c5b88ba0():
    """The change did not receive as large a part of the votes as it needed."""
    votes_for, against = 28, 14
    gold = str(not 3 * votes_for >= 2 * (votes_for + against))
    return gold


def core_3732acef91():
    """At 14:00, there were as many cells in dish 1 as in dish 2."""
    d1 = 100 * 2 ** (60 // 20)
    d2 = 100 * 2 ** (180 // 60)
    gold = str(d1 == d2)
    return gold


def core_85993f17d4():
    """With her step on landing included, Mei's result was 9.1."""
    m = sorted([90, 92, 88, 94, 91])[1:4]
    result = sum(m) / 3 - 3
    gold = str(abs(result - 91) < 1e-9)
    return gold


def core_b11116353d():
    """Together with the fee, lot 12 cost Mr. Yamamoto 1,800 euros."""
    p = 1500
    cost = p + min(p, 1000) * 20 // 100 + max(0, p - 1000) * 10 // 100
    gold = str(cost == 1800)
    return gold
