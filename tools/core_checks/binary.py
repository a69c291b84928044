"""The computed answers of items of `binary`: their facts as data, and the answer that follows.

A function has the name of its item, and returns the answer.
"""

import datetime
import fractions
import math


def core_000028dbeb():
    """Is the battery level of the tablet too low for the update?"""
    need = 40
    level = 38
    gold = "Yes" if level < need else "No"
    return gold


def core_fdb9070562():
    """Does Mr Petrov need a new letter from his family doctor?"""
    months = 7
    gold = "No" if months <= 12 else "Yes"
    return gold


def core_ac09a623bb():
    """Is the blue freezer cold enough for samples of blood plasma?"""
    blue = -80
    limit = -60
    gold = "Yes" if blue <= limit else "No"
    return gold


def core_36f5ec4dcb():
    """Did Norrby finish the season with more points than Solvik?"""
    norrby = 31 + 1
    solvik = 30 + 3
    gold = "Yes" if norrby > solvik else "No"
    return gold


def core_47377ad9b9():
    """Does a part of Mr Tanaka's money earn half a percent?"""
    balance = 12000
    first = 10000
    gold = "Yes" if balance > first else "No"
    return gold


def core_ccba07c5c4():
    """Is the full price of a ticket at the cinema club eight euros?"""
    half = 4
    gold = "Yes" if half * 2 == 8 else "No"
    return gold


def core_49b7af1926():
    """Can the Moreno family receive the bonus for a heat pump?"""
    built = 2004
    gold = "Yes" if built < 2000 else "No"
    return gold


def core_f004ed7e31():
    """Did Noor earn 28 euros an hour for her overtime on Tuesday?"""
    rate = 14 * 1.5
    gold = "Yes" if rate == 28 else "No"
    return gold


def core_ab2c104f3f():
    """Was cycling permitted for Leila on 30 May?"""
    import datetime

    op = datetime.date(2023, 5, 2)
    d = datetime.date(2023, 5, 30)
    week = (d - op).days // 7 + 1
    gold = "Yes" if week >= 4 else "No"
    return gold


def core_32d24fed13():
    """Did Sofia have to return the film before the end of March?"""
    import datetime

    due = datetime.date(2023, 3, 3) + datetime.timedelta(weeks=2)
    gold = "Yes" if due < datetime.date(2023, 3, 31) else "No"
    return gold


def core_7ec75a5bc6():
    """Did Mr Silva become liable to a payment for stopping in the zone?"""
    minutes = 6
    blocked = False
    gold = "Yes" if minutes > 10 or blocked else "No"
    return gold


def core_9ac5afb18f():
    """Are travel costs paid to two of the three volunteers named?"""
    km = [34, 12, 15]
    n = sum(k > 20 for k in km)
    gold = "Yes" if n == 2 else "No"
    return gold


def core_f194e331bc():
    """Did Pieter have to wait for the break before he was let in?"""
    start = 19 * 60 + 30
    arrive = 19 * 60 + 40
    gold = "Yes" if arrive > start else "No"
    return gold


def core_a8a147be29():
    """Does the plane land in Recife before five in the morning local time?"""
    dep = 22 * 60 + 40
    arr = dep + 9 * 60 + 40 - 4 * 60
    gold = "Yes" if arr - 24 * 60 < 5 * 60 else "No"
    return gold


def core_dab6e18bef():
    """Did Mr Adeyemi's lease end at the close of May?"""
    import datetime

    days = [datetime.date(2024, 3, d) for d in range(1, 8)]
    work = [d for d in days if d.weekday() != 6]
    arrived = datetime.date(2024, 3, 4)
    month = 5 if arrived <= work[2] else 6
    gold = "Yes" if month == 5 else "No"
    return gold


def core_52f5d9e501():
    """Was 360 euros the amount that Zeynep paid for the year?"""
    age = 2021 - 1995
    amount = 40 * 10
    amount = amount * 0.9 if age < 26 else amount
    gold = "Yes" if amount == 360 else "No"
    return gold


def core_392cdea95e():
    """Did Ravi work on more days than Elena in that week?"""
    ravi = {"Mon", "Tue", "Wed"}
    elena = {"Thu", "Fri"}
    ravi -= {"Tue"}
    elena |= {"Tue"}
    gold = "Yes" if len(ravi) > len(elena) else "No"
    return gold


def core_73c42823a1():
    """Was the report gone from all the stored copies when Mateo became aware of his mist..."""
    h = lambda d, t: d * 24 + t
    copies = [h(d, 2) for d in range(0, 20)]
    now = h(8, 15)
    stored = [c for c in copies if c <= now][-7:]
    holding = [c for c in stored if h(0, 9) <= c < h(2, 1)]
    gold = "Yes" if not holding else "No"
    return gold


