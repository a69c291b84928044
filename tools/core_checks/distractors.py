"""The computed answers of items of `distractors`: their facts as data, and the answer that follows.

A function has the name of its item, and returns the answer.
"""

import fractions
import itertools
import math


def core_04cfb9c6b7():
    """What is the next prime number after 113?"""
    options = {
        "119": 119,
        "127": 127,
        "123": 123,
        "129": 129,
        "121": 121,
        "117": 117,
        "125": 125,
        "115": 115,
        "137": 137,
        "131": 131,
    }
    n = 114
    while any(n % d == 0 for d in range(2, n)):
        n += 1
    answer = n
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_c385085431():
    """A bottle holds 240 ml of syrup, and a patient takes 5 ml three times a day. For ho..."""
    options = {
        "15": 15,
        "12": 12,
        "18": 18,
        "24": 24,
        "14": 14,
        "80": 80,
        "16": 16,
        "32": 32,
        "48": 48,
        "20": 20,
    }
    answer = 240 // 15
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_5ed2ba7b0f():
    """A backup starts at 23:50 and is then repeated every 45 minutes. How many backups s..."""
    options = {
        "12": 12,
        "6": 6,
        "11": 11,
        "14": 14,
        "9": 9,
        "7": 7,
        "8": 8,
        "13": 13,
        "10": 10,
        "5": 5,
    }
    answer = len([t for t in range(0, 1440, 45) if t < 6 * 60 + 10])
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_272b753422():
    """How many whole numbers from 1 to 100 are divisible by 3 or by 5, but not by both?"""
    options = {
        "59": 59,
        "6": 6,
        "42": 42,
        "40": 40,
        "45": 45,
        "33": 33,
        "47": 47,
        "53": 53,
        "35": 35,
        "41": 41,
    }
    answer = sum((n % 3 == 0) != (n % 5 == 0) for n in range(1, 101))
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_9b1ab0c8cc():
    """A forest of 640 hectares loses a quarter of its area in a fire. Half of the lost a..."""
    options = {
        "560 hectares": 560,
        "520 hectares": 520,
        "580 hectares": 580,
        "320 hectares": 320,
        "80 hectares": 80,
        "480 hectares": 480,
        "160 hectares": 160,
        "600 hectares": 600,
        "400 hectares": 400,
        "540 hectares": 540,
    }
    answer = 640 - 160 + 80
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_e229eb5033():
    """A jury of 12 needs at least ten votes for a verdict. Seven members have voted guil..."""
    options = {"10": 10, "2": 2, "7": 7, "5": 5, "0": 0, "1": 1, "4": 4, "3": 3, "8": 8, "6": 6}
    answer = 10 - 7
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_71968cf219():
    """A plane leaves a city on UTC+5:30 at 02:15 local time and flies for 9 hours 20 min..."""
    options = {
        "06:05": 365,
        "08:05": 485,
        "16:05": 965,
        "11:35": 695,
        "10:35": 635,
        "06:35": 395,
        "07:05": 425,
        "12:35": 755,
        "05:05": 305,
        "07:35": 455,
    }
    answer = (2 * 60 + 15 - 330 + 9 * 60 + 20 + 60) % 1440
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_b020cc85e6():
    """A ferry sails at 21:40 and needs 9 hours 35 minutes. When does it arrive by the cl..."""
    options = {
        "07:15": 435,
        "06:35": 395,
        "06:15": 375,
        "07:45": 465,
        "12:05": 725,
        "08:15": 495,
        "06:55": 415,
        "07:25": 445,
        "07:05": 425,
        "06:45": 405,
    }
    answer = (21 * 60 + 40 + 9 * 60 + 35) % 1440
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_9874905fa0():
    """A wall clock is 20 minutes slow. What is the smaller angle between its hour hand a..."""
    options = {
        "85 degrees": 85,
        "145 degrees": 145,
        "70 degrees": 70,
        "35 degrees": 35,
        "75 degrees": 75,
        "82.5 degrees": 82.5,
        "80 degrees": 80,
        "90 degrees": 90,
        "60 degrees": 60,
        "105 degrees": 105,
    }
    shown = 8 * 60 + 50 - 20
    hour, minute = shown / 2, shown % 60 * 6
    answer = abs(minute - hour)
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_7abdcd8646():
    """A fee of 200 euros rises by 10 percent in each of two years and then falls by 20 p..."""
    options = {
        "198 euros": 198,
        "192 euros": 192,
        "193.60 euros": 193.6,
        "193 euros": 193,
        "194.40 euros": 194.4,
        "187.20 euros": 187.2,
        "202 euros": 202,
        "196 euros": 196,
        "208 euros": 208,
        "200 euros": 200,
    }
    answer = round(200 * 1.1 * 1.1 * 0.8, 6)
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_be9ff1b560():
    """In a certain month the first Monday is the 6th. On which day of that month is the ..."""
    options = [
        "The 16th",
        "The 21st",
        "The 14th",
        "The 15th",
        "The 20th",
        "The 10th",
        "The 27th",
        "The 17th",
        "The 18th",
        "The 24th",
    ]
    fridays = [d for d in range(1, 29) if d % 7 == (6 + 4) % 7]
    gold = [o for o in options if int(o[4:-2]) == fridays[2]]
    return gold


