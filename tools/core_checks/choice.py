"""The computed answers of items of `choice`: their facts as data, and the answer that follows.

A function has the name of its item, and returns the answer.
"""

import datetime
import fractions
import math


def core_29933810ff():
    """Who gets the agenda of the review on Wednesday?"""
    review = (840, 930)
    free = {"Tomasz": (540, 900), "Amara": (0, 0), "Keiko": (540, 1020), "Olga": (540, 1080)}
    gold = [
        o
        for o in ["Olga", "Keiko", "Amara", "Tomasz"]
        if free[o][0] <= review[0] and review[1] <= free[o][1]
    ]
    return gold


def core_67b225d582():
    """On 2 June, on which of these devices does the camera feature work?"""
    d = {
        "Aster": ("t", 4, 11),
        "Birch": ("t", 8, 10),
        "Cedar": ("p", 3, 12),
        "Dune": ("p", 4, 13),
        "Elm": ("p", 6, 11),
    }
    run = lambda k, m, s: (m >= 4 and s >= 11) if k == "t" else (m >= 3 and s >= 12)
    gold = [
        o
        for o in ["Cedar", "Birch", "Elm", "Dune"]
        if run(*d[o]) and d[o][0] == "p" and d[o][1] > 4
    ]
    return gold


def core_0ea7242c1e():
    """On which of these days can Lucia be given the yellow fever vaccine?"""
    import datetime as d

    D = {"Friday 12 May": 12, "Tuesday 9 May": 9, "Tuesday 16 May": 16, "Thursday 11 May": 11}
    ok = lambda n: (
        d.date(2023, 5, n).weekday() in (1, 4)
        and n != 12
        and n <= 22 - 10
        and (d.date(2023, 5, n) - d.date(2023, 4, 13)).days >= 28
    )
    gold = [
        o
        for o in ["Friday 12 May", "Tuesday 16 May", "Thursday 11 May", "Tuesday 9 May"]
        if ok(D[o])
    ]
    return gold


def core_8ffbd6d936():
    """Which of the flights can Njeri still catch on Tuesday morning?"""
    land = 23 * 60 + 40 + 510 - 120 - 1440
    need = {"Oslo": 50, "Lisbon": 50, "London": 75, "Dublin": 75}

    def ok(o):
        c, t = o.split(" at ")
        h, m = t.split(":")
        return int(h) * 60 + int(m) >= land + need[c]

    gold = [
        o
        for o in ["Lisbon at 06:55", "Oslo at 07:00", "London at 07:20", "Dublin at 07:30"]
        if ok(o)
    ]
    return gold


def core_6f8b93cad3():
    """Which of these animals may the tenant keep on 10 April?"""
    date = (4, 10)
    objection = (3, 4) <= date < (4, 20)

    def ok(o):
        return "fish" in o or ("cat" in o and not objection)

    gold = [o for o in ["Two cats", "One cat", "A small dog", "A tortoise"] if ok(o)]
    return gold


def core_e7893da92b():
    """Which of the substances melted in the oven?"""
    T = lambda t: 20 + 4 * min(t, 12)
    melt = {"A": 46, "B": 71, "C": 58, "D": 83 - 20}
    out = {"A": 11, "B": 30, "C": 9, "D": 30}
    gold = [o for o in ["B", "A", "D", "C"] if T(out[o]) >= melt[o]]
    return gold


def core_d9f3c022a8():
    """Which of the teams go through?"""
    t = {
        "Porto Hall": (10 + 0, 2 - 2),
        "Kestrel": (9 + 1, 5),
        "Union": (9 + 1, 1),
        "Mills": (7 + 3, 4 + 2),
    }
    top = sorted(t, key=lambda k: t[k], reverse=True)[:2]
    gold = [o for o in ["Mills", "Kestrel", "Porto Hall", "Union"] if o in top]
    return gold


def core_03a3e80f1c():
    """What is refunded to Farid?"""
    import datetime as d

    R = {
        "The taxi": (5, 20, 15, 30),
        "The train": (4, 30, 64, 30),
        "The course fee": (5, 12, 210, 30),
        "The hotel": (3, 30, 90, 60),
    }
    ok = lambda m, n, e, lim: (
        15 < e <= 200 and (d.date(2023, 5, 31) - d.date(2023, m, n)).days <= lim
    )
    gold = [o for o in ["The hotel", "The taxi", "The train", "The course fee"] if ok(*R[o])]
    return gold


def core_2d540544a2():
    """Which of Ingrid's receipts does the office pay back?"""
    import datetime as d

    R = {
        "The taxi": (4, 28, 22, 30),
        "The train": (5, 1, 64, 30),
        "The paper": (5, 28, 26, 30),
        "The hotel": (4, 5, 180, 60),
    }
    ok = lambda m, n, e, lim: (
        15 < e <= 200 and (d.date(2023, 5, 31) - d.date(2023, m, n)).days <= lim
    )
    gold = [o for o in ["The train", "The paper", "The hotel", "The taxi"] if ok(*R[o])]
    return gold


def core_b2fea5e9f4():
    """Who may do laundry at 10:00 on 14 June?"""
    f = {"Chen": (4, 0), "Bruno": (6, 0), "Dafna": (7, 0), "The Yilmaz family": (3, 1)}
    date, sunday = 14, True
    ok = lambda flat, baby: (date % 2 == 1) == (flat <= 4) and (baby or not sunday)
    gold = [o for o in ["Bruno", "The Yilmaz family", "Dafna", "Chen"] if ok(*f[o])]
    return gold


def core_2055102b6a():
    """When may Chen start the machine?"""
    import datetime as d

    O = {
        "On 15 June at 19:00": (15, 1140),
        "On 15 June at 20:00": (15, 1200),
        "On 21 June at 09:00": (21, 540),
        "On 20 June at 11:00": (20, 660),
    }
    ok = lambda n, t: n % 2 == 1 and (n - 14) % 7 != 0 and 420 <= t and t + 90 <= 1260
    gold = [
        o
        for o in [
            "On 21 June at 09:00",
            "On 15 June at 20:00",
            "On 15 June at 19:00",
            "On 20 June at 11:00",
        ]
        if ok(*O[o])
    ]
    return gold


def core_c3370fd7dd():
    """When can a teacher of 40 enter the museum free of charge?"""
    O = {
        "Thursday at 19:15": 1155,
        "Thursday at 20:00": 1200,
        "Thursday at 18:30": 1110,
        "Thursday at 20:30": 1230,
    }
    close = 1260
    gold = [
        o
        for o in [
            "Thursday at 20:00",
            "Thursday at 20:30",
            "Thursday at 19:15",
            "Thursday at 18:30",
        ]
        if close - 120 <= O[o] <= close - 45
    ]
    return gold