def core_0d59b0e5bc():
    """Did Ines follow all the rules before her blood test?"""
    test = 8 * 60 + 30
    food = [21 * 60 - 1440, 30]
    coffee = 6 * 60 + 15
    gold = "Yes" if all(test - f >= 480 for f in food) and test - coffee >= 120 else "No"
    return gold


def core_4881b34c0b():
    """Did Li Wei pass the module in statistics?"""
    exam, project = 45, 15
    gold = "Yes" if exam + project >= 50 and exam >= 0.4 * 60 and project >= 0.4 * 40 else "No"
    return gold


def core_93059cbaa1():
    """Did the dish contain more than 8,000 cells at 10:40?"""
    cells = 500
    steps = (100 - 20) // 20
    cells = cells * 2**steps
    gold = "Yes" if cells > 8000 else "No"
    return gold


def core_d175a2daf5():
    """Was Ivana barred from the match of round 14?"""
    events = [("league13", False), ("cup", True), ("league14", True)]
    served = next(n for n, played in events if n.startswith("league") and played)
    gold = "Yes" if served == "league14" else "No"
    return gold


def core_6d2d060964():
    """Was there enough water in the tank for a seventh watering?"""
    litres = 1200 * 3 // 4
    litres = litres - 6 * 150 + 100
    gold = "Yes" if litres >= 150 else "No"
    return gold


def core_9d990bcb72():
    """Was the museum closed on one of the two occasions when Omar came?"""
    import datetime

    a, b = datetime.date(2023, 4, 11), datetime.date(2023, 4, 13)
    holiday = datetime.date(2023, 4, 10)
    open_a = not (a.weekday() == 1 and holiday == a - datetime.timedelta(1))
    open_b = b.weekday() == 3 and 10 <= 19 < 21
    gold = "Yes" if [open_a, open_b].count(False) == 1 else "No"
    return gold


def core_634ab8fe8d():
    """Do five of the things in the box of Marta belong in the green container?"""
    box = ["jar", "jar", "lid", "lid", "bottle", "bottle", "cup", "drinking glass"]
    n = sum(x in ("jar", "bottle") for x in box)
    gold = "Yes" if n == 5 else "No"
    return gold


def core_c46d69997e():
    """Did Sara pay fourteen euros in fees on the two days together?"""
    fee = lambda x: 0 if x > 1000 else max(4, x * 0.01)
    gold = "Yes" if fee(1000) + fee(300) == 14 else "No"
    return gold


def core_ce194c80eb():
    """Was Yuki allowed to check in both bags?"""
    bags = [23, 18]
    gold = "Yes" if max(bags) <= 23 and sum(bags) <= 40 else "No"
    return gold


def core_72d0632475():
    """Did the new shift plan miss the number of votes that it needed?"""
    present = 9 - 1
    favour = 4
    adopted = present > 7.5 and favour > present / 2
    gold = "No" if adopted else "Yes"
    return gold


def core_21ca49a50b():
    """Was the licence of Thiago valid on 29 February 2024?"""
    import datetime

    last = datetime.date(2023, 3, 1) + datetime.timedelta(days=364)
    gold = "Yes" if datetime.date(2024, 2, 29) <= last else "No"
    return gold


def core_23149062e4():
    """Did the dose of 21 February count as a second dose for Dmitri?"""
    import datetime

    d = (datetime.date(2023, 2, 21) - datetime.date(2023, 1, 10)).days
    gold = "Yes" if 21 <= d <= 42 else "No"
    return gold


def core_10921d6451():
    """Was Nadia entitled to her money back for all the goods?"""
    days = 9 - 2
    items = [False, False, True]
    warned = True
    gold = "Yes" if days <= 14 and all(not made or not warned for made in items) else "No"
    return gold


def core_f3930ba4a2():
    """Did Wanjiru have less than sixty minutes for the exam?"""
    begin = 18 * 60 + 20 - 3 * 60
    end = min(begin + 60, 16 * 60)
    gold = "Yes" if end - begin < 60 else "No"
    return gold


def core_afa2551589():
    """Was Varga ranked above Corvo at the end of the season?"""
    varga, corvo = (20, 1 + 1, 12), (20, 1 + 2, 8)
    gold = "Yes" if varga > corvo else "No"
    return gold


def core_93ec088679():
    """Did Mr Yilmaz report the broken pump within the guarantee?"""
    import datetime

    end = datetime.date(2024, 3, 12)
    gold = "Yes" if datetime.date(2024, 3, 10) < end else "No"
    return gold


def core_751c60c551():
    """May the van of Nikola Jovanovic enter the inner zone?"""
    year = 2012
    cls = 3 if 2006 <= year <= 2010 else 4
    gold = "Yes" if cls >= 4 else "No"
    return gold


def core_350b335b6d():
    """Does Camila have enough paint for the three walls?"""
    area = 2 * 4 * 2.5 + 3 * 2.5
    gold = "Yes" if 3 * 8 >= area else "No"
    return gold


