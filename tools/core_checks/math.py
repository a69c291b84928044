"""The computed answers of items of `math`: their facts as data, and the answer that follows.

A function has the name of its item, and returns the answer.
"""

import datetime
import fractions
import itertools
import math


def core_73a64dd4c9():
    """At 9:00 two trains leave two stations that are 500 km apart and travel towards eac..."""
    t = [500 - 180 == 320, 320 - 50 == 270, 80 + 100 == 180, 270 / 180 == 1.4, True]
    gold = t.index(False) if False in t else -1
    return gold


def core_f1fe3fa06c():
    """The sides of a triangle are integers and its perimeter is 20. Congruent triangles ..."""
    T = [(a, b, 20 - a - b) for a in range(1, 20) for b in range(a, 20) if b <= 20 - a - b < a + b]
    i = sum(len(set(t)) < 3 for t in T)
    t = [
        max(t[2] for t in T) < 10,
        {t[2] for t in T} == {7, 8, 9},
        sum(t[2] == 7 for t in T) == 1,
        sum(t[2] == 8 for t in T) == 3,
        sum(t[2] == 9 for t in T) == 4,
        len(T) == 8,
        i == 3,
        len(T) - i == 5,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_47a21cef0f():
    """In a league of 14 teams each team plays each other team twice. A win brings 3 poin..."""
    t = [
        14 * 13 // 2 == 81,
        2 * 81 == 162,
        162 - 44 == 118,
        3 * 118 == 354,
        2 * 44 == 88,
        354 + 88 == 442,
    ]
    t[1:3] = [t[1] and t[2]]
    gold = t.index(False) if False in t else -1
    return gold


def core_0d32e46c28():
    """A print job would take the first of three printers 6 hours alone, the second 4 hou..."""
    F = fractions.Fraction
    r = [F(1, 6), F(1, 4), F(1, 12)]
    t = [
        True,
        r[0] + r[1] == F(5, 12),
        1 - F(5, 12) == F(2, 3),
        sum(r) == F(1, 2),
        F(2, 3) / F(1, 2) == F(4, 3),
        1 + F(4, 3) == F(7, 3),
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_89ae9fe4b0():
    """In triangle ABC we have AB = 9, AC = 6 and BC = 10. The bisector of the angle at A..."""
    F = fractions.Fraction
    BD = F(10 * 9, 9 + 6)
    DC = 10 - BD
    t = [
        F(25, 2) == F(9 + 6 + 10, 2),
        True,
        (BD, DC) == (F(13, 2), F(7, 2)),
        81 * DC + 36 * BD == 10 * (54 - BD * DC + BD * DC),
        True,
        54 - BD * DC == 29,
    ]
    t[3:5] = [t[3] and t[4]]
    gold = t.index(False) if False in t else -1
    return gold


def core_a943208204():
    """A sample contains 80 mg of a substance with a half-life of 6 hours. The amount is ..."""
    t = [80 / 2 == 40, 80 / 4 == 20 and 80 / 8 == 10, 80 / 16 == 5, 80 / 32 == 2.5, True]
    gold = t.index(False) if False in t else -1
    return gold


def core_8167f11869():
    """Find all functions $f$ from the real numbers to the real numbers with $f(x\\,f(y))..."""
    f = lambda x: -x
    R = range(-9, 10)
    solves = all(f(x * f(y)) == x * y for x in R for y in R)
    t = [
        all(f(f(y)) == y for y in R),
        all(f(x * y) == x * f(y) for x in R for y in R),
        all(f(x) == f(1) * x for x in R),
        not solves or f(1) == 1,
        not solves,
        not solves,
    ]
    t[1:3] = [t[1] and t[2]]
    gold = t.index(False) if False in t else -1
    return gold


def core_cc435008c8():
    """Find the sum of all multiples of 7 that lie between 100 and 200."""
    m = [x for x in range(101, 200) if x % 7 == 0]
    t = [m[0] == 105 and m[-1] == 189, 27 - 15 + 1 == 13, (105 + 189) / 2 == 147, 13 * 147 == 1911]
    gold = t.index(False) if False in t else -1
    return gold


def core_13ebd6988d():
    """An isosceles triangle ABC has AB = AC = 13 and BC = 10. Let I be the centre of its..."""
    F = fractions.Fraction
    r, R = F(60, 18), F(13 * 13 * 10, 240)
    t = [
        True,
        13 * 13 - 25 == 144,
        r == F(10, 3),
        R == F(169, 24),
        12 - R == F(119, 24) and 2 * 13 * 13 > 100,
        12 - R - r == F(13, 8) and R * (R - 2 * r) == F(13, 8) ** 2,
    ]
    t[3:5] = [t[3] and t[4]]
    gold = t.index(False) if False in t else -1
    return gold


def core_ad1baca065():
    """A web service runs on three servers. On any given day each server is up with proba..."""
    F = fractions.Fraction
    p = F(9, 10)
    t = [
        p**3 == F(729, 1000),
        p * p * (1 - p) == F(81, 1000),
        3 * p * p * (1 - p) == F(243, 1000),
        True,
        p**3 / (p**3 + 3 * p * p * (1 - p)) == F(3, 4),
    ]
    t[1:3] = [t[1] and t[2]]
    gold = t.index(False) if False in t else -1
    return gold


def core_f19b72c4c7():
    """A drawer contains 10 red, 8 blue, 5 green and 2 white pens. Someone takes pens out..."""
    m = max(
        sum(c) for c in itertools.product(range(11), range(9), range(6), range(3)) if max(c) < 4
    )
    t = [True, m < 13, m == 12, m + 1 == 13, m + 1 == 13]
    gold = t.index(False) if False in t else -1
    return gold


def core_db50f3e738():
    """How small can the product $\\left(a+\\frac1a\\right)\\left(b+\\frac1b\\right)$ bec..."""
    f = lambda a: (a + 1 / a) * (1 - a + 1 / (1 - a))
    m = min(f(k / 1000) for k in range(1, 1000))
    t = [True, True, True, abs(m - 4) < 1e-6, abs(m - 4) < 1e-6]
    t[1:3] = [t[1] and t[2]]
    gold = t.index(False) if False in t else -1
    return gold


def core_4e2e2401f4():
    """Eight players of different strength are placed at random in a knockout draw with q..."""
    F = fractions.Fraction
    L = [(s, t) for s, t in itertools.permutations(range(1, 8), 2)]
    ok = [(s, t) for s, t in L if s > 3 and t // 2 not in (0, s // 2)]
    t = [
        True,
        F(4, 7) == F(sum(s > 3 for s in range(1, 8)), 7),
        True,
        True,
        F(len(ok), sum(s > 3 for s, t in L)) == F(2, 3),
        F(len(ok), len(L)) == F(8, 21),
    ]
    t[3:5] = [t[3] and t[4]]
    gold = t.index(False) if False in t else -1
    return gold


def core_c9af8908a5():
    """How many of the integers from 1 to 1000 can be written as $a^2-b^2$ with positive ..."""
    R = {
        a * a - b * b for b in range(1, 600) for a in range(b + 1, b + 600) if a * a - b * b <= 1000
    }
    t = [
        True,
        all(r % 2 == 1 or r % 4 == 0 for r in R),
        True,
        True,
        sum(n % 2 for n in range(1, 1001)) == 500 and 1000 // 4 == 250,
        1 not in R and all(4 * k in R for k in range(1, 251)),
        len(R) == 749,
    ]
    t[0:2] = [t[0] and t[1]]
    gold = t.index(False) if False in t else -1
    return gold


def core_876b7d7625():
    """Find the smallest n such that among any n different integers from 1 to 30 there ar..."""
    p = [{k, k + 5} for k in [*range(1, 6), *range(11, 16), *range(21, 26)]]
    S = [*range(1, 6), *range(11, 16), *range(21, 26)]
    t = [
        True,
        len(p) == 15 and set().union(*p) == set(range(1, 31)),
        True,
        len(S) == 15,
        all(abs(a - b) != 5 for a in S for b in S),
        True,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_47afb433e6():
    """A club has 41 members. A meeting is valid if more than half of the members are pre..."""
    A = [(p, y) for p in range(21, 42) for y in range(p + 1)]
    t = [
        min(p for p in range(42) if 2 * p > 41) == 21,
        True,
        min(y for p, y in A if 3 * y >= 2 * p) == 14,
        max((y, p) for p, y in A if 3 * y < 2 * p)[1] == 41,
        max(y for p, y in A if 3 * y < 2 * p) == 27,
        True,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_4107d3e32b():
    """What is the smaller angle between the hour hand and the minute hand of a clock at ..."""
    F = fractions.Fraction
    t = [
        40 * 6 == 240,
        90 + 20 == 110,
        240 - 110 == 130,
        6 - 0.5 == 5.5,
        F(50) / F(11, 2) == F(100, 11),
        F(100, 11) == 9 + F(1, 11),
    ]
    t[0:2] = [t[0] and t[1]]
    gold = t.index(False) if False in t else -1
    return gold


def core_73172b6f86():
    """A courier drives 120 km to a town at 60 km/h, waits there for 30 minutes and drive..."""
    t = [2 * 120 == 240, 240 / (120 / 60 + 120 / 40) == 50, True, True]
    gold = t.index(False) if False in t else -1
    return gold


def core_d68750d05e():
    """How many words of six letters over the alphabet {A, B, C} have no two equal letter..."""
    A = lambda n: [
        w for w in itertools.product("ABC", repeat=n) if all(x != y for x, y in zip(w, w[1:]))
    ]
    d = lambda n: sum(w[0] != w[-1] for w in A(n))
    t = [
        all(len(A(n)) == 3 * 2 ** (n - 1) for n in range(1, 7)),
        True,
        True,
        all(d(n) == 3 * 2 ** (n - 1) - d(n - 1) for n in range(2, 7)),
        [d(n) for n in (1, 2, 3, 4)] == [0, 6, 6, 18],
        [d(5), d(6)] == [30, 66],
        d(6) == 66,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_13c8ac297b():
    """A file of 4.5 gigabytes is downloaded at a constant 80 megabits per second. One gi..."""
    t = [4.5 * 1000 == 4500, 4500 * 8 == 32000, 32000 / 80 == 400, 6 * 60 + 40 == 400]
    gold = t.index(False) if False in t else -1
    return gold


def core_a862b6a429():
    """In a quiz show a wheel with five equal sectors A, B, C, D and E is spun until it s..."""
    F = fractions.Fraction
    q = F(2, 5)
    K = F(1, 5) / (1 - q)
    pE = F(1, 5) / K
    mean = F(1, 5) / (1 - q) ** 2 / K
    t = [True, True, pE == F(1, 3), pE == F(1, 3), mean == 3]
    t[0:2] = [t[0] and t[1]]
    gold = t.index(False) if False in t else -1
    return gold


def core_4131e90128():
    """Five talks A, B, C, D and E are held one after another. Talk A must come at some p..."""
    P = list(itertools.permutations("ABCDE"))
    a = [p for p in P if p.index("A") < p.index("B")]
    t = [
        len(P) == 120,
        len(a) == 60,
        sum(p[4] == "C" for p in P) == 24,
        sum(p[4] == "C" for p in a) == 12,
        len(a) - 12 == 48,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_46c2d21ab9():
    """A fair die is rolled until a 6 appears for the first time. What is the expected va..."""
    F = fractions.Fraction
    S = F(7, 2) / (1 - F(5, 6))
    t = [1 / F(1, 6) == 6, True, F(1 + 2 + 3 + 4 + 5, 5) == 3, True, S == 21]
    gold = t.index(False) if False in t else -1
    return gold


def core_941348a3d8():
    """A museum sold 230 tickets on one day, at 16 euros for adults and 6 euros for child..."""
    t = [True, True, 6 * 230 == 1380, 2420 - 1380 == 1140, 1140 / 10 == 114]
    gold = t.index(False) if False in t else -1
    return gold


def core_fd2271e8a0():
    """Posts are set along the boundary of a rectangular garden of 24 m by 18 m. There is..."""
    P = {(x, y) for x in range(0, 25, 3) for y in range(0, 19, 3) if x in (0, 24) or y in (0, 18)}
    t = [24 // 3 + 1 == 9, 18 // 3 + 1 == 7, True, len(P) == 32, 32 * 12 == 384]
    gold = t.index(False) if False in t else -1
    return gold


def core_8fa9bd9a7b():
    """A clinic has three nurses. Amina can prepare the vaccines for a morning in 40 minu..."""
    F = fractions.Fraction
    t = [
        True,
        10 * (F(1, 40) + F(1, 60) + F(1, 120)) == F(1, 2),
        F(1, 40) + F(1, 60) == F(1, 24),
        F(1, 2) / F(1, 24) == 12,
        10 + 12 == 22,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_72386a160b():
    """A triangle has sides 5, 7 and 8. Find the distance between its circumcentre O and ..."""
    F = fractions.Fraction
    r2, R2, Rr = F(3), F(49, 3), F(7)
    t = [
        F(5 + 7 + 8, 2) == 10,
        10 * 5 * 3 * 2 == 300,
        F(300, 100) == r2,
        F(280 * 280, 16 * 300) == R2,
        R2 - Rr == R2 - 2 * Rr,
        R2 - 7 == R2 - 2 * Rr,
        F(28, 3) == R2 - 2 * Rr,
    ]
    t[0:2] = [t[0] and t[1]]
    gold = t.index(False) if False in t else -1
    return gold


def core_6fa8ab76b0():
    """A ring is set with five stones, evenly spaced all round it, and each stone is blac..."""
    C = list(itertools.product(range(3), repeat=5))
    rots = lambda c: {c[k:] + c[:k] for k in range(5)}
    orb = lambda S: len({min(rots(c)) for c in S})
    multi = [c for c in C if len(set(c)) > 1]
    t = [
        len(C) == 243,
        True,
        sum(len(rots(c)) == 1 for c in C) == 3,
        orb(multi) == 48,
        orb(C) == 51,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_0ca4db616f():
    """A recipe for 6 people needs 450 g of rice, 4 eggs and 0.75 litres of stock. Farid ..."""
    F = fractions.Fraction
    t = [
        450 / 6 == 75 and 0.75 / 6 == 0.125,
        1200 / 75 == 16,
        10 / F(2, 3) == 15,
        1.75 / 0.125 == 14,
        min(16, 15, 14) == 14,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_a26be427c8():
    """After a discount of 30% a coat is sold for 84 euros. The shop then takes another 1..."""
    t = [
        True,
        84 / 70 * 100 == 120,
        abs(84 * 0.1 - 8.4) < 1e-9,
        abs(84 - 8.4 - 75.6) < 1e-9,
        abs(120 - 75.6 - 44.4) < 1e-9,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_22b91ac740():
    """A chemist pours together 300 g of a 20% salt solution and 200 g of a 45% salt solu..."""
    t = [
        300 * 20 // 100 == 60,
        200 * 45 // 100 == 90,
        60 + 90 == 150,
        300 + 200 + 100 == 600,
        150 / 600 == 0.24,
        True,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_dfb221b79a():
    """A knockout tournament has 37 players. If the number of players in a round is odd, ..."""
    t = [37 - 18 == 19, 19 - 9 == 10, 10 - 5 == 5, 5 - 2 == 3, True, 18 + 9 + 5 + 2 + 1 + 1 == 36]
    gold = t.index(False) if False in t else -1
    return gold


def core_5588278f3a():
    """Eight identical sweets are given to three children. Each child gets at least one s..."""
    D = [(a, b, 8 - a - b) for a in range(1, 9) for b in range(1, 9) if 8 - a - b >= 1]
    bad1 = sum(d[0] >= 5 for d in D)
    t = [
        len(D) == 21,
        True,
        bad1 == 2,
        not any(sum(x >= 5 for x in d) > 1 for d in D),
        3 * bad1 == 6,
        sum(max(d) <= 4 for d in D) == 15,
    ]
    t[3:5] = [t[3] and t[4]]
    gold = t.index(False) if False in t else -1
    return gold


def core_684e12aeea():
    """Find all pairs (p, q) of prime numbers with p^2 = 2q^2 + 1."""
    pr = [n for n in range(2, 2000) if all(n % d for d in range(2, int(n**0.5) + 1))]
    ps = set(pr)
    t = [
        True,
        all((p * p - 1) % 8 == 0 for p in pr if p > 2),
        True,
        True,
        [
            (p, q)
            for q in pr
            for p in [math.isqrt(2 * q * q + 1)]
            if p * p == 2 * q * q + 1 and p in ps
        ]
        == [(3, 2)],
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_489b5a705b():
    """A door code consists of four different digits. The first digit is not 0 and the la..."""
    P = list(itertools.permutations(range(10), 4))
    t = [
        True,
        sum(p[0] > 0 and p[3] == 0 for p in P) == 504,
        len({p[0] for p in P if p[0] > 0 and p[3] == 2}) == 9,
        sum(p[0] > 0 and p[3] in (2, 4, 6, 8) for p in P) == 2016,
        sum(p[0] > 0 and p[3] % 2 == 0 for p in P) == 2520,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_da55c1da45():
    """A device costs 300 euros including 25% sales tax on the net price. The dealer rais..."""
    t = [
        225 * 1.25 == 300,
        225 + 9 == 234,
        abs(234 * 0.1 - 23.4) < 1e-9,
        abs(234 + 23.4 - 257.4) < 1e-9,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_70442059ab():
    """In an election candidate A receives 6 votes and candidate B receives 4. The ten vo..."""
    S = list(itertools.combinations(range(10), 4))
    ok = [s for s in S if all(k - 2 * sum(x < k for x in s) > 0 for k in range(1, 11))]
    b = sum(0 in s for s in S)
    t = [
        len(S) == 210,
        True,
        b == 84 and not any(0 in s for s in ok),
        True,
        len(S) - len(ok) - b == 84,
        len(ok) == 42,
    ]
    t[4:6] = [t[4] and t[5]]
    gold = t.index(False) if False in t else -1
    return gold


def core_dc0c28de82():
    """A medicine is given at 15 mg per kg of body weight per day, split into three equal..."""
    t = [
        15 * 24 == 360,
        360 / 3 == 120,
        200 / 5 == 40,
        120 / 40 == 3,
        3 * 3 == 9,
        7 * 9 == 56,
        100 - 56 == 44,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_a3acb9283e():
    """Find the sum of all different real solutions of $x^4-5x^3+8x^2-5x+1=0$."""
    r = [1, (3 + 5**0.5) / 2, (3 - 5**0.5) / 2]
    t = [
        True,
        True,
        (2 * 2 - 10 + 6, 9 - 15 + 6) == (0, 0),
        True,
        1 - 3 + 1 != 0,
        all(abs(x**4 - 5 * x**3 + 8 * x * x - 5 * x + 1) < 1e-9 for x in r)
        and abs(sum(r) - 4) < 1e-9,
    ]
    t[4:6] = [t[4] and t[5]]
    gold = t.index(False) if False in t else -1
    return gold


def core_d9c5363bbb():
    """In a right triangle ABC with the right angle at C, we have AC = 15 and BC = 20. Th..."""
    I, J = (-3, 3), (4, 4)
    t = [
        15 * 15 + 20 * 20 == 625 and 15 * 20 / 25 == 12,
        225 - 144 == 81 and 25 - 9 == 16,
        (9 + 12 - 15) / 2 == 3 and (16 + 12 - 20) / 2 == 4,
        True,
        True,
        (I[0] - J[0]) ** 2 + (I[1] - J[1]) ** 2 == 50,
    ]
    t[4:6] = [t[4] and t[5]]
    gold = t.index(False) if False in t else -1
    return gold


def core_d3d06bcb38():
    """How many integers $x$ with $1\\le x\\le 120$ satisfy $x^2\\equiv 1\\pmod{120}$?"""
    n = lambda m: sum(x * x % m == 1 % m for x in range(m))
    t = [8 * 3 * 5 == 120, n(3) == 2 and n(5) == 2, n(8) == 2, True, n(120) == 8]
    gold = t.index(False) if False in t else -1
    return gold


def core_88eaa3d0df():
    """A patient takes tablets from Tuesday 9 April to Friday 3 May, both days included. ..."""
    d = [datetime.date(2024, 4, 9) + datetime.timedelta(k) for k in range(25)]
    s = [x for x in d if x.weekday() == 6]
    t = [
        [x.day for x in s] == [14, 21, 28]
        and d[0].weekday() == 1
        and d[-1] == datetime.date(2024, 5, 3),
        True,
        sum(x.month == 4 for x in d) == 21,
        len(d) == 24,
        2 * len(d) - 3 == 45,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_7c6c85cd3e():
    """A kitchen floor measures 5.4 m by 4.2 m and is to be covered with square tiles of ..."""
    t = [
        540 / 30 == 18,
        420 / 30 == 14,
        18 * 14 == 252,
        2 * 3 == 6,
        252 - 6 == 246,
        math.ceil(246 / 20) == 13,
        13 * 18 == 224,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_82bdc87e7f():
    """Two positive real numbers $x$ and $y$ have the sum 9. Find the largest possible va..."""
    v = max((9 - k / 1000) * (k / 1000) ** 2 for k in range(1, 9000))
    t = [
        True,
        True,
        3**3 == 27,
        4 * 27 == 108,
        3 + 6 == 9 and 3 == 6 / 2,
        abs(v - 108) < 1e-9 and 3 * 36 == 108,
    ]
    t[3:5] = [t[3] and t[4]]
    gold = t.index(False) if False in t else -1
    return gold


def core_a9cf536016():
    """Convert the binary number 110101101 to a decimal number, and find the remainder wh..."""
    n = int("110101101", 2)
    t = [
        2**8 == 256,
        [1 << i for i, c in enumerate("110101101"[::-1]) if c == "1"] == [1, 4, 8, 32, 128, 256],
        n == 429,
        8 * 53 == 424,
        n % 8 == 5,
    ]
    t[2:4] = [t[2] and t[3]]
    gold = t.index(False) if False in t else -1
    return gold


def core_4a197eb48c():
    """A manager gives six different tasks A, B, C, D, E and F to three people so that ev..."""
    P = list(itertools.product(range(3), repeat=5))
    t = [
        len(P) == 243,
        sum(0 not in p for p in P) == 32,
        sum(len(set(p)) < 3 for p in P) == 96,
        sum(len(set(p)) == 3 for p in P) == 147,
        sum(len(set(p)) == 3 for p in P) == 147,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_597d56705e():
    """Three married couples sit down at random on six chairs in a row. In how many of th..."""
    P = list(itertools.permutations(range(6)))
    tog = lambda p, i: abs(p.index(2 * i) - p.index(2 * i + 1)) == 1
    c = lambda *I: sum(all(tog(p, i) for i in I) for p in P)
    f = sum(not any(tog(p, i) for i in range(3)) for p in P)
    t = [len(P) == 720, c(0) == 240, c(0, 1) == 96, c(0, 1, 2) == 48, 720 - f == 480, f == 240]
    t[2:4] = [t[2] and t[3]]
    gold = t.index(False) if False in t else -1
    return gold


def core_3e3e0517d0():
    """In her first five races of the season Ingrid had an average time of 52 seconds. In..."""
    t = [5 * 52 == 260, 260 + 49 == 309, 7 * 51 == 357, 357 - 309 == 48]
    gold = t.index(False) if False in t else -1
    return gold


def core_4c40280b33():
    """The value of a fund rises by 50% in one year and falls by 40% in the next. By what..."""
    F = fractions.Fraction
    t = [
        100 * 1.5 == 150,
        150 - 60 == 90 and 0.4 * 150 == 60,
        90 + 10 == 100,
        F(10, 90) == F(1, 9),
        True,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_092610d84f():
    """A school has 24 solar panels of 350 watts each. On a sunny day they work at full p..."""
    t = [
        24 * 350 == 8400,
        5 * 8.4 == 42,
        abs(4 * 4.2 - 16.8) < 1e-9,
        abs(42 + 16.8 - 58.8) < 1e-9,
        abs(58.8 - 30 - 28.8) < 1e-9,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_50e341b184():
    """A phone contract costs 12 euros a month and 0.08 euros per minute, another costs 2..."""
    t = [
        12 + 250 * 0.08 == 32,
        20 + 250 * 0.03 == 27.5,
        27.5 < 32,
        32 - 27.5 == 4.5,
        12 * 4.5 == 54,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_5290a51c00():
    """In how many ways can 20 be written as a + b + c with positive integers a < b < c?"""
    D = [(a, b, 20 - a - b) for a in range(1, 20) for b in range(1, 20) if 20 - a - b > 0]
    t = [
        len(D) == 171,
        not any(len(set(x)) == 1 for x in D),
        sum(a == b for a, b, c in D) == 9,
        sum(len(set(x)) == 2 for x in D) == 27,
        sum(len(set(x)) == 3 for x in D) == 144,
        True,
        sum(a < b < c for a, b, c in D) == 24,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_784e22915e():
    """Five singers A, B, C, D and E perform in a random order. What is the probability t..."""
    P = list(itertools.permutations("ABCDE"))
    f = lambda p, x, y: p.index(x) < p.index(y)
    S = [p for p in P if f(p, "A", "B") and f(p, "B", "C")]
    D = [p for p in S if 0 < p.index("D") < 4]
    t = [
        len(P) == 120,
        sum(f(p, "A", "B") for p in P) == 60,
        sum(f(p, "B", "C") for p in P) == 60,
        len(S) == 30,
        len(D) == 18,
        fractions.Fraction(len(D), 120) == fractions.Fraction(3, 20),
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_de149834a4():
    """For how many real numbers k does the equation (k^2 + 1)x^2 - 4kx + 2 = 0 have exac..."""
    d = lambda k: 16 * k * k - 8 * (k * k + 1)
    t = [
        all(k * k + 1 != 0 for k in range(-9, 9)),
        all(d(k) == 8 * k * k - 8 for k in range(-9, 9)),
        [k for k in range(-9, 9) if d(k) == 0] == [-1, 1],
        True,
        True,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_dd543e5ed8():
    """Find all real numbers $x$ with $(\\log_2 x^2)^2-10\\log_2 x^2+16=0$."""
    ok = lambda x: abs(math.log2(x * x) ** 2 - 10 * math.log2(x * x) + 16) < 1e-9
    s = [x for x in range(-300, 301) if x and ok(x)]
    t = [min(s) > 0, True, True, True, ok(2) and ok(16), s == [2, 16]]
    t[3:5] = [t[3] and t[4]]
    gold = t.index(False) if False in t else -1
    return gold


def core_594cfa84d3():
    """A school lottery has tickets with the numbers 1 to 1000. A ticket wins if its numb..."""
    R = range(1, 1001)
    w = [n for n in R if n % 6 == 0 or n % 10 == 0 or n % 15 == 0]
    t = [
        sum(n % 6 == 0 for n in R) == 166,
        sum((n % 6 == 0) + (n % 10 == 0) + (n % 15 == 0) for n in R) == 332,
        math.lcm(6, 10) == math.lcm(6, 15) == math.lcm(10, 15) == 30,
        sum(n % 30 == 0 for n in R) == 33,
        len(w) == 299,
        1000 - len(w) == 701,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_d5dde6268b():
    """Six flags stand in a circle on a round square in front of a museum, and each of th..."""
    C = list(itertools.product(range(3), repeat=6))
    rots = lambda c: {c[k:] + c[:k] for k in range(6)}
    orb = lambda S: len({min(rots(c)) for c in S})
    multi = [c for c in C if len(set(c)) > 1]
    t = [
        len(C) == 729,
        True,
        sum(len(rots(c)) == 1 for c in C) == 3,
        orb(multi) == 121,
        orb(C) == 124,
    ]
    t[1:3] = [t[1] and t[2]]
    gold = t.index(False) if False in t else -1
    return gold


def core_3062e7a19b():
    """Three bus lines leave the same stop at 6:00. Their buses run every 12, 18 and 20 m..."""
    L = math.lcm(12, 18, 20)
    t = [
        True,
        L == 180,
        6 + L / 60 == 9,
        [L // k for k in (12, 18, 20)] == [15, 10, 9],
        True,
        16 + 11 + 10 == 37,
    ]
    t[1:3] = [t[1] and t[2]]
    gold = t.index(False) if False in t else -1
    return gold


def core_b2d330fb8e():
    """An invoice of 4500 euros was paid 17 days late. The contract sets a penalty of 1.5..."""
    t = [-(-17 // 7) == 3, 4500 * 0.015 == 62.5, 3 * 62.5 == 187.5, 4500 + 187.5 == 4687.5]
    gold = t.index(False) if False in t else -1
    return gold


def core_01a8e44b3c():
    """Two perpendicular chords AB and CD of a circle meet at a point P inside the circle..."""
    F = fractions.Fraction
    t = [
        3 * 8 == 4 * 6,
        (3 + 8, 4 + 6) == (11, 10),
        True,
        (F(11, 2) - 3, F(10, 2) - 4) == (F(5, 2), 1),
        True,
        1 + F(121, 4) == F(125, 4) == F(5, 2) ** 2 + 25,
        True,
    ]
    t[3:5] = [t[3] and t[4]]
    gold = t.index(False) if False in t else -1
    return gold


def core_452c62e204():
    """A device sends messages made of three signals. Signal A lasts 1 second, and signal..."""
    m = [1, 1]
    for n in range(2, 9):
        m.append(m[-1] + 2 * m[-2])
    w = [
        p
        for r in range(9)
        for p in itertools.product("ABC", repeat=r)
        if sum(1 if s == "A" else 2 for s in p) == 8
    ]
    z = sum("A" not in p for p in w)
    t = [
        True,
        True,
        m[2:5] == [3, 5, 11],
        m[5:7] == [21, 43],
        m[7:] == [85, 171] and len(w) == 171,
        z == 5,
        len(w) - z == 166,
    ]
    t[1:3] = [t[1] and t[2]]
    gold = t.index(False) if False in t else -1
    return gold


def core_5398212a2a():
    """Lucía puts 2000 euros into an account that pays 5% interest at the end of each yea..."""
    a = 2000 * 105 // 100
    t = [a == 2100, a * 105 / 100 == 2210, 0.05 * 2210 == 110.5, 2210 + 110.5 == 2320.5]
    gold = t.index(False) if False in t else -1
    return gold


def core_7b0de53dd6():
    """Find all real numbers $k$ for which the equation $x^2+kx+k+3=0$ has two different ..."""

    def two(k):
        d = k * k - 4 * k - 12
        return d > 0 and -k - d**0.5 > 0

    t = [
        True,
        all((k * k - 4 * k - 12 > 0) == (k < -2 or k > 6) for k in range(-9, 10)),
        True,
        True,
        True,
        all(two(k / 10) == (-3 < k / 10 < -2) for k in range(-90, 90)),
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_f6d653b064():
    """Find all real solutions of sqrt(2x + 3) - sqrt(x + 1) = 1."""
    f = lambda x: math.sqrt(2 * x + 3) - math.sqrt(x + 1)
    t = [
        True,
        True,
        True,
        True,
        [x for x in range(-9, 9) if (x + 1) ** 2 == 4 * (x + 1)] == [-1, 3],
        f(-1) == 1 and f(3) == 1,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_0563c080d5():
    """How many four-digit numbers have digits whose product is 24?"""
    N = [str(n) for n in range(1000, 10000) if math.prod(map(int, str(n))) == 24]
    c = [sum(s.count("1") == k for s in N) for k in range(4)]
    t = [c[3] == 0, c[0] == 4, c[1] == 24, c[2] == 24, len(N) == 52]
    gold = t.index(False) if False in t else -1
    return gold


def core_140dbaa1cc():
    """Find the remainder when $14^{41}+41^{14}$ is divided by 100."""
    t = [
        sum(math.gcd(k, 100) == 1 for k in range(100)) == 40,
        pow(14, 41, 100) == 14,
        pow(41, 4, 100) == 61,
        pow(41, 14, 100) == 61,
        (14**41 + 41**14) % 100 == 75,
    ]
    t[2:4] = [t[2] and t[3]]
    gold = t.index(False) if False in t else -1
    return gold


def core_5adab39409():
    """A cable is fixed to the outer surface of a closed box with edges of 5 dm, 4 dm and..."""
    v = [a * a + (b + c) ** 2 for a, b, c in ((5, 4, 3), (4, 5, 3), (3, 5, 4))]
    t = [True, True, True, v[0] == 74, v[1:] == [80, 90], min(v) == 74]
    gold = t.index(False) if False in t else -1
    return gold


def core_2061f698a6():
    """Positive real numbers $a$ and $b$ satisfy $a+b=6$. Find the smallest possible valu..."""
    v = [1 / a + 4 / (6 - a) for a in [k / 1000 for k in range(1, 6000)]]
    m = min(v)
    t = [True, True, m >= 4 / 3, abs(m - 4 / 3) < 1e-3, m > 4 / 3, abs(m - 4 / 3) < 1e-3]
    t[4:6] = [t[4] and t[5]]
    gold = t.index(False) if False in t else -1
    return gold


def core_d27b514a85():
    """A rainwater tank contains 900 litres. One third of the water is used on Monday, on..."""
    t = [900 - 300 == 600, 600 - 150 == 450, 450 * 40 // 100 == 160, 450 - 160 == 290, True]
    gold = t.index(False) if False in t else -1
    return gold


def core_b6874fdcb2():
    """A team of four is chosen from 5 engineers and 4 designers. It must include at leas..."""
    T = list(itertools.combinations(range(9), 4))
    ok = [t for t in T if min(t) < 5 and max(t) > 4]
    b = sum(0 in t and 5 in t for t in ok)
    t = [len(T) == 126, True, len(ok) == 120, True, b == 12, len(ok) - b == 108]
    t[0:2] = [t[0] and t[1]]
    gold = t.index(False) if False in t else -1
    return gold


def core_d1be47be28():
    """Determine the last two digits of the number $13^{42}+15^{42}$."""
    t = [
        math.gcd(13, 100) == 1,
        pow(13, 42, 100) == 69,
        15**2 % 100 == 25,
        pow(15, 42, 100) == 25,
        (13**42 + 15**42) % 100 == 94,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_ffb10159d3():
    """Six different projects, among them Alpha and Beta, are divided among three employe..."""
    P = [p for p in itertools.product(range(3), repeat=6) if p[0] != p[1]]
    t = [
        len(P) == 486,
        True,
        sum(0 not in p for p in P) == 32,
        sum(len(set(p)) < 3 for p in P) == 96,
        sum(len(set(p)) == 3 for p in P) == 390,
    ]
    t[2:4] = [t[2] and t[3]]
    gold = t.index(False) if False in t else -1
    return gold


def core_36862367d8():
    """A rectangular pond of 10 m by 6 m is surrounded by a path of the same width on all..."""
    w = 2
    t = [
        True,
        True,
        True,
        w * w + 8 * w - 20 == 0,
        True,
        (10 + 2 * w, 6 + 2 * w) == (12, 8),
        2 * (12 + 8) == 40,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_2302087d47():
    """Find the sum of all real numbers k for which the equation (k - 2)x^2 + 2kx + k + 3..."""
    n = lambda k: 1 if k == 2 else (0 if 24 - 4 * k < 0 else 1 if k == 6 else 2)
    t = [
        all((n(k) == 1) == ((2 * k) ** 2 - 4 * (k - 2) * (k + 3) == 0) for k in range(-20, 20)),
        True,
        24 - 4 * 6 == 0,
        (4 * 6,) == (24,),
        sum(k for k in range(-20, 20) if n(k) == 1) == 6,
    ]
    gold = t.index(False) if False in t else -1
    return gold


def core_b677a09665():
    """In a survey of 100 households, 60 separate glass, 55 separate paper and 40 separat..."""
    t = [
        (30 - 10, 20 - 10, 15 - 10) == (20, 10, 5),
        60 - 20 - 10 - 10 == 20,
        55 - 20 - 5 - 10 == 20,
        40 - 10 - 5 - 10 == 15,
        20 + 20 + 15 == 55,
        100 - 55 - (20 + 10 + 5) - 10 == 0,
    ]
    t[1:3] = [t[1] and t[2]]
    gold = t.index(False) if False in t else -1
    return gold


def core_af1ce957fb():
    """A theatre has 20 rows. The first row has 18 seats, and each further row has 2 seat..."""
    s = [18 + 2 * k for k in range(20)]
    t = [True, s[16] == 50, sum(s[:17]) / 17 == 34, sum(s[:17]) == 578]
    gold = t.index(False) if False in t else -1
    return gold