def core_c4d5cbee61():
    """Chen has 50 euros and buys a book for 18.50 euros. How much money is left?"""
    options = {
        "32.50 euros": 32.5,
        "33.50 euros": 33.5,
        "21.50 euros": 21.5,
        "30.50 euros": 30.5,
        "32.00 euros": 32.0,
        "41.50 euros": 41.5,
        "68.50 euros": 68.5,
        "28.50 euros": 28.5,
        "31.50 euros": 31.5,
        "31.00 euros": 31.0,
    }
    answer = 50 - 18.5
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_203587cedf():
    """Income is not taxed up to 10,000 euros, taxed at 20 percent from there to 30,000 e..."""
    options = {
        "6400 euros": 6400,
        "4000 euros": 4000,
        "7200 euros": 7200,
        "7600 euros": 7600,
        "6000 euros": 6000,
        "5200 euros": 5200,
        "2400 euros": 2400,
        "14,400 euros": 14400,
        "8400 euros": 8400,
        "10,400 euros": 10400,
    }
    answer = (30000 - 10000) * 20 // 100 + (36000 - 30000) * 40 // 100
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_9e194903c1():
    """A contract ends three full calendar months after notice. If the notice arrives by ..."""
    options = [
        "30 September",
        "5 August",
        "30 June",
        "31 August",
        "1 September",
        "31 July",
        "3 August",
        "31 May",
        "4 August",
        "31 October",
    ]
    day, month = 4, 5
    last = (month if day <= 3 else month + 1) + 2
    ends = {7: "31 July", 8: "31 August", 9: "30 September"}
    gold = ends[last]
    return gold