def core_a9363ba70f():
    """Who failed, but would have passed with one more point in the exam?"""
    d = {
        "Mei": (45, 19, 9),
        "Igor": (36, 23, 10),
        "Joana": (50, 30, 6 + 1),
        "Salma": (41, 25, 7 + 1),
    }
    ok = lambda p, e, l: p + e >= 60 and e >= 20 and l >= 8
    gold = [
        o
        for o in ["Joana", "Mei", "Salma", "Igor"]
        if not ok(*d[o]) and ok(d[o][0], d[o][1] + 1, d[o][2])
    ]
    return gold


def core_abf5446b50():
    """When may people put out the bin for the first paper collection in May?"""
    O = {
        "On 1 May at 19:00": 24 + 19,
        "On 30 April at 19:00": 19,
        "On 1 May at 16:00": 24 + 16,
        "On 2 May at 07:00": 48 + 7,
    }
    collection = 48
    gold = [
        o
        for o in [
            "On 30 April at 19:00",
            "On 1 May at 16:00",
            "On 2 May at 07:00",
            "On 1 May at 19:00",
        ]
        if collection - 6 <= O[o] <= collection + 6.5
    ]
    return gold


def core_d079ad3f45():
    """Who was on call at 8:00 on Monday 17 April?"""
    starts = [
        (3, 9, "Bilal"),
        (10, 9, "Eszter"),
        (17, 9, "Duc"),
        (19, 9, "Bilal"),
        (24, 9, "Cristina"),
    ]
    now = [p for d, h, p in starts if (d, h) <= (17, 8)][-1]
    gold = [o for o in ["Eszter", "Duc", "Cristina", "Bilal"] if o == now]
    return gold


def core_d2fd5da8ea():
    """On 5 July, by whom may a file in Payroll be edited?"""
    role = {"Ximena": "admin", "Kofi": "editor", "Stefan": "editor", "Hana": "viewer"}
    day, promotion = 5, 5
    if day > promotion:
        role["Kofi"] = "admin"
    gold = [o for o in ["Stefan", "Kofi", "Hana", "Ximena"] if role[o] == "admin"]
    return gold


def core_a92850edf1():
    """When on Monday may Quentin take two more tablets?"""
    taken = [-2, 4, 10, 16]
    O = {"At 17:00": 17, "At 18:00": 18, "At 20:00": 20, "At 21:30": 21.5}
    ok = lambda t: t - 16 >= 6 and 2 * sum(t - x < 24 for x in taken) + 2 <= 8
    gold = [o for o in ["At 17:00", "At 21:30", "At 18:00", "At 20:00"] if ok(O[o])]
    return gold


def core_82c78be1ad():
    """Who cancelled free of charge?"""
    b = {"Dmitri": (11, 4, 0), "Anneli": (10, 3, 0), "Baraka": (10, 6, 0), "Celeste": (10, 2, 1)}
    now = 8 * 24 + 19
    free = lambda d, n, saver: not saver and now <= (d - (2 if n <= 4 else 7)) * 24 + 18
    gold = [o for o in ["Anneli", "Celeste", "Dmitri", "Baraka"] if free(*b[o])]
    return gold


def core_7978915cb0():
    """Who was charged for one night?"""
    b = {"Dmitri": (11, 4, 0), "Anneli": (10, 3, 0), "Baraka": (10, 6, 0), "Celeste": (10, 2, 1)}
    now = 8 * 24 + 19
    free = lambda d, n: now <= (d - (2 if n <= 4 else 7)) * 24 + 18
    gold = [
        o for o in ["Dmitri", "Celeste", "Baraka", "Anneli"] if not b[o][2] and not free(*b[o][:2])
    ]
    return gold


def core_0ca0ab2e17():
    """Which of these people may leave their vehicle there on Thursday from 14:00 to 17:00?"""
    v = {"Ines": (1.5, 1), "Jarek": (1.5, 0), "Kwame": (5, 1), "Lotte": (3.5, 0)}
    start, end = 14, 17
    ok = lambda t, permit: t <= 3.5 and start >= 14 and (permit or end - start <= 2)
    gold = [o for o in ["Ines", "Lotte", "Kwame", "Jarek"] if ok(*v[o])]
    return gold


def core_6cf2687f66():
    """Who may start in the first wave?"""
    r = {"Takumi": (34, [220]), "Bea": (62, [238]), "Carlos": (29, [195]), "Dorte": (61, [250])}
    wave = lambda t: 1 if t < 195 else 2 if t < 240 else 3
    best = lambda a, ts: wave(min(ts)) - (a > 60)
    gold = [o for o in ["Carlos", "Takumi", "Bea", "Dorte"] if best(*r[o]) <= 1]
    return gold


def core_ae03aff6ae():
    """Who has to pay 6 euros every month at present?"""
    c = {
        "Leila": (25, [900, 900]),
        "Marek": (36, [1200, 1200]),
        "Noor": (41, [1150, 1210]),
        "Owen": (50, [1190, 1190]),
    }
    pays = lambda a, x: a >= 26 and x < 1200
    gold = [o for o in ["Marek", "Leila", "Noor", "Owen"] if all(pays(c[o][0], x) for x in c[o][1])]
    return gold


def core_ba21709482():
    """After watching 'Paper Moon Street' to its end, what can Aiko see from the beginning?"""
    start = {
        "North Window": 1230,
        "Second Harvest": 1215,
        "Quiet Engine": 1155 + 30,
        "Salt Road": 1020,
    }
    free = 20 * 60 + 10 + 10
    gold = [
        o
        for o in ["Second Harvest", "North Window", "Quiet Engine", "Salt Road"]
        if start[o] >= free
    ]
    return gold


def core_0fa8712526():
    """Where may people bathe on the evening of 8 July?"""
    t = {
        "At Norra": [480, 510, 470, 450],
        "At Holmen": [410, 420, 430, 440],
        "At Udden": [620, 400, 530, 380],
        "At Viken": [300, 310, 520, 290],
    }

    def is_open(v):
        o = True
        for i, x in enumerate(v):
            o = x <= 500 and (o or v[i - 1] <= 500)
        return o

    gold = [o for o in ["At Holmen", "At Norra", "At Viken", "At Udden"] if is_open(t[o])]
    return gold


def core_41c457daf5():
    """At which of these beaches did a closure end on 5 July?"""
    t = {
        "Norra": [480, 510, 470],
        "Sandvik": [500, 500, 490],
        "Udden": [620, 400, 530],
        "Viken": [300, 310, 520],
    }

    def st(v):
        o, s = True, []
        for i, x in enumerate(v):
            o = x <= 500 and (o or v[i - 1] <= 500)
            s.append(o)
        return s

    gold = [o for o in ["Sandvik", "Udden", "Norra", "Viken"] if not st(t[o])[1] and st(t[o])[2]]
    return gold