def core_7c2038e06f():
    """Is the time in Zurich long enough for the change of flights?"""
    gap = 14 * 60 + 5 - (13 * 60 + 10)
    gold = "Yes" if gap >= 40 else "No"
    return gold


def core_c9682dc014():
    """Was Tariq Mansour allowed to approve the order alone?"""
    total = 2 * 1150
    gold = "Yes" if total <= 2000 else "No"
    return gold


def core_6e3331620d():
    """Will Noa need more than one bottle of the syrup?"""
    ml = 5 * 3 * 7
    gold = "Yes" if ml > 100 else "No"
    return gold


def core_470a6aa4db():
    """Does Femi Adebayo have the credits that the scholarship demands?"""
    credits = 4 * 12 + 2 * 5
    gold = "Yes" if credits >= 60 else "No"
    return gold


def core_60c0d77788():
    """Has Marisol missed the final of the 100 metres?"""
    times = {"Ji-woo": 12.2, "Lena": 12.4, "Marisol": 12.6, "Anouk": 12.9}
    times.pop("Ji-woo")
    final = sorted(times, key=times.get)[:2]
    gold = "No" if "Marisol" in final else "Yes"
    return gold


def core_460c63588c():
    """Is the budget of the choir enough for the bus and the hostel?"""
    cost = 900 + 30 * 20
    gold = "Yes" if cost <= 1500 else "No"
    return gold


def core_402eda78fc():
    """Was the Linden Prize founded after Roth had published his first novel?"""
    novel = 1948 + 27
    gold = "Yes" if 1974 > novel else "No"
    return gold


def core_5532827db2():
    """Is Ringa the cheaper offer for the first year?"""
    talko = 12 * 10
    ringa = 125
    gold = "Yes" if ringa < talko else "No"
    return gold


def core_d4ee6de44d():
    """Is the number of new trees smaller than that of the dead ones?"""
    dead = 320 * 15 // 100
    gold = "Yes" if 50 < dead else "No"
    return gold


def core_a56c9c548e():
    """Must the longest part of the Alba sofa be carried up the stairs?"""
    gold = "Yes" if 2.05 > 2 else "No"
    return gold


def core_3f745c47d4():
    """Did one of the two pieces remain solid in the oven?"""
    melting = {"P": 420, "Q": 660}
    solid = [k for k, t in melting.items() if t > 600]
    gold = "Yes" if len(solid) == 1 else "No"
    return gold


def core_e579165bb0():
    """Can somebody who sees all of Salt Lines catch the last tram?"""
    end = 20 * 60 + 15 + 95
    gold = "Yes" if end <= 21 * 60 + 45 else "No"
    return gold


def core_1deb590884():
    """Does Thandi receive a certificate of the summer school?"""
    absent = [2, 5, 11]
    gold = "Yes" if 12 - len(absent) >= 9 else "No"
    return gold


def core_bd226bc651():
    """Will all the photographs of the wedding fit on the card?"""
    room = 16 * 30
    gold = "Yes" if room >= 490 else "No"
    return gold


def core_2f70e541ae():
    """Has the Polar cost less than the Nord after four years, with purchase and electric..."""
    nord = 480 + 4 * 200 * 0.3
    polar = 560 + 4 * 120 * 0.3
    gold = "Yes" if polar < nord else "No"
    return gold


def core_6bab9956d3():
    """Does the itinerary give the time that the rules demand for the change in London?"""
    arr = 16 * 60 + 40 + 190 - 120
    gap = 18 * 60 + 50 - arr
    gold = "Yes" if gap >= 75 else "No"
    return gold


def core_86b3276c69():
    """Did Ifeoma have a day of holiday left at the end of 2022?"""
    earned = 28 * 9 / 12
    used = 14 - 2 + 8
    gold = "Yes" if earned - used >= 1 else "No"
    return gold


def core_01c5498e01():
    """Was Minh allowed to approve the page on prices?"""
    worked = {"Luis", "Minh"}
    words = 140
    reviewers = {"Minh", "Sanne"}
    gold = "Yes" if "Minh" in reviewers and ("Minh" not in worked or words < 100) else "No"
    return gold


def core_50b69960c8():
    """Was Dr Chandra on call on 9 March?"""
    week = 10 + (9 - 4) // 7
    doctor = "Brandt" if week % 2 == 0 else "Amsel"
    if doctor == "Brandt" and 6 <= 9 <= 12:
        doctor = "Chandra"
    gold = "Yes" if doctor == "Chandra" else "No"
    return gold


def core_961f8d7bb4():
    """Did Ms Rossi get back less than she was owed?"""
    due = 3 * (800 - 120) - 240
    gold = "Yes" if 1800 < due else "No"
    return gold


def core_2f5fb24061():
    """Did Kea and Tui end up with the same number of points in the table?"""
    bonus = lambda tries, margin: (tries >= 4) + (margin <= 7)
    tui = 40 + bonus(4, 7)
    kea = 42 + bonus(1, 10)
    gold = "Yes" if tui == kea else "No"
    return gold