def core_6bd9335751():
    """How much water must be added to 200 ml of a solution with 30 percent acid by volum..."""
    options = {
        "240 ml": 240,
        "200 ml": 200,
        "250 ml": 250,
        "400 ml": 400,
        "120 ml": 120,
        "150 ml": 150,
        "300 ml": 300,
        "360 ml": 360,
        "80 ml": 80,
        "500 ml": 500,
    }
    acid = 200 * 30 // 100
    answer = acid * 100 // 12 - 200
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_7c69fbf647():
    """A bowling club admits players who average at least 80 points over five rounds, whe..."""
    options = {
        "72": 72,
        "79": 79,
        "85": 85,
        "66": 66,
        "76": 76,
        "75": 75,
        "74": 74,
        "89": 89,
        "80": 80,
        "71": 71,
    }
    answer = min(p for p in range(200) if sum(sorted([84, 71, 90, 66, p])[1:]) >= 4 * 80)
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_852500b49b():
    """Amir is eighth from the front and fifth from the back of a queue. Three people in ..."""
    options = {
        "15": 15,
        "9": 9,
        "8": 8,
        "7": 7,
        "10": 10,
        "12": 12,
        "18": 18,
        "11": 11,
        "14": 14,
        "13": 13,
    }
    answer = 8 + 5 - 1 - 3 + 2
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_c82d1abe3a():
    """A cyclist rides 54 km in 1 hour 30 minutes. What is the average speed?"""
    options = {
        "54 km/h": 54,
        "32 km/h": 32,
        "36 km/h": 36,
        "30 km/h": 30,
        "40 km/h": 40,
        "81 km/h": 81,
        "41.5 km/h": 41.5,
        "27 km/h": 27,
        "34 km/h": 34,
        "45 km/h": 45,
    }
    answer = 54 * 2 // 3
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_28462dfd3f():
    """A museum ticket costs 12 euros. Children under 6 enter free, visitors from 6 to 14..."""
    options = {
        "32.40 euros": 32.4,
        "36.00 euros": 36.0,
        "43.20 euros": 43.2,
        "59.40 euros": 59.4,
        "38.40 euros": 38.4,
        "48.60 euros": 48.6,
        "48.00 euros": 48.0,
        "37.80 euros": 37.8,
        "54.00 euros": 54.0,
        "42.00 euros": 42.0,
    }
    ages = [30, 30, 4, 6, 14, 15]
    prices = [6 if a <= 14 else 12 for a in ages if a >= 6]
    answer = round(sum(prices) * (0.9 if len(prices) >= 5 else 1), 2)
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_a982fc2e71():
    """Of 60 kg of waste, 40 percent is paper. Half of the paper is taken out for recycli..."""
    options = {
        "25 percent": 25,
        "40 percent": 40,
        "15 percent": 15,
        "28 percent": 28,
        "12 percent": 12,
        "33 percent": 33,
        "30 percent": 30,
        "20 percent": 20,
        "24 percent": 24,
        "50 percent": 50,
    }
    paper = 60 * 0.40 / 2
    answer = round(100 * paper / (60 - paper), 6)
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_1d9f7d8820():
    """In a league of eight teams, each team plays each other team twice, but one team wi..."""
    options = {
        "36": 36,
        "64": 64,
        "21": 21,
        "49": 49,
        "14": 14,
        "42": 42,
        "56": 56,
        "28": 28,
        "63": 63,
        "48": 48,
    }
    answer = 7 * 6
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_32b14c652b():
    """How many eggs are there in two and a half dozen?"""
    options = {
        "36": 36,
        "24": 24,
        "25": 25,
        "15": 15,
        "20": 20,
        "30": 30,
        "26": 26,
        "32": 32,
        "28": 28,
        "40": 40,
    }
    answer = 5 * 12 // 2
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_55c33debd4():
    """A tap fills a bath in 12 minutes, and the open drain empties a full bath in 20 min..."""
    options = {
        "28 minutes": 28,
        "16 minutes": 16,
        "40 minutes": 40,
        "8 minutes": 8,
        "20 minutes": 20,
        "24 minutes": 24,
        "60 minutes": 60,
        "7.5 minutes": 7.5,
        "30 minutes": 30,
        "32 minutes": 32,
    }
    answer = 1 / (fractions.Fraction(1, 12) - fractions.Fraction(1, 20))
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_68c568ac7f():
    """A drip gives 20 drops a minute, and 20 drops are one millilitre. A bag of 500 ml i..."""
    options = {
        "20:10": 1210,
        "19:10": 1150,
        "18:20": 1100,
        "18:40": 1120,
        "15:20": 920,
        "18:10": 1090,
        "15:50": 950,
        "19:20": 1160,
        "19:00": 1140,
        "18:50": 1130,
    }
    answer = 10 * 60 + 20 + 500 * 20 // 20 + 30
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_aadefc861f():
    """How much interest does a deposit of 2400 euros earn at 3 percent a year in exactly..."""
    options = {
        "62 euros": 62,
        "66 euros": 66,
        "24 euros": 24,
        "54 euros": 54,
        "80 euros": 80,
        "70 euros": 70,
        "6 euros": 6,
        "60 euros": 60,
        "72 euros": 72,
        "720 euros": 720,
    }
    answer = 2400 * 3 * 10 // 1200
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_abf8b3b326():
    """How is the decimal number 47 written in the hexadecimal system?"""
    options = ["29", "2E", "3F", "1F", "2F", "47", "4F", "2D", "31", "F2"]
    gold = [o for o in options if int(o, 16) == 47]
    return gold