def core_aa26f20299():
    """Who had 28 days of leave in 2024?"""
    import datetime as d

    j = {
        "Ikram": (2012, 6, 1, 1),
        "Wanda": (2014, 1, 1, 1),
        "Sione": (2014, 1, 2, 1),
        "Petra": (2015, 2, 1, 0.8),
    }

    def leave(y, m, n, part):
        return (25 + 3 * (d.date(y + 10, m, n) <= d.date(2024, 1, 1))) * part

    gold = [o for o in ["Petra", "Sione", "Wanda", "Ikram"] if leave(*j[o]) == 28]
    return gold


def core_5ba9bfb559():
    """Whose change could be merged under the rules?"""
    freeze = (8, 29)
    c = {
        "Tariq's": ("bug", "Ravi", (8, 30)),
        "Ravi's": ("menu", "Lena", (8, 31)),
        "Yuki's": ("icon", "", (9, 1)),
        "Sofie's": ("bug", "", (9, 2)),
    }
    ok = lambda kind, by, day: day < freeze or (kind == "bug" and by == "Lena")
    gold = [o for o in ["Yuki's", "Ravi's", "Sofie's", "Tariq's"] if ok(*c[o])]
    return gold


def core_ef1fbb4ebc():
    """Who may give blood on 1 September?"""
    import datetime as d

    day = d.date(2023, 9, 1)
    ok = {
        "Ingeborg": (day - d.date(2023, 7, 7)).days >= 56,
        "Hamid": day >= d.date(2023, 9, 10),
        "Julio": (day - d.date(2023, 8, 5)).days >= 28,
        "Katya": 49 >= 50,
    }
    gold = [o for o in ["Katya", "Ingeborg", "Hamid", "Julio"] if ok[o]]
    return gold


def core_1e50add5a3():
    """How much does Aylin have to pay for her checked bag?"""
    import math

    fee = 12 * math.ceil(25.4 - 23)
    gold = [o for o in ["30 euros", "48 euros", "24 euros", "12 euros"] if o == f"{fee} euros"]
    return gold


def core_e4e7a85e0d():
    """Which of the bodies sank in the oil but floated in the water?"""
    b = {"Body P": 55 / 50, "Body Q": 19 / 20, "Body R": 13 / 10, "Body S": 24 / 30}
    gold = [o for o in ["Body Q", "Body P", "Body R", "Body S"] if 0.9 < b[o] < 1.0]
    return gold


def core_0c3d6ceb33():
    """Who had to miss round 10?"""
    y = {"Ebba": 2, "Gil": 2, "Fofana": 1, "Hugo": 0}
    miss = {k: set() for k in y}
    for rnd, who, c in [(8, "Ebba", "y"), (8, "Fofana", "y"), (8, "Hugo", "r"), (9, "Fofana", "y")]:
        if c == "r":
            miss[who] |= {rnd + 1, rnd + 2}
        else:
            y[who] += 1
            if y[who] == 3:
                miss[who].add(rnd + 1)
    gold = [o for o in ["Gil", "Fofana", "Hugo", "Ebba"] if 10 in miss[o]]
    return gold


def core_69f9540357():
    """For whom did the rule still forbid playing in round 11?"""
    y = {"Ebba": 2, "Gil": 2, "Fofana": 1, "Hugo": 0}
    miss = {k: set() for k in y}
    for rnd, who, c in [(8, "Ebba", "y"), (8, "Fofana", "y"), (8, "Hugo", "r"), (9, "Fofana", "y")]:
        if c == "r":
            miss[who] |= {rnd + 1, rnd + 2}
        else:
            y[who] += 1
            if y[who] == 3:
                miss[who].add(rnd + 1)
    gold = [o for o in ["Gil", "Ebba", "Fofana", "Hugo"] if 11 in miss[o]]
    return gold


def core_956c95611d():
    """With whom was business done in May that the head had to approve?"""
    t = {"Nordprint": 320 + 260, "Vela": 500, "Chairland": 2000, "Dataline": 2050}
    gold = [o for o in ["Nordprint", "Chairland", "Dataline", "Vela"] if 500 < t[o] <= 2000]
    return gold


def core_77483b763c():
    """How much did Yara have to pay for the film?"""
    import datetime as d

    n = sum(d.date(2023, 5, k).weekday() not in (6, 0) for k in range(10, 18))
    gold = [
        o
        for o in ["1.40 euros", "0.80 euros", "1.20 euros", "1.60 euros"]
        if o == f"{n * 0.2:.2f} euros"
    ]
    return gold


def core_8c8682974e():
    """Which of the courses took place?"""
    n = {"Chinese": 11, "Latin": 12, "Spanish": 14, "Drama": 9, "Painting": 18, "Music": 30}
    n["Latin"] -= 1
    n["Spanish"] += 1
    n["Painting"] -= 2
    n["Drama"] += 2
    gold = [o for o in ["Drama", "Spanish", "Latin", "Painting"] if n[o] >= 12]
    return gold


def core_8e25ea963e():
    """Who may have the tree cut down on 2 April?"""
    t = {
        "Wim": ("walnut", 90, 1),
        "Vasco": ("apple", 95, 0),
        "Ulla": ("maple", 70, 0),
        "Xenia": ("birch", 110, 0),
    }
    day, danger = (4, 2), False
    ok = lambda k, cm, permit: (
        (danger or not (3, 1) <= day <= (9, 30)) and (k == "apple" or cm <= 80 or permit)
    )
    gold = [o for o in ["Xenia", "Wim", "Vasco", "Ulla"] if ok(*t[o])]
    return gold


def core_d3f87eb040():
    """Who may drive in the zone on Wednesday 4 June 2025?"""
    c = {
        "Aoife": ("d", 5, 2015, 1),
        "Bashir": ("p", 4, 2015, 0),
        "Clara": ("d", 5, 2015, 0),
        "Deniz": ("p", 1, 1988, 0),
    }
    day, weekend = (2025, 6, 4), False
    ok = lambda f, k, y, res: (
        k >= (6 if f == "d" else 4) - (res and day <= (2025, 6, 30)) or (y < 1990 and weekend)
    )
    gold = [o for o in ["Deniz", "Bashir", "Aoife", "Clara"] if ok(*c[o])]
    return gold


def core_0c9f1749ca():
    """Which of these people may use their car there on Saturday 5 July 2025, but not on ..."""
    c = {
        "Aoife": ("d", 5, 2015, 1),
        "Bashir": ("p", 4, 2015, 0),
        "Clara": ("d", 5, 2015, 0),
        "Deniz": ("p", 1, 1988, 0),
    }
    ok = lambda day, we, f, k, y, res: (
        k >= (6 if f == "d" else 4) - (res and day <= (2025, 6, 30)) or (y < 1990 and we)
    )
    gold = [
        o
        for o in ["Bashir", "Clara", "Aoife", "Deniz"]
        if ok((2025, 7, 5), 1, *c[o]) and not ok((2025, 7, 7), 0, *c[o])
    ]
    return gold


