"""The computed answers of items of `formats`: their facts as data, and the answer that follows.

A function has the name of its item, and returns the answer.
"""

import datetime
import fractions
import itertools
import math


def core_2508589991():
    """Mehmet reports to Carla, Carla reports to Dirk, and Dirk reports to Svetlana. Leav..."""
    boss = {"Mehmet": "Carla", "Carla": "Dirk", "Dirk": "Svetlana"}
    gold = boss[boss["Mehmet"]]
    return gold


def core_4eabcfb5ba():
    """A tablet is to be taken every second day, beginning on Monday 3 August. On what we..."""
    import datetime

    d = datetime.date(2026, 8, 3) + datetime.timedelta(days=6)
    gold = d.strftime("%A")
    return gold


def core_7ebd7e88c1():
    """Sample P is heavier than sample Q. Sample R is lighter than Q, and sample S is hea..."""
    w = {"R": 1, "Q": 2, "P": 3, "S": 4}
    gold = sorted(w, key=w.get)[-2]
    return gold


def core_07724c1483():
    """In the local league a win brings three points and a draw one. Ghent has five wins ..."""
    t = {"Ghent": (5, 0), "Bruges": (4, 4), "Namur": (3, 5)}
    gold = max(t, key=lambda k: 3 * t[k][0] + t[k][1])
    return gold


def core_030b2f0767():
    """Bank North asks for a yearly fee of 60 euros. Bank South takes 4 euros a month, an..."""
    c = {"Bank North": 60, "Bank South": 48, "Bank East": 56}
    gold = min(c, key=c.get)
    return gold


def core_a98eec222e():
    """Marks run from 1 (best) to 6 (worst). Aiko has a 2 in maths and a 3 in physics, Bi..."""
    m = {"Aiko": 5, "Bilal": 6, "Cleo": 6}
    gold = min(m, key=m.get)
    return gold


def core_ca5f65a891():
    """Three people share a house. Elena owns one half; Stefan owns one third; Bianca own..."""
    from fractions import Fraction as F

    s = F(1, 2) + F(1, 6)
    gold = "sold" if s > F(60, 100) else "kept"
    return gold


def core_3c5a4faeb4():
    """The eggs of species A hatch after 21 days, those of B after four weeks and those o..."""
    h = {"A": 21 * 24, "B": 28 * 24, "C": 600}
    gold = sorted(h, key=h.get)[1]
    return gold


def core_bb944c59aa():
    """An invoice dated 20 November is payable within 14 days. Hanna paid it on 3 Decembe..."""
    import datetime

    limit = datetime.date(2025, 11, 20) + datetime.timedelta(14)
    p = {"Hanna": datetime.date(2025, 12, 3), "Olof": datetime.date(2025, 12, 5)}
    gold = [k for k in p if p[k] > limit][0]
    return gold


def core_945df36e92():
    """Room plan: groups with more than 25 students use the hall, groups of 15 to 25 use ..."""
    n = 17 - 3
    gold = "hall" if n > 25 else "studio" if n >= 15 else "office"
    return gold


def core_c6108b60e5():
    """Blood was taken from four patients in alphabetical order of surname: Quinn, Abebe,..."""
    gold = sorted(["Quinn", "Abebe", "Moreau", "Larsen"])[2]
    return gold


def core_6b673f3e5f():
    """When it is 14.00 in Nairobi, it is 12.00 in Lagos and 16.30 in Mumbai. Three colle..."""
    off = {"Nairobi": 2, "Lagos": 0, "Mumbai": 4.5}
    gold = [c for c in off if 7 + off[c] == 11.5][0]
    return gold


def core_0199e14da2():
    """In the cycling race, Vargas finished two minutes before Keller. Keller finished on..."""
    t = {"Vargas": 0, "Keller": 2, "Tanaka": 1, "Rossi": 0.5}
    gold = sorted(t, key=t.get)[1]
    return gold


def core_9dee052608():
    """Shares of Alto cost 40 euros in May and rose by 10 percent in June. Shares of Brio..."""
    p = {"Alto": 44, "Brio": 45}
    gold = max(p, key=p.get)
    return gold


def core_6145c4eb4c():
    """A recipe says: 'Put in the onions first, then everything else in the order of cook..."""
    c = {"peas": 5, "potatoes": 20, "carrots": 12}
    o = ["onions"] + sorted(c, key=c.get, reverse=True)
    gold = o[2]
    return gold