def core_d6e45577ac():
    """A shift begins at 09:45 and ends at 13:15. How long is it?"""
    options = {
        "3 h 20 min": 200,
        "4 h": 240,
        "3 h 30 min": 210,
        "3 h": 180,
        "4 h 30 min": 270,
        "3 h 45 min": 225,
        "2 h 45 min": 165,
        "2 h 30 min": 150,
        "4 h 15 min": 255,
        "3 h 15 min": 195,
    }
    answer = 13 * 60 + 15 - 9 * 60 - 45
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_3e4646cfbc():
    """A party enters the council if it has at least 5 percent of the valid votes. Of 48,..."""
    options = {
        "2409": 2409,
        "2339": 2339,
        "2341": 2341,
        "2350": 2350,
        "2411": 2411,
        "2480": 2480,
        "2400": 2400,
        "2270": 2270,
        "2340": 2340,
        "2410": 2410,
    }
    answer = math.ceil((48200 - 1400) / 20)
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_909a74a238():
    """A team of 8 people gets 3 new members, and later 2 people leave and 4 others join...."""
    options = {
        "12": 12,
        "7": 7,
        "9": 9,
        "14": 14,
        "17": 17,
        "13": 13,
        "11": 11,
        "15": 15,
        "10": 10,
        "16": 16,
    }
    answer = 8 + 3 - 2 + 4
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_932476d8ce():
    """What does this Python code print? x = 10 while x > 1: x = x - 3 if x % 2 == 0 else..."""
    options = {"3": 3, "1": 1, "0": 0, "2": 2, "-1": -1, "4": 4, "5": 5, "8": 8, "6": 6, "7": 7}
    x = 10
    while x > 1:
        x = x - 3 if x % 2 == 0 else x + 1
    answer = x
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_6ef797f1ac():
    """What is the sum of 48 and 27?"""
    options = {
        "65": 65,
        "76": 76,
        "85": 85,
        "66": 66,
        "73": 73,
        "75": 75,
        "74": 74,
        "71": 71,
        "81": 81,
        "79": 79,
    }
    answer = 48 + 27
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_d72693ef57():
    """Which word comes first in alphabetical order?"""
    options = [
        "brand",
        "bravo",
        "bracket",
        "brick",
        "bridge",
        "breath",
        "brain",
        "bread",
        "brace",
        "brave",
    ]
    gold = min(options)
    return gold


def core_248f503b3b():
    """A train runs every 25 minutes, first at 05:50. Noor reaches the platform at 09:12 ..."""
    options = {
        "10:00": 600,
        "09:25": 565,
        "09:10": 550,
        "09:30": 570,
        "09:40": 580,
        "09:15": 555,
        "09:37": 577,
        "09:20": 560,
        "09:50": 590,
        "09:35": 575,
    }
    t = 5 * 60 + 50
    while t <= 9 * 60 + 12:
        t += 25
    answer = t
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_647d81085a():
    """A handball match ends 31 to 27. By how many goals does the better team win?"""
    options = {"4": 4, "5": 5, "2": 2, "58": 58, "14": 14, "7": 7, "1": 1, "6": 6, "3": 3, "8": 8}
    answer = 31 - 27
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_05ed778962():
    """A car uses 6 litres of fuel per 100 km, but 9 litres per 100 km in the mountains. ..."""
    options = {
        "162 km": 162,
        "300 km": 300,
        "420 km": 420,
        "400 km": 400,
        "480 km": 480,
        "380 km": 380,
        "450 km": 450,
        "600 km": 600,
        "350 km": 350,
        "500 km": 500,
    }
    answer = 100 + (30 - 3 - 9) * 100 // 6
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_9bd4f12a4b():
    """A coat costs 84 euros after a discount of 30 percent. What was its price before th..."""
    options = {
        "112 euros": 112,
        "114 euros": 114,
        "110 euros": 110,
        "120 euros": 120,
        "126 euros": 126,
        "109.20 euros": 109.2,
        "117.60 euros": 117.6,
        "108 euros": 108,
        "280 euros": 280,
        "130 euros": 130,
    }
    answer = 84 * 100 // 70
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_3a6a2448d1():
    """A password consists of two different digits. How many such passwords are there if ..."""
    options = {
        "99": 99,
        "72": 72,
        "19": 19,
        "64": 64,
        "110": 110,
        "45": 45,
        "81": 81,
        "100": 100,
        "20": 20,
        "90": 90,
    }
    answer = len(list(itertools.permutations(range(10), 2)))
    gold = [o for o, v in options.items() if v == answer]
    return gold


def core_8b8c707d08():
    """How many hours are there in the month of April?"""
    options = {
        "750": 750,
        "744": 744,
        "696": 696,
        "700": 700,
        "672": 672,
        "840": 840,
        "600": 600,
        "768": 768,
        "730": 730,
        "720": 720,
    }
    answer = 30 * 24
    gold = [o for o, v in options.items() if v == answer]
    return gold