def core_f23b35b26a():
    """What can Tove use with the laptop at one and the same time in June?"""
    free = ["right"]  # left: charger; HDMI: broken; card slot: cards only
    need = {
        "The headset and a screen": 2,
        "Two screens": 2,
        "The stick and a screen": 2,
        "The stick and the headset": 2,
    }
    gold = [
        o
        for o in [
            "The stick and the headset",
            "Two screens",
            "The headset and a screen",
            "The stick and a screen",
        ]
        if need[o] <= len(free)
    ]
    return gold


def core_01b77a60b9():
    """When in the week from 27 October can Elif have her knee treated?"""
    knee = {("Monday", 8, 18), ("Thursday", 12.5, 18), ("Friday", 8, 18)}
    O = {
        "Tuesday at 10:00": ("Tuesday", 10),
        "Wednesday at 9:00": ("Wednesday", 9),
        "Wednesday at 14:00": ("Wednesday", 14),
        "Thursday at 11:00": ("Thursday", 11),
    }
    gold = [
        o
        for o in [
            "Thursday at 11:00",
            "Tuesday at 10:00",
            "Wednesday at 14:00",
            "Wednesday at 9:00",
        ]
        if any(d == O[o][0] and a <= O[o][1] < b for d, a, b in knee)
    ]
    return gold


def core_795debb324():
    """At what time can Goran cross with his bicycle on a Wednesday in January?"""
    bikes = {"At 11:00"}
    month, weekend = 1, False
    runs = lambda o: not (o == "At 11:00" and month in (11, 12, 1, 2, 3) and not weekend)
    gold = [o for o in ["At 7:30", "At 11:00", "At 15:30", "At 19:00"] if o in bikes and runs(o)]
    return gold


def core_66eff50faf():
    """Who may vote at the meeting?"""
    m = {
        "Ayodele": (44, (3, 15), 1, 0),
        "Britt": (81, (0, 0), 0, 1),
        "Cem": (30, (3, 16), 1, 0),
        "Delphine": (15, (0, 0), 1, 0),
    }
    gold = [
        o
        for o in ["Britt", "Cem", "Delphine", "Ayodele"]
        if m[o][0] >= 16 and m[o][1] <= (3, 15) and (m[o][2] or m[o][3])
    ]
    return gold