def core_99038c76d1():
    """Support duty changes every Monday in the order Amara, Luca, Siew, Piotr, and then ..."""
    o = ["Amara", "Luca", "Siew", "Piotr"]
    o[2], o[3] = o[3], o[2]
    gold = o[(25 - 4) // 7]
    return gold


def core_7de9fd1285():
    """A backup is deleted when it is older than 10 days, unless it was made on the first..."""
    b = {"Ada": [1, 8, 12], "Bell": [5]}
    gold = [f"{d} March" for v in b.values() for d in v if 20 - d > 10 and d != 1 and d != max(v)][
        0
    ]
    return gold


def core_757887029e():
    """A course of antibiotics has fifteen tablets, one every eight hours. Nikos takes th..."""
    import datetime

    t = datetime.datetime(2025, 1, 7, 14) + datetime.timedelta(hours=8 * 14)
    gold = t.strftime("%A")
    return gold


def core_37af01e0d8():
    """A flight leaves Auckland on Saturday at 20.00 local time and takes 12 hours to Hon..."""
    import datetime

    t = datetime.datetime(2025, 3, 1, 20) + datetime.timedelta(hours=12 - 22 + 15)
    gold = t.strftime("%A")
    return gold


def core_85b68b0448():
    """A will of 2012 leaves the house to Ingrid. A will of 2016 revokes all earlier will..."""
    home = [(2019, "Porto"), (2021, "Lisbon")]
    at_death = [c for y, c in home if y <= 2020][-1]
    gold = "Paulo" if at_death == "Lisbon" else "Chidi"
    return gold


def core_7e4efd9571():
    """Four liquids were tested. Only the acid ones turn the paper red. Liquids 1 and 3 g..."""
    import itertools

    r = [
        c
        for c in itertools.product([0, 1], repeat=4)
        if sum(c) == 2 and c[0] == c[2] != c[1] and not c[3]
    ]
    r = [[i + 1 for i in range(4) if c[i]] for c in r]
    r = [x for x in r if x[1] - x[0] > 1]
    gold = f"liquid {r[0][1]}"
    return gold


def core_63e867c553():
    """Teams level on points are ranked by the result between them; only if that was a dr..."""
    t = {"Split": (20, 0, 15), "Turin": (20, 1, 9), "Gdynia": (19, 0, 22)}
    gold = sorted(t, key=t.get, reverse=True)[1]
    return gold


def core_6c7c6bee73():
    """A shop gives 20 percent off the dearest item, or 5 euros off each item, whichever ..."""
    s = {"Ulla": max(0.2 * 70, 15), "Bram": 25, "Ife": max(0.2 * 150, 10)}
    gold = max(s, key=s.get)
    return gold


def core_4e46278c2a():
    """Rent is paid in turns by Tariq, Freya and Milo, month by month in this order, star..."""
    o = ["Tariq", "Freya", "Milo"]
    months = [m for m in range(1, 13) if m != 4]
    gold = o[months.index(8) % 3]
    return gold


def core_d8fade3e87():
    """A festival was to show one film per evening from Monday to Friday: Amber, Basalt, ..."""
    p = dict(
        zip(["Mon", "Tue", "Wed", "Thu", "Fri"], ["Amber", "Basalt", "Cobalt", "Dune", "Ember"])
    )
    p["Thu"], p["Fri"], p["Sat"] = p.pop("Tue"), p["Thu"], p["Fri"]
    p["Fri"], p["Sat"] = p["Sat"], p["Fri"]
    gold = p["Sat"]
    return gold


def core_c016efc7e9():
    """To pass, a student needs at least 50 points in total and must not be below 10 in a..."""
    p = {"Kenji": (9, 30, 29), "Amelie": (20, 20, 9), "Goran": (8, 32, 30), "Tess": (9, 9, 60)}
    ok = lambda v: sum(v) >= 50 and (min(v) >= 10 or (sum(v) >= 70 and sum(x < 10 for x in v) == 1))
    gold = [k for k in p if ok(p[k])][0]
    return gold


def core_3ce72787de():
    """Wood may be burned in stoves except on days with a dust warning; on such days only..."""
    w = [1, 0, 1, 1, 0]
    d = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
    gold = [d[i] for i in range(1, 5) if w[i] and w[i - 1]][0]
    return gold


def core_28fade1366():
    """Bonus rule: everyone with at least 5 full years of service gets a bonus, except pe..."""
    p = {
        "Dalia": ((2019, 2, 1), None),
        "Owen": ((2020, 3, 1), None),
        "Rui": ((2015, 5, 1), (6, 15)),
        "Jana": ((2020, 10, 1), (8, 1)),
    }
    gold = [k for k, (s, l) in p.items() if s <= (2020, 1, 1) and (l is None or l > (6, 30))][0]
    return gold


def core_04464a91b2():
    """Version numbers are compared part by part as whole numbers, from left to right, an..."""
    v = ["2.9.4", "2.10.0-beta", "2.10.0", "2.8.12"]
    key = lambda s: ([int(x) for x in s.split("-")[0].split(".")], "-" not in s)
    gold = sorted(v, key=key)[-2]
    return gold


def core_ab77307d63():
    """In the waiting room, emergencies come first, then patients with an appointment in ..."""
    p = {"Marta": (540, 550), "Jin": (530, 546), "Sami": (None, 510), "Dora": (555, 525)}
    key = lambda k: (0, p[k][0]) if p[k][0] and p[k][1] - p[k][0] <= 15 else (1, p[k][1])
    gold = sorted(p, key=key)[2]
    return gold


def core_88f219b66d():
    """The bus calls at Elm, Forge, Garden and Hospital, in this order, and then goes bac..."""
    s = ["Elm", "Forge", "Garden", "Hospital", "Garden", "Forge"]
    gold = s[(48 // 6) % 6]
    return gold


def core_629cebe82a():
    """The notice period is one month, counted to the end of a calendar month, and a noti..."""
    months = ["August", "September", "October"]
    counted = 0 if 17 <= 15 else 1
    gold = months[counted + 1]
    return gold


def core_1650acf00e():
    """An experiment starts on 27 February 2023 (day 1) and is checked on day 1 and then ..."""
    import datetime

    d = datetime.date(2023, 2, 27) + datetime.timedelta(6)
    gold = f"{d.day} March"
    return gold


def core_a3e43d0e11():
    """Each of four judges gives points; the highest and the lowest are removed and the r..."""
    p = {
        "Arjun": [9, 7, 6, 6],
        "Beate": [8, 8, 5, 5],
        "Cyril": [10, 6, 6, 4],
        "Delphine": [7, 7, 7, 3],
    }
    gold = max(p, key=lambda k: sum(sorted(p[k])[1:-1]))
    return gold


def core_c9bfad883c():
    """Three loans of 1,000 euros for two years. Lender Koval adds 6 percent interest onc..."""
    c = {"Koval": 60, "Marsh": 1000 * 1.04**2 - 1000, "Ruiz": 72}
    gold = sorted(c, key=c.get)[1]
    return gold


def core_37cf6dda35():
    """Bulbs in the flat: the hall has two, the kitchen three, the study one. Every bulb ..."""
    r = {"hall": ["L", "L"], "kitchen": ["L", "L", "o"], "study": ["L"]}
    r["study"] = ["o"]
    r["hall"] = ["L", "o"]
    r["kitchen"] = ["L", "L", "L"]
    gold = [k for k in r if set(r[k]) == {"L"}][0]
    return gold


def core_86d5ce04ad():
    """In the choir, altos stand left of the tenors, basses right of the tenors and sopra..."""
    import itertools

    r = [
        p
        for p in itertools.permutations(["altos", "tenors", "basses", "sopranos"])
        if p.index("altos") < p.index("tenors") < p.index("basses")
        and p.index("sopranos") in (0, 3)
        and abs(p.index("sopranos") - p.index("altos")) > 1
    ]
    gold = r[0][0]
    return gold


def core_38c440c6d0():
    """Books returned late cost 20 cents a day. Days on which the library is closed (ever..."""
    import datetime as dt

    r = {"Ezra": (4, 30), "Linh": (5, 2), "Pavel": (5, 5), "Rosa": (5, 3)}

    def fee(m, d):
        x = dt.date(2025, 4, 28)
        n = 0
        while x < dt.date(2025, m, d):
            x += dt.timedelta(1)
            n += x.weekday() != 6 and (x.month, x.day) != (5, 1)
        return 20 * n

    gold = [k for k in r if fee(*r[k]) == 60][0]
    return gold


def core_a7c9134a5d():
    """Four towns report recycling rates. Delft recycles 3 of every 5 tonnes, Jena 58 per..."""
    r = {"Delft": 0.6, "Jena": 0.58, "Tartu": 0.61, "Braga": 7 / 12}
    r.pop("Tartu")
    gold = max(r, key=r.get)
    return gold


def core_6e2e9b2d18():
    """Two people named Silva work for the firm: Beatriz Silva signs contracts up to 5,00..."""
    v = 20000
    gold = "Anja" if v > 20000 else "Beatriz"
    return gold


def core_5eaac69f5c():
    """A password must be changed 90 days after the last change, at the latest, with the ..."""
    import datetime

    d = datetime.date(2025, 4, 1) + datetime.timedelta(90)
    while d.weekday() > 4:
        d -= datetime.timedelta(1)
    gold = f"{d.day} {d:%B}"
    return gold


def core_dac494b598():
    """Blood donors must be 18 to 65 years old, weigh more than 50 kilograms and have giv..."""
    p = {
        "Ilse": (65, 70, 63),
        "Omar": (61, 80, None),
        "Fatou": (30, 50, 365),
        "Viktor": (44, 90, 50),
    }
    ok = lambda a, w, d: 18 <= a <= 65 and w > 50 and (a < 60 if d is None else d > 56)
    gold = [k for k in p if ok(*p[k])][0]
    return gold


def core_ededa089ff():
    """Seats 1 to 40 are in the front coach, 41 to 80 in the rear one. Odd seats are at t..."""
    win = lambda n: (n % 2 == 1 and n % 5) or n in (40, 80)
    f = [n for n in (35, 38, 45, 80) if win(n)]
    gold = "front" if f[0] <= 40 else "rear"
    return gold


def core_5b7fe74c25():
    """A speed limit of 30 applies on Canal Street from 7.00 to 19.00 on school days and ..."""
    d = {"Adil": (45, 50), "Bea": (29, 30), "Cho": (31, 30), "Dag": (50, 50)}
    gold = [k for k in d if d[k][0] > d[k][1]][0]
    return gold


def core_54da7b33d9():
    """Bacteria in dish A double every 20 minutes, in dish B they triple every 40 minutes..."""
    n = {"A": 2**6, "B": 3**3, "C": 5**2}
    gold = min(n, key=n.get)
    return gold


def core_3abe6e0f20():
    """A club picks its captain from players older than 22 with at least 40 matches who h..."""
    p = {
        "Mensah": (23, 39, 0),
        "Ribeiro": (25, 61, 0),
        "Haugen": (24, 40, 1),
        "Popescu": (28, 90, 0),
        "Ito": (22, 75, 0),
    }
    ok = [k for k in p if p[k][0] > 22 and p[k][1] >= 40 and not p[k][2]]
    gold = min(ok, key=lambda k: p[k][0])
    return gold


def core_ed59d38afe():
    """The treasurer pays invoices on the due date, but if two fall on one day only the l..."""
    due = {1: [(300, "Northgas"), (200, "Printo")], 2: [(250, "Cleanly")], 3: [(100, "Datex")]}
    q = []
    paid = {}
    for d in range(1, 6):
        q += due.get(d, [])
        q.sort()
        if q:
            paid[d] = q.pop()[1]
    gold = paid[3]
    return gold


def core_6ccb57e2d8():
    """Paint: the bedroom was to be blue and the study grey. The couple then exchanged th..."""
    r = {"bedroom": "blue", "study": "grey"}
    r = {"bedroom": "grey", "study": "blue"}
    m = {"grey": "green", "blue": "white"}
    gold = m[r["bedroom"]]
    return gold


def core_0f10351798():
    """Museum entry is free for visitors under 18, for residents on the first Sunday of e..."""
    free = [18 < 18, 8 <= 7, False]
    gold = ["none", "one", "two", "three"][free.count(False)]
    return gold


def core_efe30f1cff():
    """Timetable for next week: the same as this week, except that Monday and Thursday ch..."""
    t = {"Mon": "art", "Tue": "biology", "Thu": "chemistry", "Fri": "drama"}
    t["Mon"], t["Thu"] = t["Thu"], t["Mon"]
    t["Thu"], t["Fri"] = t["Fri"], t["Thu"]
    t["Fri"], t["Tue"] = t["Tue"], t["Fri"]
    gold = t["Tue"]
    return gold


def core_d60d744a81():
    """Garden hoses may be used by odd house numbers on odd dates and by even numbers on ..."""
    u = [(12, 4, 9), (15, 21, 8), (8, 16, 19), (33, 9, 7)]
    bad = [h for h, d, t in u if h % 2 != d % 2 or 10 <= t < 18 or d % 7 == 0]
    gold = f"number {bad[0]}"
    return gold


def core_f3e65d5dc3():
    """Six people need 10 days for a stock count when each of them works at the same pace..."""
    gold = 6 * 10 // 4
    return gold


def core_f0b19ac990():
    """A download of 600 megabytes runs at 5 megabytes per second for the first minute an..."""
    gold = 60 + (600 - 300) // 10
    return gold


def core_50550b226e():
    """Two hospital wards have 24 beds each. In ward A three quarters of the beds are tak..."""
    gold = 24 // 4 + 24 // 6
    return gold


def core_ae6694e1a5():
    """A car uses 6 litres of petrol for 100 kilometres. The tank holds 45 litres and is ..."""
    gold = 45 * 2 // 3 * 100 // 6
    return gold


def core_3c4d0bdf89():
    """Three heirs share 72,000 euros: the eldest receives half, and the two others recei..."""
    gold = 72000 // 2 // 2
    return gold


def core_27199eb5cb():
    """Sound travels about 340 metres in a second. The flash of a distant explosion is se..."""
    gold = 340 * 6
    return gold


def core_26fc81c3c6():
    """Each of 7 teams plays every other team exactly once. How many matches are there?"""
    gold = 7 * 6 // 2
    return gold


def core_29dba47482():
    """A jacket costs 80 euros. Its price is raised by 25 percent and afterwards lowered ..."""
    gold = 80 * 125 // 100 * 80 // 100
    return gold


def core_215a07c692():
    """A carpet of 4 metres by 3 metres lies in a room of 5 metres by 4 metres. How many ..."""
    gold = 5 * 4 - 4 * 3
    return gold


def core_2dc911c87e():
    """A book has 12 chapters. The first 4 have 18 pages each; each of the others has 20 ..."""
    gold = 4 * 18 + 3 * 20
    return gold


def core_8448db77d3():
    """Of 60 students, 35 take biology and 30 take physics; 12 take both. How many take n..."""
    gold = 60 - (35 + 30 - 12)
    return gold


def core_7e4c20b17c():
    """A solar panel yields 3 kilowatt-hours on a sunny day and 1 on a cloudy day. In a m..."""
    gold = [s for s in range(31) if 3 * s + 30 - s == 62][0]
    return gold


def core_2edfc60d75():
    """Pay is 18 euros an hour for the first 35 hours of a week and 24 euros for each hou..."""
    gold = 35 * 18 + 5 * 24
    return gold


def core_c280df3487():
    """A rod is 1.2 metres long. It is cut into one piece of 45 centimetres and several p..."""
    gold = 1 + (120 - 45) // 15
    return gold


def core_7c423135e6():
    """Exchange office: 1 euro buys 8 crowns, and there is a fixed charge of 3 euros for ..."""
    gold = (50 - 3) * 8
    return gold


def core_32472f6a07():
    """A nurse works 4 days in a row and then has 2 days off, over and over. Day 1 of the..."""
    gold = sum((d % 6) < 4 for d in range(20))
    return gold


def core_9127e3f270():
    """A runner does 8 laps of 400 metres and, after a rest, 5 laps of 1.2 kilometres. Ho..."""
    gold = 8 * 400 + 5 * 1200
    return gold


def core_b3c739d010():
    """A call centre is open from 8.00 to 18.00. Two people must be at the desk at all ti..."""
    import math

    h = 2 * 10 + 2.5
    gold = math.ceil(h / 5)
    return gold


def core_93f55d66e5():
    """A licence costs 10 euros per user and month for up to 20 users. With more than 20 ..."""
    gold = 25 * 8 * 11
    return gold


def core_b231cf9955():
    """Drops: on the first day 3 times 4 drops, and on each later day 2 drops fewer in al..."""
    n = 12
    s = 0
    while n >= 4:
        s += n
        n -= 2
    gold = s
    return gold


def core_25e57390cb():
    """The ferry carries 18 cars per trip and needs 25 minutes to cross, 5 minutes to unl..."""
    import math

    trips = math.ceil(50 / 18)
    gold = (trips - 1) * (25 + 5 + 25 + 5) + 25
    return gold


def core_401c1227f1():
    """An objection must arrive within 30 days of delivery; the day of delivery is not co..."""
    import datetime

    d = datetime.date(2025, 2, 6) + datetime.timedelta(30)
    while d.weekday() > 4:
        d += datetime.timedelta(1)
    gold = d.day
    return gold


def core_b0487d1c83():
    """A tank holds 90 litres. A pump adds 6 litres a minute, and a leak, which works onl..."""
    gold = 30 // 6 + 60 // (6 - 2)
    return gold


def core_824faaa6bb():
    """In a knockout tournament with 22 players, 10 of them, chosen by ranking, do not ha..."""
    r = (22 - 10) // 2
    n = 10 + 6
    while n > 1:
        r += n // 2
        n //= 2
    gold = r + 1
    return gold


def core_9bd7861103():
    """Tax is 0 percent on the first 10,000 euros of income, 20 percent on the part from ..."""
    i = 41000 - 3000 * min(3, 2)
    gold = 20000 * 20 // 100 + (i - 30000) * 40 // 100
    return gold


def core_8e1e15857d():
    """A tiler covers a floor of 3 metres by 2.5 metres with square tiles of 50 centimetr..."""
    import math

    t = 6 * 5 - 2 * 1
    gold = math.ceil(t / 4)
    return gold


def core_188001723e():
    """Tickets cost 12 euros, for children under 12 half of that. A family ticket for 30 ..."""
    import itertools

    k = [5, 11, 12, 14]
    p = lambda a: 6 if a < 12 else 12
    gold = min(
        24 + sum(map(p, k)),
        *[30 + sum(map(p, k)) - sum(map(p, c)) for c in itertools.combinations(k, 3)],
    )
    return gold


def core_54f8500489():
    """A test has 30 questions. A right answer brings 3 points, a wrong one costs 1 point..."""
    gold = [r for r in range(27) if 3 * r - max(0, 26 - r - 2) == 52]
    gold = gold[0] if gold else None
    return gold


def core_1a0a4656aa():
    """A town had 400 street trees. In a storm it lost 15 percent of them. In autumn it p..."""
    l = 400 * 15 // 100
    new = l * 2 // 3
    old = 400 - l
    gold = old + new - (old + new) // 10
    return gold


def core_d3b9b02f26():
    """A project needs 240 hours of work. Two people begin, each with 8 hours a day. Afte..."""
    h = 240
    d = 0
    while h > 0:
        d += 1
        h -= 16 if d <= 6 else 20
    gold = d
    return gold


def core_8700ca2d84():
    """A traveller flies from city P at 22.30 local time and lands in city Q at 6.15 loca..."""
    gold = (24 * 60 + 6 * 60 + 15 + 180) - (22 * 60 + 30)
    return gold


def core_584a0d1e2b():
    """A sensor sends a reading at 0.00 and then every 12 minutes, but not between 2.00 a..."""
    gold = sum(1 for m in range(0, 361, 12) if not 120 < m < 240)
    return gold


def core_870c159db1():
    """A clinic gives appointments every 20 minutes from 8.00, the last one beginning at ..."""
    slots = (11 * 60 + 40 - 8 * 60) // 20 + 1
    gold = sum(i % 5 != 4 for i in range(slots))
    return gold


def core_ae87142c7c():
    """The trip of 14 May was put back by ten days because of a strike and then brought f..."""
    import datetime

    d = datetime.date(2025, 5, 14) + datetime.timedelta(10 - 2)
    gold = "C" if d.day == 22 else "?"
    return gold


def core_613dd560fe():
    """A boxer lost 2 of her first 10 fights. After that she won 5 more and lost 1, and t..."""
    w, l = 8 + 5, 2 + 1
    gold = "A" if (w, l) == (13, 3) else "?"
    return gold


def core_6de010620d():
    """Aoife has twice as much money as Ben, and Ben has 30 euros less than Carl. Carl ha..."""
    ben = 80 - 30
    gold = {50: "A", 80: "B", 100: "C", 160: "D"}[2 * ben]
    return gold


def core_bfdf8817ea():
    """The band played four songs: 'Rain' before 'Stone', 'Velvet' straight after 'Stone'..."""
    import itertools

    r = [
        p
        for p in itertools.permutations("RSVT")
        if p.index("R") < p.index("S") and p.index("V") == p.index("S") + 1 and p[0] == "T"
    ]
    gold = "ABCD"[r[0].index("V")]
    return gold


def core_14093ccd9b():
    """Class sizes: 7a has 24 pupils, 7b has 3 fewer, 7c has eight times the difference b..."""
    s = {"7a": 24, "7b": 21, "7c": 3 * 8, "7d": 23}
    m = max(s.values())
    gold = "A" if [k for k in s if s[k] == m] == ["7a", "7c"] else "?"
    return gold


def core_4493bdfe90():
    """A syrup is dosed at 1 millilitre for every 4 kilograms of body weight, with a limi..."""
    d = min(48 // 4, 10)
    gold = {10: "A", 12: "B", 8: "C", 4: "D"}[d]
    return gold


def core_bfc1416208():
    """Bags can be handed in from three hours to 45 minutes before departure. Departure i..."""
    o = {"A": 610, "B": 615, "C": 750, "D": 765}
    gold = [k for k in o if 800 - 180 <= o[k] <= 800 - 45][0]
    return gold


def core_7614897418():
    """A match lasts 40 minutes in four equal quarters. Zlatko played all of the first qu..."""
    gold = {19: "A", 21: "B", 15: "C", 24: "D"}[10 + 5 + 4]
    return gold


def core_bb9b122770():
    """A fund charges a fee of 1 percent on the sum invested and, only when there is a pr..."""
    gold = {0: "A", 20: "B", 10: "C", 110: "D"}[1000 // 100 + (0 if -100 <= 0 else 10)]
    return gold


def core_33684878ba():
    """Anouk's film is longer than Haruto's and shorter than Pia's. Sizwe's film is short..."""
    l = {"B": 4, "A": 3, "D": 2, "C": 1}
    gold = sorted(l, key=l.get, reverse=True)[2]
    return gold


def core_948d48690e():
    """A part-time employee is entitled to holiday in proportion: 30 days for a full-time..."""
    full = len(range(5, 9)) * 30 / 12
    half = len(range(9, 13)) * 15 / 12
    gold = {15: "A", 20: "B", 17.5: "C", 25: "D"}[full + half]
    return gold


def core_ce0534f3f5():
    """The build runs after each change to the main branch, except changes made only to d..."""
    last = True
    n = 0
    for kind, ok in [("doc", None), ("code", False), ("doc", True), ("doc", None)]:
        if kind == "code" or not last:
            n += 1
            last = ok
    gold = "ABCD"[n - 1]
    return gold


def core_95d36aef3b():
    """A vaccine needs a second dose 21 to 28 days after the first, both limits included...."""
    import datetime as dt

    f = dt.date(2025, 11, 4)
    o = {
        "A": dt.date(2025, 11, 22),
        "B": dt.date(2025, 12, 2),
        "C": dt.date(2025, 11, 29),
        "D": dt.date(2025, 11, 28),
    }
    ok = lambda d: (
        21 <= (d - f).days <= 28
        and (d.weekday() == 1 or d.weekday() == 5 and (d + dt.timedelta(7)).month == d.month)
    )
    gold = [k for k in o if ok(o[k])][0]
    return gold


def core_8b8bbb2bdf():
    """A flight leaves Tokyo at 11.00 on 10 May and lands in Los Angeles ten hours later...."""
    import datetime

    t = datetime.datetime(2025, 5, 10, 11) + datetime.timedelta(hours=10 - 16)
    gold = "A" if (t.day, t.hour) == (10, 5) else "?"
    return gold


def core_c44d2ddc60():
    """A shop must take goods back within 14 days, except opened software and made-to-mea..."""
    g = {"A": (400, 1, 1), "B": (10, 1, 1), "C": (14, 0, 0), "D": (3, 1, 0)}
    gold = [k for k, (d, ex, bad) in g.items() if not (bad and d <= 730 or d <= 14 and not ex)][0]
    return gold


def core_66cdecfd2d():
    """Substance K melts at 40 degrees and boils at 90; L melts at 60 and boils at 150; M..."""
    s = {"A": (60, 150), "B": (20, 65), "C": (40, 90), "D": (-10, 55)}
    liq = lambda k, t: s[k][0] < t < s[k][1]
    gold = [k for k in s if liq(k, 58) and liq(k, 50) and not liq(k, 25)][0]
    return gold


def core_d1d8f691a3():
    """In a group of four, each plays each once; a win is worth 3 points, a draw 1. Final..."""
    import itertools

    P = ["K", "C", "W", "J"]
    M = list(itertools.combinations(P, 2))
    g = set()
    for r in itertools.product([(3, 0), (1, 1), (0, 3)], repeat=6):
        t = dict.fromkeys(P, 0)
        for (a, b), (x, y) in zip(M, r):
            t[a] += x
            t[b] += y
        if list(t.values()) == [7, 5, 4, 0] and r[0] == (1, 1):
            g.add(r[M.index(("C", "W"))])
    gold = {(1, 1): "D"}[g.pop()] if len(g) == 1 else "?"
    return gold


def core_60fd385456():
    """An order of 120 euros: a voucher takes off 10 percent, then 15 euros are taken off..."""
    s = 120 * 0.9
    s -= 15 if s > 110 else 0
    s += 0 if s >= 95 else 6
    gold = {93: "A", 108: "B", 99: "C", 114: "D"}[s]
    return gold


def core_2bfc4f779f():
    """The fridge must be at most half full for the summer mode, and the door must have b..."""
    m = None
    shut = 495
    for t in range(480, 521):
        if t in (500, 506) and 1 / 3 <= 1 / 2 and t - shut >= 10:
            m = "summer"
        if m is None and t >= 495 and t - shut == 20:
            m = "eco"
    gold = {"summer": "C", "eco": "A", None: "B"}[m]
    return gold


def core_839581e45d():
    """Rights to a song end 70 years after the end of the year in which the last of its a..."""
    end = max(1951, 1960) + 70
    gold = {2021: "A", 2045: "C", 2030: "D"}[end]
    return gold


def core_3f2edc49af():
    """Grades are rounded to the nearest whole number, halves upwards; homework counts on..."""
    import math

    g = math.floor((7 + 2 * 8 + 2 * 6) / 5 + 0.5) + (1 if min(7, 8, 6) >= 7 else 0)
    gold = {7: "A", 8: "B", 6: "C", 9: "D"}[g]
    return gold


def core_8c25454070():
    """Solar panels feed a battery until it is full (10 kilowatt-hours), and only the res..."""
    b = 4
    g = 0
    for h in range(6):
        x = 1.5
        y = min(x, 10 - b)
        b += y
        g += x - y
    gold = {2: "A", 6: "B", 3: "C", 9: "D"}[g]
    return gold


def core_999495f231():
    """Shifts: early 6.00 to 14.00, late 14.00 to 22.00, night 22.00 to 6.00. Between the..."""
    free = 22 + 11
    s = {"A": 24 + 6, "B": 24 + 14, "C": 24 + 22, "D": 48 + 6}
    gold = min((v, k) for k, v in s.items() if v >= free)[1]
    return gold


def core_cd6655f0cf():
    """An access rule is read from top to bottom, and the first line that fits decides. L..."""
    r = [("guest", 0), ("Editors", 1), ("Trainees", 0), ("staff", 1)]
    p = {"A": {"Editors", "Trainees"}, "B": {"staff"}, "C": {"guest", "Editors"}, "D": {"Editors"}}
    dec = lambda s: next((v for k, v in r if k in s), 0)
    gold = [k for k in p if not dec(p[k])][0]
    return gold


def core_c7516cd67c():
    """An infusion of 500 millilitres is set at 100 millilitres an hour and begins at 9.4..."""
    t = 9 * 60 + 40 + 90 + 30 + (500 - 150) / 200 * 60
    gold = {13 * 60 + 25: "A", 14 * 60 + 40: "B", 15 * 60 + 10: "C", 13 * 60 + 55: "D"}[int(t)]
    return gold


def core_a8b4cf6aa4():
    """A rail pass is valid on any 5 days of a month; a journey on a night train counts o..."""
    days = {2, 4, 5, 6}
    gold = {2: "A", 3: "B", 5: "C", 4: "D"}[len(days)]
    return gold


def core_19c07a9627():
    """A law of 1 July gives parents a grant for children born after 31 March of that yea..."""
    f = {"A": ((3, 31), 1, 30), "B": ((4, 1), 2, 49), "C": ((5, 2), 1, 40), "D": ((3, 5), 2, 20)}
    gold = [k for k, (b, n, i) in f.items() if b > (3, 31) and i < (50 if n > 1 else 40)][0]
    return gold


def core_817c522b4a():
    """A clock in the laboratory loses 4 minutes every hour. It was set correctly at 8.00..."""
    shown = 7 * 60
    true = shown * 60 / 56
    gold = {448: "A", 392: "B", 420: "C", 450: "D"}[round(true)]
    return gold


def core_851b0fbee8():
    """The race has a time limit of 5 hours after the runner's own start. Starts are one ..."""
    f = {21: 13 * 60 + 19, 40: 13 * 60 + 41, 6: 13 * 60 + 6, 61: 13 * 60 + 59}
    ok = sorted(k for k in f if f[k] - (480 + k - 1) <= 300)
    gold = {(21, 61): "A", (61,): "B", (6, 21, 61): "C"}[tuple(ok)]
    return gold


def core_8507336954():
    """Rent of 600 euros goes up with prices, but only when prices have risen by more tha..."""
    rent = 600
    base = 100
    for i in (104, 110, 115):
        if i / base - 1 > 0.05:
            rent = rent * i / base
            base = i
    gold = {690: "A", 624: "B", 660: "C", 634: "D"}[round(rent)]
    return gold


def core_674c12db7a():
    """Four sockets: 1 is live if switch P is up, 2 if P is down, 3 if P and R are both u..."""
    P, R = True, False
    live = [n for n, c in zip((1, 2, 3, 4), (P, not P, P and R, P != R)) if c]
    gold = {(1, 3): "A", (1, 4): "B", (2, 4): "C", (1,): "D"}[tuple(live)]
    return gold


def core_59e0957347():
    """A jury of five gives the prize to the book that wins most first votes; if two are ..."""
    v = [("Plum", "Opal"), ("Opal", "Reed"), ("Plum", "Reed"), ("Opal", "Reed"), ("Reed", "Opal")]
    k = {
        b: (sum(x == b for x, _ in v), sum(y == b for _, y in v)) for b in ("Plum", "Opal", "Reed")
    }
    gold = "D" if max(k, key=k.get) == "Opal" and k["Opal"] == (2, 2) else "?"
    return gold


def core_6221e35b14():
    """Room bookings begin and end at full hours, and a booking that ends at an hour does..."""
    busy = [(9, 12), (12, 13), (15, 18)]
    o = {"A": 11, "B": 13, "C": 17, "D": 12}
    gold = [k for k, h in o.items() if all(h + 1 <= a or h >= b for a, b in busy)][0]
    return gold


def core_4a9d271ce6():
    """Cars with a green sticker may enter the zone at any time, cars with a yellow one o..."""
    down = {"green": "yellow", "yellow": "none", "none": "none"}
    o = {"A": ("green", 8), "B": ("yellow", 10), "C": ("green", 9.5), "D": ("none", 12)}
    ok = lambda s, t: s == "green" or (s == "yellow" and not 7 <= t <= 9)
    gold = [k for k, (s, t) in o.items() if ok(down[s], t)][0]
    return gold


def core_9d4d64e896():
    """Two friends share costs equally. Ilya paid the hotel, 240 euros, and the petrol, 6..."""
    share = (240 + 60 + 90) / 2
    owe = share - 90 - 20
    gold = {85: "A", 105: "B", 125: "C", 190: "D"}[int(owe)]
    return gold


def core_cd8260d55a():
    """Of five tasks, Report must be done after Data, Budget after Report, and Slides aft..."""
    import itertools

    T = ["Report", "Data", "Budget", "Slides", "Photos"]
    r = []
    for p in itertools.permutations(T):
        i = p.index
        if (
            i("Data") < i("Report") < i("Budget") < i("Slides")
            and abs(i("Photos") - i("Report")) > 1
            and i("Data")
        ):
            r.append(p)
    gold = (
        {"Photos": "A", "Data": "B", "Budget": "C", "Report": "D"}[r[0][2]] if len(r) == 1 else "?"
    )
    return gold


def core_f3b86d4cf5():
    """Staff with a key: Hala, Bertil, Moses and Chiara. Moses gave his key back on Frida..."""
    k = ["Hala", "Bertil", "Moses", "Chiara"]
    k.remove("Moses")
    k.remove("Bertil")
    k.append("Jun")
    gold = k
    return gold


def core_ab957cdf8d():
    """Test results: login passed, search failed, upload failed, payment passed. After a ..."""
    r = {"login": 1, "search": 0, "upload": 0, "payment": 1}
    r["search"] = 1
    gold = [k for k in r if r[k]]
    return gold


def core_658ec86cb8():
    """Fees of the registry: birth certificate 12 euros, passport 60 euros, permit 25 eur..."""
    f = {"birth certificate": 12, "passport": 60, "permit": 25, "marriage certificate": 40}
    gold = [k for k in f if f[k] > 30]
    return gold


def core_45a4383329():
    """Measured lengths: beetle 31 millimetres, moth 2.8 centimetres, wasp 19 millimetres..."""
    l = {"beetle": 31, "moth": 28, "wasp": 19, "cricket": 34}
    gold = [k for k in l if l[k] > 30]
    return gold


def core_372ea309e8():
    """Monthly payments of the Lindgrens: rent on the 1st, gym on the 5th, phone on the 1..."""
    d = {"rent": 1, "gym": 5, "phone": 12, "loan": 12, "insurance": 25}
    gold = [k for k in d if 10 <= d[k] <= 20]
    return gold


def core_6048d0ac34():
    """In the freezer: bread since 3 May, soup since 20 June, berries since 9 April, fish..."""
    import datetime as dt

    f = {"bread": (5, 3), "soup": (6, 20), "berries": (4, 9), "fish": (7, 1)}
    gold = [k for k, (m, d) in f.items() if dt.date(2025, m, d) < dt.date(2025, 5, 10)]
    return gold


def core_1ac56468f2():
    """Rooms with a projector: R1, R3, R4 and R7. Rooms with more than 20 seats: R2, R3, ..."""
    gold = [r for r in ["R1", "R3", "R4", "R7"] if r in ["R2", "R3", "R6", "R7"]]
    return gold


def core_b4fb8db7a1():
    """Applicants and their years of experience: Nwosu 4, Eriksen 2, Ahmed 7, Bauer 3, Li..."""
    y = {"Nwosu": 4, "Eriksen": 2, "Ahmed": 7, "Bauer": 3, "Lim": 5}
    gold = [k for k in y if y[k] >= 4]
    return gold


def core_77b7031852():
    """Ages: Tereza 15, Umar 17, Vanja 18, Wilma 16, Yann 19. The junior cup is for playe..."""
    a = {"Tereza": 15, "Umar": 17, "Vanja": 18, "Wilma": 16, "Yann": 19}
    gold = [k for k in a if 16 <= a[k] < 18]
    return gold


def core_da76922db6():
    """Four machines and their power: kettle 2,000 watts, toaster 900 watts, oven 2,500 w..."""
    p = {"toaster": 900, "oven": 2500, "mixer": 400}
    gold = [k for k in p if p[k] + 2000 <= 3000]
    return gold


def core_7aec6e76fa():
    """Films by length: 'Ash' 95 minutes, 'Bloom' 128 minutes, 'Crow' 141 minutes, 'Drift..."""
    f = {"Ash": 95, "Bloom": 128, "Crow": 141, "Drift": 118}
    gold = [k for k in f if f[k] > 120]
    return gold


def core_0fda7b1ce7():
    """Absent on Monday: Ikram, Jaromir, Lotte. Absent on Tuesday: Jaromir, Lotte, Nils. ..."""
    gold = [
        x
        for x in ["Ikram", "Jaromir", "Lotte"]
        if x in ["Jaromir", "Lotte", "Nils"] and x in ["Lotte", "Jaromir", "Ikram"]
    ]
    return gold


def core_282ceeb2c8():
    """Of the clauses of the draft, K2, K3, K5 and K8 were agreed in the first round. In ..."""
    c = ["K2", "K3", "K5", "K8"] + ["K9"]
    c.remove("K5")
    gold = c
    return gold


def core_5bbab0f200():
    """Funds and yearly fees: Global 0.2 percent, Pacific 0.75 percent, Nordic 0.5 percen..."""
    f = {"Global": 0.2, "Pacific": 0.75, "Nordic": 0.5, "Metals": 1.1}
    gold = [k for k in f if f[k] <= 0.75 and k != "Nordic"]
    return gold


def core_18006425b8():
    """On-site rule: managers come on Mondays and Fridays, others on two days of their ch..."""
    d = 5
    hol = 1
    s = {"Alicja": {1, 5}, "Boubacar": {2, 5}, "Carmen": {1, 2, 4, 5}, "Dieter": {3, 1}, "Eun": {5}}
    gold = [k for k in s if d in s[k] and d != hol]
    return gold


def core_2993db2585():
    """A message is shown in the inbox if it is unread or starred, unless it is muted; st..."""
    m = {"Menu": "um", "Rota": "s", "Visa": "", "Bill": "u", "Trip": "sm"}
    gold = [k for k, v in m.items() if "s" in v or ("u" in v and "m" not in v)]
    return gold


def core_72b13e7a74():
    """Pills in one week: Xeno every day but Sunday, Yoral on days with an odd number in ..."""
    d = 5
    t = {
        "Xeno": d != 7,
        "Yoral": d % 2 == 1,
        "Zinta": d >= 2 and (d - 2) % 3 == 0,
        "Wenol": d % 2 == 0,
    }
    gold = [k for k in t if t[k]]
    return gold


def core_6d07580442():
    """Departures listed at 17.40: Linz 17.35, Graz 17.50, Brno 17.20, Pula 18.05, Zadar ..."""
    t = {"Linz": 35 + 10, "Brno": 20 + 15, "Pula": 65, "Zadar": 30 + 10}
    gold = [k for k in t if 40 <= t[k] - 2]
    return gold


def core_a3adcc0d43():
    """Members may vote if they joined at least one year before the meeting and have paid..."""
    from datetime import date as D

    m = {
        "Castellano": (D(2023, 5, 10), 1, 0, 0),
        "Dube": (D(2015, 1, 1), 0, 1, 0),
        "Egger": (D(2023, 5, 11), 1, 0, 0),
        "Farkas": (D(2010, 1, 1), 1, 0, 1),
        "Gomes": (D(2019, 1, 1), 0, 0, 0),
    }
    gold = [k for k, (j, p, h, s) in m.items() if j <= D(2023, 5, 10) and (p or h) and not s]
    return gold


def core_60b4c5e7a4():
    """Plants A to E stood in different light. A and D got 12 hours a day, B got two hour..."""
    h = {"A": 12, "B": 10, "C": 6, "D": 12, "E": 9}
    gold = [k for k in h if h[k] >= 9 and k not in "BD"]
    return gold


def core_aee5a0edaa():
    """A player is banned for the next match after a red card or after every third yellow..."""
    y = {"Kovac": (3, 8), "Njoku": (6, 9), "Ramos": (4, 9), "Soto": (3, 9)}
    b = {k for k, (n, m) in y.items() if n % 3 == 0 and m == 9} | {"Oduya"}
    gold = [k for k in ["Kovac", "Njoku", "Oduya", "Perrin", "Ramos", "Soto"] if k in b]
    return gold


def core_0ccc450f93():
    """Expenses are refunded if the receipt is handed in within 30 days, if they are not ..."""
    c = {
        "hotel": (340, 1, 30, 0),
        "dinner wine": (45, 0, 2, 1),
        "taxi": (200, 0, 12, 0),
        "laptop": (900, 0, 1, 0),
        "train": (80, 0, 31, 0),
    }
    gold = [k for k, (e, a, d, al) in c.items() if d <= 30 and (e <= 200 or a) and not al]
    return gold


def core_1c0b19f9fe():
    """Alarm plan: sensors on the ground floor are on at night and whenever the flat is e..."""
    night, empty, dog, delivery = True, False, True, False
    on = {
        "hall": (night or empty) and not dog,
        "kitchen": night or empty,
        "study": empty,
        "bedroom": empty,
        "garage": not delivery,
    }
    gold = [k for k in on if on[k]]
    return gold


def core_dbfba204c7():
    """Works may leave the country if they are less than 50 years old or worth less than ..."""
    w = {
        "Harbour": (1975, 15, 0),
        "Mask": (1970, 20, 0),
        "Torso": (1971, 90, 0),
        "Fan": (1890, 3, 1),
        "Ladder": (1902, 19, 0),
    }
    gold = [k for k, (y, v, s) in w.items() if (2020 - y < 50 or v < 20) and not s]
    return gold


def core_70b2d2d580():
    """To enter the advanced course, a student needs grade A in Logic, or grade B in Logi..."""
    s = {"Mikko": "BC30", "Nalini": "AD20", "Oskar": "BA10", "Perla": "BB20", "Rashad": "AA11"}
    ok = lambda l, a, y, x: (l == "A" or l == "B" and a in "AB") and (y != "1" or x == "1")
    gold = [k for k in s if ok(*s[k])]
    return gold


def core_7f374125d7():
    """To save power, lamps are switched off from 1.00 to 5.00 in all streets except thos..."""
    s = {
        "Elm Row": "bus",
        "Oak Lane": "",
        "Ash Way": "",
        "Fir Road": "hospital",
        "Beech Hill": "school",
    }
    weekend_night = False
    gold = [
        k for k in s if s[k] not in ("bus", "hospital") and (not weekend_night or k == "Oak Lane")
    ]
    return gold


def core_32a5b2cf81():
    """A deployment goes to the regions in the order Frankfurt, Osaka, Dallas, Sydney, Mu..."""
    o = ["Frankfurt", "Osaka", "Dallas", "Sydney", "Mumbai"]
    g = []
    skip = False
    for i, r in enumerate(o):
        if 6 + i > 9.5:
            break
        if skip:
            skip = False
            continue
        if r == "Osaka":
            skip = True
        else:
            g.append(r)
    gold = g
    return gold


def core_e1b4a37a35():
    """Tools may be lent for a weekend to staff who have had the training, but the saw on..."""
    s = {"Ibai": 1, "Jelena": 3, "Kwesi": 2, "Lucie": 4, "Marek": 10}
    gold = [k for k in ["Ibai", "Jelena", "Kwesi", "Lucie"] if s[k] >= 2 and k != "Lucie"]
    return gold


def core_1bbb63db19():
    """Ms Anand has a loyalty card: lounges in Lima, Rome, Doha and Seoul are free for he..."""
    t = [("Lima", 12, 20), ("Rome", 6, 15), ("Doha", 9, 3), ("Seoul", 2, 10)]
    gold = [c for c, h, d in t if h > 4 and (c != "Rome" or d < 12)]
    return gold


def core_e2e617ea5e():
    """Rule for visitors on the ward: two per patient at one time, children under 12 coun..."""
    v = [("Galina", 1, 0), ("Ilia", 0.5, 0), ("Vera", 0.5, 1), ("Dragan", 1, 0), ("Luka", 0.5, 0)]
    n = 0
    gold = []
    for k, w, c in v:
        if not c and n + w <= 2:
            n += w
            gold.append(k)
    return gold


def core_bd077024fc():
    """Five metals were dropped into water, and their densities in grams per cubic centim..."""
    d = {"P": 0.86, "Q": 7.3, "R": 0.97, "S": 1.7, "T": 0.53}
    gold = [k for k in d if (0.9 < d[k] < 1) or (1 < d[k] < 2)]
    return gold


def core_d105a94ae5():
    """Choir members sing on Sunday if they came to at least two of the three rehearsals,..."""
    a = {"Ayo": {1, 3}, "Brigid": {1, 2}, "Cosimo": {2, 3}, "Dilnoza": {1, 2}, "Eskil": {3}}
    gold = [k for k, v in a.items() if len(v) >= 2 and (3 in v or k == "Brigid")]
    return gold


def core_5d522e5428():
    """A bank blocks payments of more than 1,000 euros abroad and the third payment to on..."""
    p = [(400, "L"), (1200, "x"), (90, "L"), (1000, "x"), (15, "L"), (1050, "x"), (2500, "h")]
    gold = []
    n = 0
    for i, (e, w) in enumerate(p, 1):
        n += w == "L"
        if i != 2 and (w == "x" and e > 1000 or w == "L" and n == 3):
            gold.append(f"p{i}")
    return gold


def core_26df88e1b7():
    """A load may hold only things of one colour group, white or dark; the number on a la..."""
    t = {
        "shirt": ("w", 60, 0),
        "sheet": ("w", 40, 0),
        "jacket": ("w", 60, 1),
        "towel": ("d", 60, 0),
        "scarf": ("w", 30, 0),
        "napkin": ("w", 95, 0),
    }
    gold = [k for k, (c, m, z) in t.items() if c == "w" and m >= 40 and not z]
    return gold


def core_ed77206dfb():
    """Offences and fines in euros: noise 80, litter 50, parking 30, smoking 120, graffit..."""
    f = {"noise": 80, "litter": 50, "parking": 30, "smoking": 120, "graffiti": 200}
    gold = {"Desk": [k for k in f if f[k] < 100], "Court": [k for k in f if f[k] >= 100]}
    return gold


def core_467c537713():
    """Lanes 1 to 4 were given by the time in the heats, the best swimmer in lane 2, the ..."""
    t = {"Abara": 25.1, "Conti": 24.4, "Dahl": 24.9, "Endo": 25.6}
    o = sorted(t, key=t.get)
    gold = {"inner": [k for k in t if k in o[:2]], "outer": [k for k in t if k in o[2:]]}
    return gold


def core_6d3afdff56():
    """The gallery lends works that are insured and not under repair. Insured: Vase, Icon..."""
    w = ["Vase", "Icon", "Clock", "Map", "Tapestry"]
    ins = w[:4]
    rep = ["Clock", "Tapestry"]
    gold = {
        "Lend": [x for x in w if x in ins and x not in rep],
        "Keep": [x for x in w if not (x in ins and x not in rep)],
    }
    return gold


def core_a58f314ec9():
    """Points in the language test: Amir 61, Bo 74, Cecilia 58, Dunja 90, Elias 75. Up to..."""
    p = {"Amir": 61, "Bo": 74, "Cecilia": 58, "Dunja": 90, "Elias": 75}
    c = lambda v: "A1" if v <= 60 else "A2" if v <= 74 else "B1"
    gold = {k: [n for n in p if c(p[n]) == k] for k in ("A1", "A2", "B1")}
    return gold


def core_b81e96933d():
    """A forest is checked in three zones. Zone East has pines and oaks, zone West has fi..."""
    z = {"East": ["pines", "oaks"], "West": ["firs", "elms"], "Hill": ["larches"]}
    z["West"] = ["oaks" if t == "elms" else t for t in z["West"]]
    gold = z
    return gold


def core_c4ef32102f():
    """Devices in use at 9.00: laptop 80 percent charged, phone 15 percent, watch 40 perc..."""
    d = {"laptop": 80 - 10, "phone": 15 - 10, "watch": 40 - 20, "camera": 22 - 10}
    gold = {"Charge": [k for k in d if d[k] < 20], "Fine": [k for k in d if d[k] >= 20]}
    return gold


def core_df063f2f3a():
    """Foods and grams of fibre per portion: lentils 8, rice 1, pears 5, eggs 0, oats 4. ..."""
    f = {"lentils": 8, "rice": 1, "pears": 5, "eggs": 0, "oats": 4}
    c = lambda v: "high" if v >= 5 else "medium" if v >= 1 else "low"
    gold = {k: [x for x in f if c(f[x]) == k] for k in ("high", "medium", "low")}
    return gold


def core_9b2fb4b718():
    """Which invoices are paid, open or overdue on 15 May? F1: due 2 May, paid 1 May. F2:..."""
    f = {"F1": (2, 1), "F2": (14, 0), "F3": (20, 0), "F4": (1, 1), "F5": (15, 0)}
    s = lambda d, p: "paid" if p else "overdue" if d < 15 else "open"
    gold = {k: [x for x in f if s(*f[x]) == k] for k in ("paid", "open", "overdue")}
    return gold


def core_de7b1c33d0():
    """Members of the rowing club: Ljubica (since 2012), Malik (since 2020), Noemi (since..."""
    m = {"Ljubica": 2012, "Malik": 2020, "Noemi": 2016, "Otto": 2021, "Pia": 2010}
    gold = {"gold": [k for k in m if m[k] < 2015], "silver": [k for k in m if 2015 <= m[k] <= 2020]}
    return gold


def core_86e4b27fdd():
    """Deadlines: an answer by post must be posted by the last day, an answer by email mu..."""
    a = {
        "Haas": True,
        "Imre": 16 * 60 + 5 <= 960,
        "Jolie": 11 * 60 <= 600,
        "Kaya": 15 * 60 + 59 <= 960,
        "Lund": (8, 690) <= (9, 600),
    }
    gold = {"valid": [k for k in a if a[k]], "late": [k for k in a if not a[k]]}
    return gold


def core_f7d4e016d5():
    """Cultures are kept cold below 8 degrees, cool from 8 up to and including 15, and wa..."""
    t1 = 8
    t = {"T1": t1, "T2": t1 - 4 + 3, "T3": 2 * t1, "T4": 7}
    c = lambda v: "cold" if v < 8 else "cool" if v <= 15 else "warm"
    gold = {k: [x for x in t if c(t[x]) == k] for k in ("cold", "cool", "warm")}
    return gold


def core_9c4ff2dcf1():
    """Doubles: players are paired so that the strongest plays with the weakest, the seco..."""
    o = ["Adu", "Bak", "Cole", "Diaz", "Eto", "Fry"]
    o[5], o[4] = o[4], o[5]
    gold = {o[i]: [o[5 - i]] for i in range(3)}
    return gold


def core_d635b28442():
    """A cinema gives each film one of two halls. The large hall goes to films with more ..."""
    b = {"Kite": 137, "Lotus": 103, "Mango": 60, "Nova": 59, "Orbit": 99}
    pr = {"Mango", "Nova"}
    L = lambda k: b[k] > 100 or (k in pr and b[k] >= 60)
    gold = {"large": [k for k in b if L(k)], "small": [k for k in b if not L(k)]}
    return gold


def core_3045f79f82():
    """Students with fewer than 3 absences pass the module; those with 3 or 4 write an es..."""

    def n(ab, late):
        return sum(1 for i, note in enumerate(ab) if i == 0 or not note) + late // 2

    s = {
        "Agnes": n([1, 1, 1, 0], 0),
        "Babak": n([0, 0], 2),
        "Clio": n([1, 0, 0, 0, 0], 0),
        "Denis": n([1, 1, 1], 4),
    }
    c = lambda v: "pass" if v < 3 else "essay" if v < 5 else "repeat"
    gold = {k: [x for x in s if c(s[x]) == k] for k in ("pass", "essay", "repeat")}
    return gold


def core_c9f74baeb1():
    """A test area has five wells. A well is open when nitrate is at most 50 and lead at ..."""
    w = {
        "W1": (50, 10, 80, 0),
        "W2": (51, 9, 400, 0),
        "W3": (60, 12, 300, 1),
        "W4": (55, 3, 90, 0),
        "W5": (20, 10, 101, 0),
    }

    def s(n, l, m, d):
        k = (n > 50) + (l > 10) + (m <= 100)
        k = min(k, 2)
        return ["open", "limited", "shut"][min(k, 1) if d else k]

    gold = {x: [k for k in w if s(*w[k]) == x] for x in ("open", "limited", "shut")}
    return gold


def core_92f85f1c9e():
    """Log-in attempts: an account is locked after three failures in a row; a success set..."""
    a = {"red": "nnonn", "blue": "nnno", "pink": "onnn", "gold": "nono", "grey": "nnoonnnoo"}
    gold = {"locked": [k for k in a if "nnn" in a[k]], "free": [k for k in a if "nnn" not in a[k]]}
    return gold


def core_89cc0521eb():
    """Patients who are over 70 or have diabetes get the vaccine in October, all other ad..."""
    p = {
        "Ferran": (71, 0, 0),
        "Gudrun": (70, 0, 0),
        "Hiba": (16, 1, 0),
        "Iker": (80, 0, 6),
        "Joy": (12, 0, 3),
    }
    m = lambda a, d, i: (
        "January" if i >= 4 else "October" if a > 70 or d else "November" if a >= 18 else "December"
    )
    gold = {
        k: [x for x in p if m(*p[x]) == k] for k in ("October", "November", "December", "January")
    }
    return gold


def core_83a6f3bbaa():
    """Customs: at the green exit go travellers with goods worth up to 430 euros, at the ..."""
    t = {
        "Asif": (40, 0, 430, 0),
        "Bente": (35, 1, 900, 0),
        "Cai": (14, 0, 200, 0),
        "Delia": (50, 1, 0, 10001),
        "Emil": (15, 0, 300, 0),
    }
    e = lambda a, i, g, c: (
        "red" if c > 10000 else "blue" if i else "green" if g <= (150 if a < 15 else 430) else "red"
    )
    gold = {k: [x for x in t if e(*t[x]) == k] for k in ("green", "red", "blue")}
    return gold


def core_1f8d23f3f6():
    """A charity divides requests: up to 500 euros the office decides, from there up to 2..."""
    r = [
        ("R1", "Mbeki", 500, 0),
        ("R2", "Nowak", 2000, 0),
        ("R3", "Mbeki", 450, 0),
        ("R4", "Ortiz", 3000, 1),
        ("R5", "Nowak", 700, 0),
    ]
    L = ["office", "board", "assembly"]
    gold = {k: [] for k in L}
    seen = set()
    for c, w, e, f in r:
        k = (e > 500) + (e > 2000) + (w in seen)
        if f:
            k = min(k, 1)
        seen.add(w)
        gold[L[min(k, 2)]].append(c)
    return gold


def core_3929fdf3ae():
    """Who is where on Wednesday? The plan said: Safiya and Tom in the warehouse, Una and..."""
    p = {"warehouse": ["Safiya", "Una"], "shop": ["Tom", "Viggo"], "office": ["Wim", "Ximena"]}
    p["shop"].remove("Viggo")
    p["office"].remove("Ximena")
    p["shop"].append("Ximena")
    gold = p
    return gold


def core_8d651f1d8c():
    """Use the keys today, tomorrow and later. A plumber takes jobs in this order: leaks,..."""
    c = [
        ("Ahlgren", 2, 490, 1),
        ("Bose", 1, 540, 1),
        ("Cabral", 0, 580, 1),
        ("Dogan", 1, 530, 1),
        ("Emeka", 0, 510, 1),
        ("Fiala", 2, 1020, 0),
    ]
    o = [x[0] for x in sorted(c, key=lambda x: (0,) if not x[3] else (1, x[1], x[2]))]
    gold = {"today": o[:3], "tomorrow": o[3:5], "later": o[5:]}
    return gold


def core_b1c2f228ba():
    """A radio quiz sorts songs by length: short is under 3 minutes, normal from 3 to 5 m..."""
    s = {"Coral": 185 - 10, "Delta": 300, "Ember": 310, "Flint": 178 + 20, "Grove": 306}
    c = lambda v: "short" if v < 180 else "normal" if v <= 300 else "long"
    gold = {k: [x for x in s if c(s[x]) == k] for k in ("short", "normal", "long")}
    return gold


def core_a7163bc96e():
    """Three detectors report in code. Alpha sends the true colour, Beta always names the..."""
    L = ["red", "green", "blue", "violet"]
    shown = {"Alpha": "green", "Beta": "violet", "Gamma": "green"}
    sent = {"Alpha": shown["Gamma"], "Beta": shown["Beta"], "Gamma": shown["Alpha"]}
    sh = {"Alpha": 0, "Beta": -1, "Gamma": 1}
    gold = {k: [L[(L.index(sent[k]) + sh[k]) % 4]] for k in sent}
    return gold
