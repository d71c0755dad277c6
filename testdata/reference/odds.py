"""Wagers on the likelier arm of each round, in exact fractions.

Made with the standard library of Python 3:

    python3 odds.py > odds.csv

all,the likelier arm was played (0 or 1),p,p- and p+ of it
played,p,p- and p+ of the played one of two arms
e,all (0 or 1),rows,ln of the average account after so many rows
"""
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 60
ROWS, SIZES = 120, 16
state = 1847


def draw(n):
    global state
    state = (1103515245 * state + 12345) % 2**31
    return (state >> 8) % n


def ln(x):
    return (Decimal(x.numerator) / Decimal(x.denominator)).ln()


half, room = Fraction(1, 2), Fraction(1, 2048)
sizes = [Fraction(1, 2 ** (j + 1)) for j in range(SIZES)]
for everything in (1, 0):
    rows = []
    for t in range(ROWS):
        p = Fraction(512 + draw(512), 1024)  # of the likelier arm
        if t % 7 == 2:
            p = half
        likelier = draw(1024) < p * 1024 or t < 40
        q = p if likelier else 1 - p
        if not everything:
            p = q
        low, high = max(Fraction(0), p - room), min(Fraction(1), p + room)
        rows.append((likelier, p, low, high))
        print(*(["all", int(likelier)] if everything else ["played"]), float(p), float(low), float(high), sep=",")
    accounts = [{l: Fraction(1) for l in sizes} for _ in range(4 if everything else 2)]
    for n, (likelier, p, low, high) in enumerate(rows, 1):
        if everything:
            x = [1 / high if likelier else 0, 0 if likelier else 1 / (1 - low)]
            if high >= Fraction(4, 5):
                x = x + x
        else:
            x = [1 / high if low > half else 0, 1 / high if high < half else 0]
        for account, bet in zip(accounts, x):
            for l in sizes:
                account[l] *= 1 + l * (bet - 1)
        if n in (7, 60, 120):
            e = sum(sum(a.values()) / SIZES for a in accounts) / len(accounts)
            print("e", everything, n, f"{ln(e):.17f}", sep=",")