def core_f236c9da4b():
    """Which of the dishes held 1,600 cells at 11:00?"""
    n = {
        "Dish 1": 100 * 2 ** (60 // 20),
        "Dish 2": 100 * 2 ** (180 // 60),
        "Dish 3": 100 * 2 ** (80 // 20),
        "Dish 4": 100 * 2 ** (40 // 20) * 2 ** (120 // 60),
    }
    gold = [o for o in ["Dish 1", "Dish 3", "Dish 4", "Dish 2"] if n[o] == 1600]
    return gold


def core_55be4f22b2():
    """In which of these cities is it still Friday when the match begins?"""
    utc = 19.5 - 11
    off = {"Honolulu": -10, "Los Angeles": -8, "São Paulo": -3, "London": 0}
    gold = [o for o in ["London", "São Paulo", "Honolulu", "Los Angeles"] if utc + off[o] < 0]
    return gold


def core_8bb897e728():
    """Who can watch the whole match live?"""
    k = 19.5 - 11
    free = {
        "Kai": (0, 24, k - 10 + 24),
        "Yuto": (18, 24, k + 9),
        "Oliver": (0, 10, k),
        "Bruna": (7, 24, k - 3),
    }
    gold = [
        o
        for o in ["Oliver", "Yuto", "Kai", "Bruna"]
        if free[o][0] <= free[o][2] and free[o][2] + 2 <= free[o][1]
    ]
    return gold


def core_9a1551259c():
    """On which of these days in the week of the concert do tenors rehearse?"""
    week = {
        "Monday": {"alto", "bass"},
        "Tuesday": {"soprano", "tenor"},
        "Wednesday": set(),
        "Thursday": {"soprano", "alto", "tenor", "bass"},
        "Friday": set(),
    }
    gold = [o for o in ["Monday", "Tuesday", "Wednesday", "Friday"] if "tenor" in week[o]]
    return gold


def core_d916f9d50a():
    """Who can get the grant?"""
    a = {
        "Kenji": (30, 1.7, 0, 1, 0),
        "Johanna": (31, 2.6, 1, 1, 0),
        "Idris": (29, 2.0, 0, 1, 2),
        "Larissa": (24, 1.9, 0, 0, 0),
    }
    ok = lambda age, m, child, full, had: (
        full and had < 2 and age < (35 if child else 30) and m <= (2.5 if child else 2.0)
    )
    gold = [o for o in ["Idris", "Larissa", "Johanna", "Kenji"] if ok(*a[o])]
    return gold


def core_8e2159d726():
    """Who gets the bonus?"""
    n = {"Samir": 36 + 8 / 2, "Thandi": 41, "Rosalind": 42 - 3, "Ulf": 35 + 8 / 2}
    gold = [o for o in ["Thandi", "Ulf", "Rosalind", "Samir"] if n[o] >= 40]
    return gold


def core_1ca5f6ec8c():
    """Of which of these days was there a backup at noon on 31 May?"""
    import datetime as d

    D = {"20 May": (5, 20), "23 May": (5, 23), "23 April": (4, 23), "3 May": (5, 3)}
    now = d.datetime(2023, 5, 31, 12)

    def ok(m, n):
        t = d.datetime(2023, m, n, 23)
        keep = 365 if n == 1 else 35 if t.weekday() == 6 else 7
        return (m, n) != (5, 1) and now < t + d.timedelta(days=keep)

    gold = [o for o in ["20 May", "23 May", "23 April", "3 May"] if ok(*D[o])]
    return gold


def core_e93b2d0f4a():
    """Which of these backups still existed on 31 May at noon?"""
    import datetime as d

    D = {
        "That of 30 April": (4, 30, 23, 35),
        "That of 2 May, 9:00": (5, 2, 9, 365),
        "That of 21 May": (5, 21, 23, 35),
        "That of 22 May": (5, 22, 23, 7),
    }
    now = d.datetime(2023, 5, 31, 12)
    gold = [
        o
        for o in ["That of 30 April", "That of 2 May, 9:00", "That of 21 May", "That of 22 May"]
        if now < d.datetime(2023, *D[o][:3]) + d.timedelta(days=D[o][3])
    ]
    return gold


def core_1a507076e3():
    """A recipe for 4 people needs 300 g of flour. How much flour is needed for 10 people?"""
    options = {"700 g": 700, "600 g": 600, "0.75 kg": 750, "0.9 kg": 900}
    answer = 300 * 10 // 4
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_8edd57a42e():
    """A sofa was ordered on a Thursday and arrived exactly 17 days later. On what day of..."""
    options = ["Tuesday", "Monday", "Friday", "Saturday"]
    days = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
    gold = [o for o in options if o == days[(3 + 17) % 7]]
    return gold


def core_afa70cbbb1():
    """Half of an estate of 96,000 euros goes to the widow and the rest in equal shares t..."""
    options = {
        "20,000 euros": 20000,
        "48,000 euros": 48000,
        "16,000 euros": 16000,
        "32,000 euros": 32000,
    }
    share = 96000 // 2 // 3
    answer = share + share // 2
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_b1fc2b5f79():
    """A call is planned for 15:00 UTC. At which UTC offset is the local time then later ..."""
    options = {"UTC+5:30": 5.5, "UTC+3": 3, "UTC+9": 9, "UTC+8": 8}
    gold = [o for o, v in options.items() if 18 < 15 + v < 24]
    return gold


def core_0f31af56bc():
    """Which temperature is below the freezing point of pure water at normal pressure?"""
    options = {
        "35 °F": 1.6666666666666667,
        "20 °F": -6.666666666666667,
        "260 K": -13.149999999999977,
        "-5 °C": -5,
    }
    gold = [o for o, c in options.items() if c < 0]
    return gold


def core_d029e05e5e():
    """The mean of Kofi's first four marks is 7. After a fifth mark the mean is 7.6. What..."""
    options = {"9": 9, "8": 8, "8.2": 8.2, "10": 10}
    answer = round(5 * 7.6 - 4 * 7, 6)
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_3e405656cb():
    """Which quantity is equal to 1.5 litres?"""
    options = {
        "150 centilitres": 1500,
        "1500 millilitres": 1500,
        "15 centilitres": 150,
        "150 millilitres": 150,
    }
    gold = [o for o, ml in options.items() if ml == 1500]
    return gold


def core_a386ab7531():
    """The binary number 10110, written as a decimal number, is ..."""
    options = {"26": 26, "18": 18, "20": 20, "44": 44}
    answer = int("10110", 2)
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_769fdccc9d():
    """Of all people tested, 2 percent have a disease. The test is positive for 90 percen..."""
    options = {"90 percent": 90, "19 percent": 19, "92 percent": 92, "82 percent": 82}
    sick, healthy = 0.02 * 0.90, 0.98 * 0.08
    answer = round(100 * sick / (sick + healthy))
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_1de4c471f9():
    """A fund doubles in value every 12 years. In how many years does it grow to eight ti..."""
    options = {"36 years": 36, "48 years": 48, "84 years": 84, "96 years": 96}
    years, value = 0, 1
    while value < 8:
        value *= 2
        years += 12
    answer = years
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_066718d57e():
    """In a knockout tournament with 37 players, the loser of each match leaves and no ma..."""
    options = {"32 matches": 32, "37 matches": 37, "64 matches": 64, "18 matches": 18}
    answer = 37 - 1
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_44e0e4c61e():
    """What number is prime?"""
    options = {"119": 119, "161": 161, "87": 87, "133": 133}
    gold = [o for o, n in options.items() if all(n % d for d in range(2, n))]
    return gold


def core_5eb9e7f89d():
    """A report of 45 pages is read at a steady 3 minutes a page. How long does the readi..."""
    options = {"1 h 45 min": 105, "2 h 25 min": 145, "125 minutes": 125, "165 minutes": 165}
    answer = 45 * 3
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_d828ce11a8():
    """The amount of a drug in the blood halves every 4 hours. When is less than 10 mg of..."""
    options = ["After 16 hours", "After 12 hours", "After 15 hours", "After 8 hours"]
    gold = [o for o in options if 160 / 2 ** (int(o.split()[1]) / 4) < 10]
    return gold


def core_31a986fe01():
    """How many votes are more than two thirds of the votes in a council of 60 members?"""
    options = {"39 votes": 39, "40 votes": 40, "41 votes": 41, "45 votes": 45}
    gold = [o for o, n in options.items() if 3 * n > 2 * 60]
    return gold


def core_f6d8991448():
    """A coach travels for one hour at 80 km/h and then for two hours at 50 km/h. What is..."""
    options = {"62 km/h": 62, "60 km/h": 60, "70 km/h": 70, "65 km/h": 65}
    answer = (80 + 2 * 50) / 3
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_d6146dbbbf():
    """Hana earns 18 euros an hour for the first 38 hours of a week and 50 percent more f..."""
    options = {"42 hours": 42, "40 hours": 40, "41 hours": 41, "43 hours": 43}
    pay = lambda h: 18 * min(h, 38) + 27 * max(h - 38, 0)
    gold = [o for o, h in options.items() if pay(h) > 800]
    return gold


def core_6999089365():
    """A capsule is due every six hours, and Tomasz takes the first one of the day at 04:..."""
    options = {"20:30": 1230, "10:30": 630, "22:30": 1350, "16:30": 990}
    due = [4 * 60 + 30 + 6 * 60 * k for k in range(1, 4)]
    gold = [o for o, v in options.items() if v in due and v < 1440]
    return gold


def core_603af6c093():
    """Of 40 people in an office, 26 speak French, 19 speak Arabic and 5 speak neither. H..."""
    options = {"5 people": 5, "9 people": 9, "8 people": 8, "14 people": 14}
    answer = 26 + 19 - (40 - 5)
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_a8a784384f():
    """Which temperature is higher than 37 °C?"""
    options = {"310 K": 36.85000000000002, "36 °C": 36, "95 °F": 35.0, "98 °F": 36.666666666666664}
    gold = [o for o, c in options.items() if c > 37]
    return gold


def core_1210a15f17():
    """One tin of paint covers 12 square metres. How many tins must Ingrid buy to paint f..."""
    options = {"2 tins": 2, "3 tins": 3, "6 tins": 6, "4 tins": 4}
    answer = math.ceil(4 * 5 * 2.5 / 12)
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_25418974a0():
    """A line carries 20 megabits per second. Which file can it carry in less than two mi..."""
    options = {
        "A file of 400 megabytes": 400,
        "A file of 2400 megabytes": 2400,
        "A file of 320 megabytes": 320,
        "A file of 1200 megabytes": 1200,
    }
    gold = [o for o, mb in options.items() if mb * 8 / 20 < 120]
    return gold


def core_05351ef811():
    """A parking fine of 60 euros is halved if it is paid within 14 days and rises by a q..."""
    options = ["Day 31", "Day 30", "Day 7", "Day 14"]
    fine = lambda day: 30 if day <= 14 else 75 if day > 30 else 60
    gold = [o for o in options if fine(int(o[4:])) == 60]
    return gold


def core_2893f1c1de():
    """How much is three eighths of 320 euros?"""
    options = {
        "A third of 330 euros": 110,
        "140 euros": 140,
        "A quarter of 480 euros": 120,
        "120 euros": 120,
    }
    answer = 320 * 3 // 8
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_4aed89bc4e():
    """Which sum is 15 percent of 240 dollars?"""
    options = {"34 dollars": 34, "40 dollars": 40, "24 dollars": 24, "30 dollars": 30}
    answer = 240 * 15 // 100
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_55fa1cf6e1():
    """What does this Python code print? total = 0 for i in range(1, 10, 3): total += i p..."""
    options = {"9": 9, "15": 15, "45": 45, "22": 22}
    answer = sum(range(1, 10, 3))
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_b1013211bf():
    """For which list of numbers is the median greater than the mean?"""
    options = ["2, 7, 7, 8", "1, 8, 9", "5, 6, 7", "3, 4, 8"]
    lists = {o: [int(x) for x in o.split(", ")] for o in options}
    median = lambda v: (v[(len(v) - 1) // 2] + v[len(v) // 2]) / 2
    gold = [o for o, v in lists.items() if median(v) > sum(v) / len(v)]
    return gold


def core_c53b3dd176():
    """A course starts on a Wednesday, and its final exam is exactly 100 days later. On w..."""
    options = ["Monday", "Thursday", "Saturday", "Wednesday"]
    days = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
    gold = [o for o in options if o == days[(2 + 100) % 7]]
    return gold


def core_fab99bd4f1():
    """Yusuf drives 90 km to a depot at 60 km/h and returns by the same road at 90 km/h. ..."""
    options = {"78 km/h": 78, "70 km/h": 70, "75 km/h": 75, "72 km/h": 72}
    answer = 180 / fractions.Fraction(90 * 90 + 90 * 60, 60 * 90)
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_f72d8d16fc():
    """Which number is divisible by 9 and by 4 but not by 8?"""
    options = {"108": 108, "144": 144, "54": 54, "72": 72}
    gold = [o for o, n in options.items() if n % 9 == 0 and n % 4 == 0 and n % 8]
    return gold


def core_5b30236356():
    """Ines set her old watch exactly at 06:00, but it loses 3 minutes per true hour. Now..."""
    options = {"15:02": 902, "15:57": 957, "16:30": 990, "15:00": 900}
    shown = 15 * 60 + 30 - 6 * 60
    answer = 6 * 60 + shown * 60 / 57
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_e7e84f2361():
    """A lease runs for exactly 18 months, and its first day is 15 March 2023. Which date..."""
    options = ["14 August 2024", "15 September 2024", "14 October 2024", "14 September 2024"]
    month = 3 + 18
    end = datetime.date(2023 + (month - 1) // 12, (month - 1) % 12 + 1, 15) - datetime.timedelta(
        days=1
    )
    gold = [o for o in options if datetime.datetime.strptime(o, "%d %B %Y").date() == end]
    return gold


def core_25a59fb3fe():
    """Which country has a land border with Spain and another with Italy?"""
    options = ["France", "Portugal", "Switzerland", "Austria"]
    spain = {"France", "Portugal", "Andorra", "Morocco"}
    italy = {"France", "Switzerland", "Austria", "Slovenia", "San Marino"}
    gold = [o for o in options if o in spain & italy]
    return gold


def core_fa22e90975():
    """A win gives 3 points, a draw 1 and a loss 0. A team has played 12 matches, has los..."""
    options = {"2 draws": 2, "0 draws": 0, "3 draws": 3, "6 draws": 6}
    answer = [d for d in range(10) if 3 * (9 - d) + d == 21][0]
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_5eb3774756():
    """At a meeting, each person shakes hands once with each other person. With how many ..."""
    options = {"8 people": 8, "10 people": 10, "12 people": 12, "9 people": 9}
    gold = [o for o, n in options.items() if math.comb(n, 2) > 40]
    return gold


def core_6cbe6fc283():
    """The price of a ticket goes up by 25 percent and later comes down by 20 percent. Wh..."""
    options = {"5 percent higher": 5, "The same": 0, "1 percent lower": -1, "5 percent lower": -5}
    answer = round((1.25 * 0.80 - 1) * 100, 6)
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_e5b7d27db5():
    """A meeting starts at 14:15 and lasts 50 minutes. When does it end?"""
    options = {"15:55": 955, "15:15": 915, "15:05": 905, "14:55": 895}
    answer = 14 * 60 + 15 + 50
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_b5caf7451a():
    """In which year does the Gregorian calendar have a 29 February?"""
    options = {"1900": 1900, "2000": 2000, "2100": 2100, "1600": 1600}
    gold = [o for o, y in options.items() if y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)]
    return gold


def core_dfe37e95a3():
    """Leila opens a box of 15 capsules on Monday at 08:00, swallows the first at once an..."""
    options = ["Sunday at 08:00", "Sunday at 20:00", "Monday at 20:00", "Tuesday at 08:00"]
    days = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
    hour = 8 + 14 * 12
    answer = f"{days[hour // 24 % 7]} at {hour % 24:02d}:00"
    gold = [o for o in options if o == answer]
    return gold


def core_2548d9619f():
    """How long is a shift that runs from 08:40 to 12:25 without a break?"""
    options = {"225 minutes": 225, "4 h 15 min": 255, "3.75 hours": 225, "3 h 35 min": 215}
    answer = (12 * 60 + 25) - (8 * 60 + 40)
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_ee78a65d93():
    """How can the decimal number 20 be written in another base?"""
    options = {
        "16 in hexadecimal": 22,
        "22 in octal": 18,
        "10110 in binary": 22,
        "10010 in binary": 18,
    }
    base = {"binary": 2, "octal": 8, "hexadecimal": 16}
    assert all(int(o.split()[0], base[o.split()[2]]) == v for o, v in options.items())
    gold = [o for o, v in options.items() if v == 20]
    return gold


def core_999560da45():
    """A runner needs 5 minutes 12 seconds for each kilometre. How long does she need for..."""
    options = {"1 h 15 min": 75, "1 h 28 min": 88, "80 minutes": 80, "78 minutes": 78}
    answer = 15 * (5 * 60 + 12) // 60
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_d38b4997fd():
    """A tap loses 2 millilitres of water every 5 seconds. How much water does it lose in..."""
    options = {
        "8640 millilitres": 8640,
        "34.56 litres": 34560,
        "345.6 litres": 345600,
        "34560 millilitres": 34560,
    }
    answer = 24 * 3600 // 5 * 2
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_cf6889c57d():
    """Which address is a private IPv4 address under RFC 1918?"""
    options = ["172.32.0.5", "10.200.3.7", "192.169.1.1", "172.20.4.1"]
    low_high = [((10, 0), (10, 255)), ((172, 16), (172, 31)), ((192, 168), (192, 168))]
    head = lambda o: tuple(int(x) for x in o.split(".")[:2])
    gold = [o for o in options if any(a <= head(o) <= b for a, b in low_high)]
    return gold


def core_431a8d1ec6():
    """Of 30 employees, 22 own a bicycle and 17 own a car. How many of them may own both?"""
    options = {"17 employees": 17, "9 employees": 9, "8 employees": 8, "12 employees": 12}
    gold = [o for o, n in options.items() if 22 + 17 - 30 <= n <= 17]
    return gold


def core_99774201ed():
    """A household cuts its use of water from 200 to 150 litres a day. By how much does i..."""
    options = {"50 percent": 50, "33 percent": 33, "20 percent": 20, "25 percent": 25}
    answer = (200 - 150) * 100 // 200
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_523bde7a74():
    """In which word does no letter occur twice?"""
    options = ["planet", "school", "letter", "bridge"]
    gold = [o for o in options if len(set(o)) == len(o)]
    return gold


def core_9690dfa057():
    """How long is a day and a half?"""
    options = {"1800 minutes": 1800, "34 hours": 2040, "2260 minutes": 2260, "30 hours": 1800}
    gold = [o for o, v in options.items() if v == 36 * 60]
    return gold


def core_2dea0747bc():
    """At which temperature do a Celsius and a Fahrenheit thermometer show the same number?"""
    options = {"At 0 degrees": 0, "At -40 degrees": -40, "At 32 degrees": 32, "At -32 degrees": -32}
    gold = [o for o, c in options.items() if c * 9 / 5 + 32 == c]
    return gold


def core_3226640287():
    """A clock gains 4 minutes in each hour of true time and was right at 08:00. What doe..."""
    options = {"17:04": 1024, "17:32": 1052, "17:36": 1056, "16:24": 984}
    answer = 17 * 60 + 9 * 4
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_70fdcb268e():
    """A rower covers 1.8 km in 10 minutes. What is his average speed?"""
    options = {
        "3 metres per second": 180,
        "10.8 km/h": 180,
        "18 km/h": 300,
        "180 metres per minute": 180,
    }
    answer = 1800 // 10
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_d33352e226():
    """Which Python 3 expression has the value 7?"""
    options = ["13 // 2", "-(-13 // 2)", "2 ** 3 - 1", "15 // 2"]
    gold = [o for o in options if eval(o) == 7]
    return gold


def core_20a49e5cb4():
    """A trial period lasts 90 days, and its first day is 10 January 2023. What is its la..."""
    options = ["11 April 2023", "8 April 2023", "7 April 2023", "10 April 2023"]
    end = datetime.date(2023, 1, 10) + datetime.timedelta(days=89)
    gold = [o for o in options if datetime.datetime.strptime(o, "%d %B %Y").date() == end]
    return gold


def core_0a6f641cec():
    """A motion passes with at least three fifths of the votes cast, and abstentions do n..."""
    options = {"90 votes": 90, "69 votes": 69, "58 votes": 58, "78 votes": 78}
    answer = math.ceil((150 - 20 - 15) * 3 / 5)
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_1c67727637():
    """Which product is equal to 56?"""
    options = {"7 × 8": 56, "5 × 11": 55, "6 × 9": 54, "8 × 8": 64}
    answer = 56
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_a275badf00():
    """A plank is sawn into 7 pieces, one cut after another, and each cut takes 4 minutes..."""
    options = {"32 minutes": 32, "14 minutes": 14, "21 minutes": 21, "28 minutes": 28}
    answer = (7 - 1) * 4
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_25c95f100a():
    """Which English word reads the same from right to left?"""
    options = ["metal", "pepper", "level", "noodle"]
    gold = [o for o in options if o == o[::-1]]
    return gold


def core_d400af1453():
    """A plane takes off at 13:20 local time in a city on UTC-4 and lands at 02:05 local ..."""
    options = {"18 h 45 min": 1125, "7 h 45 min": 465, "6 h 15 min": 375, "12 h 45 min": 765}
    answer = (24 * 60 + 2 * 60 + 5 - 2 * 60) - (13 * 60 + 20 + 4 * 60)
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_c79f3e19b3():
    """A file of 6 gigabytes, at 1000 megabytes each, is sent over a line that carries 48..."""
    options = {"125 seconds": 125, "288 seconds": 288, "8000 seconds": 8000, "1000 seconds": 1000}
    answer = 6 * 1000 * 8 // 48
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_f444f39c34():
    """What takes more than 3 kilowatt-hours of electricity?"""
    options = {
        "2000 watts for 2 hours": 4000,
        "150 watts for 24 hours": 3600,
        "800 watts for 4 hours": 3200,
        "60 watts for 48 hours": 2880,
    }
    gold = [o for o, wh in options.items() if wh > 3000]
    return gold


def core_fb234d1957():
    """How many neutrons are there in the nucleus of an atom of carbon-14?"""
    options = {"8": 8, "6": 6, "14": 14, "7": 7}
    answer = 14 - 6
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_798749fcf1():
    """Brazil and Chile have a common neighbour by land, namely ..."""
    options = ["Colombia", "Ecuador", "Paraguay", "Uruguay"]
    brazil = {
        "Argentina",
        "Bolivia",
        "Colombia",
        "Guyana",
        "Paraguay",
        "Peru",
        "Suriname",
        "Uruguay",
        "Venezuela",
    }
    chile = {"Argentina", "Bolivia", "Peru"}
    gold = [o for o in options if o in brazil & chile]
    return gold


def core_2bf030811e():
    """A bill of 90 euros includes a sales tax of 20 percent on the net price. How much t..."""
    options = {"12 euros": 12, "16 euros": 16, "20 euros": 20, "18 euros": 18}
    answer = 90 - 90 / 1.2
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_92dfb73e19():
    """What number is a multiple of 9?"""
    options = {"48": 48, "56": 56, "69": 69, "85": 85}
    gold = [o for o, n in options.items() if n % 9 == 0]
    return gold


def core_63e2d9a0a1():
    """A paper bin is emptied every three weeks, first on Tuesday, 3 October 2023. On whi..."""
    options = ["17 October", "7 November", "28 November", "19 December"]
    first = datetime.date(2023, 10, 3)
    days = {first + datetime.timedelta(days=21 * k) for k in range(1, 5)}
    gold = [
        o for o in options if datetime.datetime.strptime(o + " 2023", "%d %B %Y").date() in days
    ]
    return gold


def core_72921370f7():
    """A coffee costs 2.80 euros, and Ravi pays with a ten-euro note. How much change is ..."""
    options = {"7.80 euros": 7.8, "7.20 euros": 7.2, "6.80 euros": 6.8, "8.20 euros": 8.2}
    answer = 10 - 2.8
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_b3866bb4af():
    """Six painters finish a hall in 10 days. In how many days do 15 painters finish it a..."""
    options = {"25 days": 25, "5 days": 5, "4 days": 4, "6 days": 6}
    answer = 6 * 10 // 15
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_f9737f6350():
    """A lamp of 40 watts burns 5 hours a day, and a kilowatt-hour costs 0.30 euros. What..."""
    options = {"0.06 euros": 0.06, "6.00 euros": 6.0, "18.00 euros": 18.0, "1.20 euros": 1.2}
    answer = round(40 * 5 * 30 / 1000 * 0.30, 6)
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_5f1917084a():
    """A straight fence of 24 metres has a post at each end and a post every 3 metres bet..."""
    options = {"8 posts": 8, "9 posts": 9, "7 posts": 7, "10 posts": 10}
    answer = 24 // 3 + 1
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_005e6e5131():
    """A night train leaves at 22:47 and arrives at 06:12 in the same time zone. How long..."""
    options = {"8 h 25 min": 505, "445 minutes": 445, "7 h 35 min": 455, "395 minutes": 395}
    answer = (6 * 60 + 12 - 22 * 60 - 47) % 1440
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_bd3245376e():
    """The value of a fund goes up by 10 percent and then falls by 30 percent. What is th..."""
    options = {
        "A loss of 33 percent": -33,
        "A loss of 20 percent": -20,
        "A loss of 23 percent": -23,
        "A loss of 27 percent": -27,
    }
    answer = round((1.10 * 0.70 - 1) * 100, 6)
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_c7fb38ac89():
    """The mean mark is 6 in a class of 20 pupils and 8 in a class of 30 pupils. What is ..."""
    options = {"7.5": 7.5, "7": 7, "7.4": 7.4, "6.8": 6.8}
    answer = (20 * 6 + 30 * 8) / 50
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_1f3123428b():
    """Which metal is liquid at 20 degrees Celsius and normal pressure?"""
    options = ["Caesium", "Sodium", "Gallium", "Lead"]
    melting = {"Gallium": 29.8, "Caesium": 28.5, "Lead": 327.5, "Sodium": 97.8}
    gold = [o for o in options if melting[o] < 20]
    return gold


def core_ab9e0d2fe9():
    """What brings a share price that has fallen from 100 euros to 80 euros back to exact..."""
    options = {
        "A rise of 20 percent": 96.0,
        "Two rises of 10 percent": 96.8,
        "A rise of 25 percent": 100.0,
        "A rise of 20 euros": 100,
    }
    gold = [o for o, v in options.items() if v == 100]
    return gold


def core_94f7c7fbac():
    """Which loan costs exactly 90 euros in simple interest?"""
    options = {
        "1000 euros at 3 percent for 2 years": 6000,
        "900 euros at 3 percent for 2 years": 5400,
        "1200 euros at 2 percent for 4 years": 9600,
        "1500 euros at 2 percent for 3 years": 9000,
    }
    gold = [o for o, v in options.items() if v / 100 == 90]
    return gold


def core_8e1d845f6a():
    """A swimmer covers 12 lengths of a 25-metre pool in 6 minutes. What is her average s..."""
    options = {
        "5 km/h": 5000 / 60,
        "3 km/h": 3000 / 60,
        "50 metres per minute": 50,
        "30 metres per minute": 30,
    }
    answer = 12 * 25 / 6
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_a7e0808c89():
    """How many different values can six bits represent?"""
    options = {"64": 64, "63": 63, "32": 32, "36": 36}
    answer = 2**6
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_40a1e6ff6e():
    """A nurse gives one tablet every 8 hours, the first at 07:00 on Monday. When does sh..."""
    options = ["Thursday at 15:00", "Thursday at 07:00", "Friday at 07:00", "Wednesday at 23:00"]
    days = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
    hour = 7 + 9 * 8
    answer = f"{days[hour // 24 % 7]} at {hour % 24:02d}:00"
    gold = [o for o in options if o == answer]
    return gold


def core_94931898e4():
    """A water plant doubles its area each day and covers a whole pond for the first time..."""
    options = ["Day 25", "Day 28", "Day 27", "Day 29"]
    gold = [o for o in options if 0.2 < 0.5 ** (30 - int(o[4:])) < 0.6]
    return gold


def core_bbdc880b47():
    """One dollar buys 0.80 euros, and one pound buys 1.25 dollars. Which sum is worth mo..."""
    options = {"85 euros": 106.25, "80 euros": 100.0, "81 pounds": 101.25, "79 pounds": 98.75}
    gold = [o for o, v in options.items() if v > 100]
    return gold


def core_b04e8d4773():
    """Which event is part of the men's decathlon?"""
    options = ["200 metres", "Hammer throw", "Triple jump", "5000 metres"]
    decathlon = {
        "100 metres",
        "Long jump",
        "Shot put",
        "High jump",
        "400 metres",
        "110 metres hurdles",
        "Discus throw",
        "Pole vault",
        "Javelin throw",
        "1500 metres",
    }
    gold = [o for o in options if o in decathlon]
    return gold


def core_8d52a34dbd():
    """Two printers finish a job together in 6 hours, and the faster one alone would need..."""
    options = {"16 hours": 16, "12 hours": 12, "4 hours": 4, "14 hours": 14}
    answer = 1 / (fractions.Fraction(1, 6) - fractions.Fraction(1, 10))
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_92816850b3():
    """What does this Python code print? a = [1, 2, 3] b = a c = a[:] b.append(4) c.appen..."""
    options = ["5 4", "4 5", "5 6", "4 4"]
    a = [1, 2, 3]
    b = a
    c = a[:]
    b.append(4)
    c.append(5)
    a.append(6)
    gold = [o for o in options if o == f"{len(b)} {len(c)}"]
    return gold


def core_4029f1e75b():
    """A lunch break begins at 12:35 and lasts 40 minutes. Which time falls within it?"""
    options = {"12:30": 750, "13:45": 825, "13:20": 800, "12:15": 735}
    gold = [o for o, t in options.items() if 12 * 60 + 35 <= t <= 13 * 60 + 15]
    return gold


def core_b424d9d0cf():
    """A van covers 45 km in 36 minutes. What is its average speed?"""
    options = {"0.8 km per minute": 48, "75 km/h": 75, "80 km/h": 80, "1.25 km per minute": 75}
    answer = 45 * 60 // 36
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_2e742a2066():
    """An objection has to arrive at least 30 days before 1 April 2023. On which date wou..."""
    options = ["5 March 2023", "3 March 2023", "1 March 2023", "27 February 2023"]
    limit = datetime.date(2023, 4, 1) - datetime.timedelta(days=30)
    gold = [o for o in options if datetime.datetime.strptime(o, "%d %B %Y").date() <= limit]
    return gold


def core_d669d3c91d():
    """What number leaves the remainder 2 on division by 5 and the remainder 1 on divisio..."""
    options = {"37": 37, "32": 32, "49": 49, "22": 22}
    gold = [o for o, n in options.items() if n % 5 == 2 and n % 3 == 1]
    return gold


def core_b5faec3995():
    """A win gives 3 points, a draw 1 and a loss 0. After how many matches can a team hav..."""
    options = {"7 matches": 7, "4 matches": 4, "12 matches": 12, "3 matches": 3}
    gold = [
        o
        for o, n in options.items()
        if any(3 * w + d == 10 for w in range(n + 1) for d in range(n + 1 - w))
    ]
    return gold