def core_83ca7cbf73():
    """Was the grant that arrived lower than the letter promised?"""
    due = min(3000, 0.6 * (2600 + 900 + 1000))
    gold = "Yes" if 2700 < due else "No"
    return gold


def core_ca1b30bf09():
    """Does Blue Door satisfy the rules of the contest?"""
    import datetime

    length = 1110 + 85
    done = datetime.date(2021, 11, 30)
    pupil = True
    first = datetime.date(2021, 1, 1) if pupil else datetime.date(2022, 1, 1)
    gold = "Yes" if length <= 20 * 60 and done >= first else "No"
    return gold


def core_be76e9b11f():
    """Does the Bauer household receive the refund?"""
    last, this = 500 - 100, 390 - 60
    gold = "Yes" if last - this >= last / 5 else "No"
    return gold


def core_9d0b2b21f3():
    """Was the water in tank 3 warmer than that in tank 2 on Friday?"""
    true = {"A": 19 + 2, "B": 23 - 3, "C": 20}
    tank = {1: "C", 2: "B", 3: "A"}
    gold = "Yes" if true[tank[3]] > true[tank[2]] else "No"
    return gold


def core_29149d062a():
    """May Joon-ho register for a thesis?"""
    grades = [1.7, 2.3, 2.0, 1.7, 2.7]
    average = sum(grades) / len(grades)
    gold = "Yes" if len(grades) == 6 or (len(grades) == 5 and average <= 2.0) else "No"
    return gold


def core_2c6a711795():
    """Did Mr Khalil stay longer than his visa letter allowed?"""
    import datetime

    d = (datetime.date(2023, 6, 8) - datetime.date(2023, 5, 9)).days + 1
    gold = "Yes" if d > 30 else "No"
    return gold


def core_c010db61c0():
    """Is there room for the film in the storage of Oksana?"""
    used = 38 + 7
    gold = "Yes" if used + 4000 / 1000 <= 50 else "No"
    return gold


def core_596028ac5d():
    """Is there a dish on Friday which Rosa may eat but Akira may not, apart from the bea..."""
    friday = {"soup": set(), "salad": {"mustard"}, "rice": set(), "pancakes": {"milk"}}
    rosa, akira = {"nuts", "milk"}, {"mustard", "celery"}
    d = [k for k, v in friday.items() if k != "salad" and not v & rosa and v & akira]
    gold = "Yes" if d else "No"
    return gold


def core_9ae98b137c():
    """Did at least one person in the group need a licence and lack it?"""
    ages = {"Sigrid": 40, "Emil": 16, "Kaja": 13, "Tove": 35}
    need = [n for n, a in ages.items() if a >= 14]
    gold = "Yes" if len(need) > 2 else "No"
    return gold


def core_9173880319():
    """Can room Delta be given to Agnieszka as she requested?"""
    booked = sorted([(675, 720), (720, 840)])
    points = [540] + [t for b in booked for t in b] + [900]
    gaps = [points[i + 1] - points[i] for i in range(0, len(points), 2)]
    gold = "Yes" if max(gaps) >= 150 else "No"
    return gold


def core_9fc94b3099():
    """Does Ms Garcia have to pay three times as much as Mr Weiss?"""
    garcia = 1200 / 2 + 1200 * 3000 / 4000
    weiss = 1200 / 2 + 1200 * 1000 / 4000
    gold = "Yes" if garcia == 3 * weiss else "No"
    return gold


def core_c3e5ad6aa3():
    """Was group 1 watered exactly one and a half times as often as group 2 during the tr..."""
    ok = lambda d: d % 7 != 0
    g1 = [d for d in range(1, 13, 2) if ok(d)]
    g2 = [d for d in range(1, 13, 3) if ok(d)]
    gold = "Yes" if 2 * len(g1) == 3 * len(g2) else "No"
    return gold


def core_6fd76abc5b():
    """Does the ferry burn less fuel in week 20 than in week 19?"""
    old = (5 * 10 + 6) * 400
    new = (5 * 12 + 6) * 400 * 3 / 4
    gold = "Yes" if new < old else "No"
    return gold


def core_e888ba78e8():
    """Was Goran entitled to pay for the balls alone?"""
    amount = 150
    gold = "Yes" if amount <= 200 else "No"
    return gold


def core_d5aed8c916():
    """Was Mr Greco's visit contrary to the agreement?"""
    notice = 24 - 20 + 10
    emergency = False
    gold = "No" if notice >= 24 or emergency else "Yes"
    return gold


def core_74c5e3a715():
    """Did Yusuf fall short of what the group had agreed?"""
    gold = "Yes" if 8 < 40 / 4 else "No"
    return gold


def core_ad358bacb6():
    """Was Priya authorised to buy the machine with the common money?"""
    in_favour = {"Priya", "Tom"}
    gold = "Yes" if len(in_favour) >= 3 else "No"
    return gold


def core_0aa1426a5a():
    """Did Ruslan contravene the house rules with his drilling?"""
    start, end = 20 * 60 + 30, 21 * 60 + 15
    sunday = False
    gold = "Yes" if sunday or end > 22 * 60 or start < 6 * 60 else "No"
    return gold


def core_71f4d11f4b():
    """Did Paula break her word to her cousin?"""
    paid = 120 + 180
    gold = "Yes" if paid < 300 else "No"
    return gold


def core_027474dc01():
    """Did Florian comply with the policy when he opened the folder?"""
    start, end, day = 3, 14, 14
    agreed, opened = {"Orders"}, {"Orders"}
    gold = "Yes" if start <= day <= end and opened <= agreed else "No"
    return gold


def core_24f18d99e3():
    """Did Ms Karlsen observe the lease on that day?"""
    entered = 13 * 60 + 10
    informed = 18 * 60 + 50
    emergency = True
    gold = "Yes" if emergency and informed - entered <= 360 else "No"
    return gold


def core_1beeb506da():
    """Was the conduct of Bilal correct under the code of the bank?"""
    named = {1, 2, 3}
    given, refused = {2, 3}, {4}
    gold = "Yes" if given <= named and not refused & named else "No"
    return gold


def core_4f958cee44():
    """Did the coach of Milena respect the club rule?"""
    injury = 5 * 24 + 20
    clearance = (4 + 7) * 24 + 18
    match = (6 + 7) * 24 + 15
    gold = "Yes" if match - injury >= 7 * 24 and match - clearance <= 48 else "No"
    return gold


def core_b6601d81fd():
    """Was the teacher right, under the rule, to give Amina two hours?"""
    minutes = 90 + 90 / 3
    missed = 20
    bus_late = True
    minutes -= 0 if bus_late else missed
    gold = "Yes" if minutes == 120 else "No"
    return gold


def core_c9a03c593f():
    """Did Elin go against the rule of the ward?"""
    agreed = True
    told, doctor = 10.5, 10 + 1
    gold = "No" if agreed and doctor <= told else "Yes"
    return gold


def core_fa85b7ce3d():
    """Did Wei exceed the limit that the gift rule sets?"""
    counted = [25, 18]
    gold = "Yes" if sum(counted) > 40 else "No"
    return gold


def core_16d648da42():
    """Did Dr Mbeki fail to do something that the fund requires?"""
    required = {"declare", "leave during discussion", "no vote"}
    done = {"declare", "no vote"}
    gold = "Yes" if required - done else "No"
    return gold


def core_c4ac8a6c14():
    """Did Viktor act against the forum rules by deleting the comment?"""
    warned = False
    threat = address = False
    gold = "No" if warned or threat or address else "Yes"
    return gold


def core_54f2cef4d0():
    """Did Leonie breach the statutes of the fund?"""
    amount = 500
    chair, donors = True, False
    gold = "No" if donors or (chair and amount < 500) else "Yes"
    return gold


def core_66e68b4fd1():
    """Was the publication by Ms Dubois in accordance with the policy?"""
    age = 17
    own_written, parent_written = True, False
    gold = "Yes" if own_written and (age >= 18 or parent_written) else "No"
    return gold


def core_6b36fe3176():
    """Did Radek satisfy the purchasing code with these orders?"""
    orders = [(1, 700), (5, 350), (8, 300)]
    broken = any(sum(a for d, a in orders if d0 <= d < d0 + 7) >= 1000 for d0, _ in orders)
    gold = "No" if broken else "Yes"
    return gold


def core_7a9af3b02f():
    """Was Bram's decision covered by the permission of Simone?"""
    allowed = ("Eva", "France")
    actual = ("Eva", "Belgium")
    gold = "Yes" if actual == allowed else "No"
    return gold


def core_2c1250878f():
    """Was Mr Farkas allowed to judge Noemi under the rules of the contest?"""
    months = 20
    consents, others = 3, 4
    gold = "Yes" if months > 24 or consents == others else "No"
    return gold


def core_07289070f9():
    """Did the two officials contravene the code by accepting the meal?"""
    each = 90 / 2
    pending = False
    gold = "Yes" if each > 50 or pending else "No"
    return gold


def core_6a017e5d56():
    """Was it improper under this rule that Ms Lange acted against Mr Osei?"""
    years = (2022 + 6 / 12) - (2020 + 5 / 12)
    consent, case = {"property"}, "property"
    gold = "No" if years >= 3 or case in consent else "Yes"
    return gold


def core_1219c7b0ec():
    """Did the team answer fewer than 125 calls on the two days together?"""
    monday, tuesday = 64, 57
    gold = "Yes" if monday + tuesday < 125 else "No"
    return gold


def core_affda5ca55():
    """Was the pay of Ms Okonkwo for last week above 700 euros?"""
    pay = 21 * 32
    gold = "Yes" if pay > 700 else "No"
    return gold


def core_ca7bc2c322():
    """Is the space left on the drive too small for the film?"""
    free = 256 - 240
    gold = "Yes" if 18 > free else "No"
    return gold


def core_0a9e57675e():
    """Can an empty Solis tablet be charged completely in two hours?"""
    needed = 150
    gold = "Yes" if needed <= 2 * 60 else "No"
    return gold


def core_e544f67b1c():
    """Does the bottle last Mr Tanaka exactly ten days?"""
    days = 200 / 20
    gold = "Yes" if days == 10 else "No"
    return gold


def core_a68cc6cda3():
    """Does each doctor treat 15 patients on a normal day?"""
    each = 42 / 3
    gold = "Yes" if each == 15 else "No"
    return gold


def core_a8c8a0d4e7():
    """Does the ride to the capital take more than two and a half hours?"""
    minutes = (16 * 60 + 20) - (13 * 60 + 45)
    gold = "Yes" if minutes > 150 else "No"
    return gold


def core_d0b8f6c3a1():
    """Were 20 euros enough for the three bus tickets of Ananya?"""
    cost = 3 * 8
    gold = "Yes" if cost <= 20 else "No"
    return gold


def core_dcba732577():
    """Was 60 euros the amount that Mr Lindqvist had to pay?"""
    fine = 80 - 80 / 4
    gold = "Yes" if fine == 60 else "No"
    return gold


def core_84265fc5d8():
    """Was the seedling taller than 65 mm when the students measured it again?"""
    height = 41 + 3 * 7
    gold = "Yes" if height > 65 else "No"
    return gold


def core_bfae236b5b():
    """Did the women of Porto Azul collect at least 24 points?"""
    points = 12 * 2
    gold = "Yes" if points >= 24 else "No"
    return gold


def core_f5b8840f2f():
    """Do the twelve laps of the group make up five kilometres or more?"""
    metres = 12 * 400
    gold = "Yes" if metres >= 5000 else "No"
    return gold


def core_d71ccacef3():
    """Did Urs receive 100 francs in interest for last year?"""
    interest = 5000 * 2 / 100
    gold = "Yes" if interest == 100 else "No"
    return gold


def core_86c564c09d():
    """Is the yearly plan more expensive than twelve single months?"""
    year, months = 96, 12 * 9
    gold = "Yes" if year > months else "No"
    return gold


def core_dff4698b4c():
    """Is a single can sufficient to paint the wall once?"""
    area = 6 * 3
    gold = "Yes" if area <= 20 else "No"
    return gold


def core_0eb5932132():
    """Does Giulia use half a kilo of rice for the meal?"""
    rice = 300 * 6 / 4
    gold = "Yes" if rice == 500 else "No"
    return gold


def core_4735ed3426():
    """Were more than 50 seats still free on Thursday evening?"""
    free = 340 - 285
    gold = "Yes" if free > 50 else "No"
    return gold


def core_d4f80a627b():
    """Was it after ten in the evening when the film ended?"""
    end = 19 * 60 + 50 + 128
    gold = "Yes" if end > 22 * 60 else "No"
    return gold


def core_a608936d1b():
    """Is nine the number of pupils in the class who learn Spanish?"""
    spanish = 27 - 27 * 2 // 3
    gold = "Yes" if spanish == 9 else "No"
    return gold


def core_0e1adffaf4():
    """Has the amount of waste gone down by a fifth or more?"""
    drop = (480 - 420) / 480
    gold = "Yes" if drop >= 0.2 else "No"
    return gold


def core_c3c397cc9e():
    """Does the total of the offer stay under 1,250 dollars?"""
    total = 14 * 45 + 9 * 60 + 90
    gold = "Yes" if total < 1250 else "No"
    return gold


def core_ec527bc87e():
    """Is the last invoice scanned before eleven o'clock?"""
    per_minute = 4 * 30 / 10
    end = 8 * 60 + 15 + 1800 / per_minute
    gold = "Yes" if end < 11 * 60 else "No"
    return gold


def core_462e83d9c2():
    """Does the download require more than three minutes?"""
    seconds = 4.5 * 1000 / 25
    gold = "Yes" if seconds > 180 else "No"
    return gold


def core_8927161d00():
    """Did Tendai have less than five gigabytes left after those 24 days?"""
    left = 20000 - 24 * 650
    gold = "Yes" if left < 5000 else "No"
    return gold


def core_cab82b1afe():
    """Does the full treatment require more tablets than three boxes hold?"""
    tablets = 750 // 250 * 3 * 7
    gold = "Yes" if tablets > 3 * 20 else "No"
    return gold


def core_837e7a39d7():
    """Was the pulse of 139 in the range that the trainer recommends?"""
    top = 220 - 40
    gold = "Yes" if 0.60 * top <= 139 <= 0.75 * top else "No"
    return gold


def core_445bee1586():
    """Did Sindre get a bill of more than 130 euros for the small car?"""
    extra = max(0, 520 - 3 * 150)
    bill = 3 * 38 + extra * 20 / 100
    gold = "Yes" if bill > 130 else "No"
    return gold


def core_7d9935bbf5():
    """By the clocks of Dubai, does the plane land before five in the afternoon?"""
    landing = 10 * 60 + 20 + 5 * 60 + 35 + 60
    gold = "Yes" if landing < 17 * 60 else "No"
    return gold


def core_d050e9624c():
    """Did the owner keep more than 600 euros of the deposit of Ms Brandt?"""
    kept = 385 + 2 * 60
    gold = "Yes" if kept > 600 else "No"
    return gold


def core_aa61357e75():
    """Was the fee for the claim of Mr Farouk 105 dollars?"""
    fee = 90 + (3500 - 2000) * 3 / 100
    gold = "Yes" if fee == 105 else "No"
    return gold


def core_11aab9977f():
    """Did the opened box contain exactly ten grams of the substance?"""
    hours = 12 + 6
    mass = 80 / 2 ** (hours // 6)
    gold = "Yes" if mass == 10 else "No"
    return gold


def core_409f68cfc2():
    """Is the share of salt in the new mixture eight percent?"""
    from fractions import Fraction as F

    share = F(300 * 12, 100) / (300 + 100)
    gold = "Yes" if share == F(8, 100) else "No"
    return gold


def core_1d55f21319():
    """Did Mateus reach the finish earlier than one in the afternoon?"""
    end = 7.5 * 60 + 90 / 30 * 60 + 20 + 40 / 20 * 60
    gold = "Yes" if end < 13 * 60 else "No"
    return gold


def core_50c33e5797():
    """Did Jelena score a total of 29 points in the match?"""
    points = 6 * 2 + 3 * 3 + 5 * 1
    gold = "Yes" if points == 29 else "No"
    return gold


def core_049c825555():
    """After the fees, did Wanjiru's profit exceed 100 dollars?"""
    profit = 40 * (28 - 25) - 2 * 15
    gold = "Yes" if profit > 100 else "No"
    return gold


def core_1f0c1d02db():
    """Was the December price lower than the one in October?"""
    october = 480
    december = october * 0.75 * 1.25
    gold = "Yes" if december < october else "No"
    return gold


def core_b0ef13d6fb():
    """Do the nine packs suffice for the whole floor of the living room?"""
    from fractions import Fraction as F

    floor = F(42, 10) * 5
    gold = "Yes" if 9 * F(24, 10) >= floor else "No"
    return gold


def core_c171c09432():
    """Did the family pay less than 45 euros at the entrance?"""
    ages = [9, 7, 4]
    cost = 2 * 14 + sum(7 for a in ages if a >= 6)
    gold = "Yes" if cost < 45 else "No"
    return gold


def core_b3b69005bc():
    """Is the final mark of Farid in biology higher than 70?"""
    mark = (70 + 64 + 2 * 73) / 4
    gold = "Yes" if mark > 70 else "No"
    return gold


def core_d55cd60d2e():
    """Does the family earn less than ten euros in 30 average days?"""
    rest = 12 * 1.5 - 14
    cents = rest * 8 * 30
    gold = "Yes" if cents < 1000 else "No"
    return gold


def core_f058ce2a73():
    """Did Sofia earn more than 1,020 euros that week?"""
    week, sunday = 40, 5
    pay = min(week, 38) * 20 + max(0, week - 38) * 30 + sunday * 40
    gold = "Yes" if pay > 1020 else "No"
    return gold


def core_43ffb94362():
    """Was the backup complete by a quarter past midnight?"""
    megabits = 108 * 1000 * 8
    first = 200 * 3600
    seconds = 3600 + (megabits - first) / 100
    end = 22 * 3600 + 45 * 60 + seconds
    gold = "Yes" if end <= 24 * 3600 + 15 * 60 else "No"
    return gold


def core_9327822219():
    """Do the rules allow Noura a further tablet at 05:00 on Tuesday?"""
    taken = [7, 12, 18, 23.5]
    new = 24 + 5
    recent = [t for t in taken if new - t < 24]
    gold = "Yes" if len(recent) < 4 and new - taken[-1] >= 5 else "No"
    return gold


def core_483966ba34():
    """Did the plane land before 13:00 on that Saturday, San Francisco time?"""
    import datetime

    start = datetime.datetime(2026, 6, 6, 19, 30)
    landing = start + datetime.timedelta(hours=12, minutes=10) - datetime.timedelta(hours=19)
    gold = "Yes" if landing < datetime.datetime(2026, 6, 6, 13, 0) else "No"
    return gold


def core_ec3ca992aa():
    """Was the objection of Mr Novak too late under this rule?"""
    import datetime

    D = datetime.date
    holidays = {D(2025, 4, 18), D(2025, 4, 21)}
    last = D(2025, 4, 4) + datetime.timedelta(14)
    while last.weekday() > 4 or last in holidays:
        last += datetime.timedelta(1)
    gold = "Yes" if D(2025, 4, 22) > last else "No"
    return gold


def core_c5c36b1945():
    """Was the tank full when the clock showed 10:30?"""
    litres, minute = 1500, 0
    while minute < 50 and litres < 4500:
        litres += 90 if minute % 27 < 15 else 0
        minute += 1
    gold = "Yes" if litres >= 4500 else "No"
    return gold


def core_7e1e4d1561():
    """Did Orion finish in a better position than Vega?"""
    vega = (58 + 1, 1 + 1, 27)
    orion = (56 + 3, 0 + 3, 20 + 1)
    gold = "Yes" if orion > vega else "No"
    return gold


def core_74fdd1740f():
    """Did Anneke pay less than 84 euros for her order?"""
    cents = (6000 + 2 * 1000) * 90 // 100 + 3200
    cents -= 2000 if cents >= 10000 else 0
    gold = "Yes" if cents < 8400 else "No"
    return gold


def core_e705277524():
    """Did the power for the heater cost less than 4.50 euros?"""
    cents = 0
    for half in range(41, 63):
        sunday, h = half < 48, half / 2 % 24
        cents += 18 if sunday or h >= 22 or h < 6 else 30
    gold = "Yes" if cents < 450 else "No"
    return gold


def core_a5e861ed5f():
    """Did Yuki get to the stop in time for the tram at 22:10?"""
    start = 18 * 60 + 30 + 15
    end = start + 55 + 25 + 70 + 20 // 2 + 40
    gold = "Yes" if end + 7 <= 22 * 60 + 10 else "No"
    return gold


def core_3d32a6b924():
    """Was the average of Lwazi too low to pass?"""
    results = [75, 66, 58, 49, 81]
    results.remove(min(results))
    average = (sum(results) + 0) / 5
    gold = "Yes" if average < 60 else "No"
    return gold


def core_ade1fc70df():
    """Did the machine pay Priya more than 4.50 euros for her bottles?"""
    cents = (14 - 3) * 25 + 6 * 15 + 9 * 8
    gold = "Yes" if cents > 450 else "No"
    return gold


def core_58f99481a3():
    """Does the moved call break the time limits in at least one of the cities?"""
    start = 15 * 60 - 45
    offsets = [0, -5 * 60, 5 * 60 + 30]
    ok = all(9 * 60 <= start + o and start + 30 + o <= 20 * 60 for o in offsets)
    gold = "No" if ok else "Yes"
    return gold


def core_cdc1d11fa8():
    """Were the Silvas charged more than 12 euros for their bags?"""
    import math

    grams = 26400 + 19800
    charge = 12 * math.ceil(max(0, grams - 46000) / 1000)
    gold = "Yes" if charge > 12 else "No"
    return gold


def core_52ddda848b():
    """Was the infusion bag empty by 14:15?"""
    ml, rate = 900, 30 / 20
    left = ml - 120 * rate
    end = 8 * 60 + 10 + 120 + left / (2 * rate)
    gold = "Yes" if end <= 14 * 60 + 15 else "No"
    return gold


def core_c47e6f25e3():
    """Did Kwame receive less than 237 dollars at the exchange desk?"""
    fee = min(20, max(5, 220 * 0.02))
    dollars = (220 - fee) * 1.10
    gold = "Yes" if dollars < 237 else "No"
    return gold


def core_910db5469e():
    """Was the water in the tank really colder than 20 degrees Celsius at noon?"""
    from fractions import Fraction as F

    true = F(690 - 18, 10)
    celsius = (true - 32) / F(18, 10)
    gold = "Yes" if celsius < 20 else "No"
    return gold


def core_30c5d6b05e():
    """Was the time of Leila good enough for the national race?"""
    net = 45 * 60 + 30 - 38 + 10
    gold = "Yes" if net < 45 * 60 else "No"
    return gold


def core_7eed948208():
    """Had the cake of Emre cooled long enough when the guests arrived at 17:45?"""
    baking = 40 * 3 // 2 * 9 // 10
    out = 16 * 60 + 20 + baking
    gold = "Yes" if 17 * 60 + 45 - out >= 30 else "No"
    return gold


def core_d8ca7739f4():
    """Is the rent of 590 euros permitted by the rules?"""
    cap = min(550 * 1.08, 60 * 9.80)
    gold = "Yes" if 590 <= cap else "No"
    return gold


def core_ddc4e249f0():
    """Is the moment at which the match was stopped misstated in the German?"""
    gold = "Yes" if 90 - 3 != 78 else "No"
    return gold
