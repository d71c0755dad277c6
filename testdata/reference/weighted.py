"""Weighted means of the arms of Offer-Westort, Coppock & Green 2021, study 1, to 40
digits, with the standard library of Python 3:

    python3 weighted.py .../owcg2021/minimum-wage-posteriors.csv > weighted.csv

kind,arm,estimate,standard error,rounds; kinds ipw, snipw, aipw, sqrt (weights of the
square root of p), and contrast (of sqrt, with arm 0). The propensities of a batch are
the posteriors after the batch before it; rounds are in order of batch, then arm, those
that paid first. The plug-in of an arm is (S + 1/2)/(N + 1) of its rounds before. The
data is not part of the project."""
import csv
import sys
from decimal import Decimal, getcontext

getcontext().prec = 40
batches, labels = {}, []
for topic, arm, batch, posterior, successes, trials, *_ in csv.reader(open(sys.argv[1])):
    if topic == "topic":
        continue
    if batch == "0":
        labels.append(arm)
    batches.setdefault(int(batch), {})[arm] = (posterior, successes, trials)
log = []  # arm, propensities of all arms, reward
for b in sorted(batches)[1:]:
    p = [Decimal(float(batches[b - 1][arm][0])) for arm in labels]  # the double that a program reads
    for arm, label in enumerate(labels):
        _, s, n = batches[b][label]
        log += [(arm, p, Decimal(int(t < int(s)))) for t in range(int(n))]


def of(arm, root):
    """The round's number, weight and score of an arm, where it could be played."""
    n, s, out = 0, Decimal(0), []
    for t, (played, p, y) in enumerate(log):
        guess, q = (s + Decimal("0.5")) / (n + 1), p[arm]
        if q > 0:
            score = guess + ((y - guess) / q if played == arm else 0)
            out.append((t, q.sqrt() if root else Decimal(1), score))
        if played == arm:
            n, s = n + 1, s + y
    return out


def mean(terms):
    weight = sum(h for _, h, _ in terms)
    q = sum(h * g for _, h, g in terms) / weight
    return q, sum((h * (g - q)) ** 2 for _, h, g in terms).sqrt() / weight


def show(kind, arm, value, error, rounds):
    print(f"{kind},{arm},{value:.17g},{error:.17g},{rounds}")


for arm in range(len(labels)):
    could = [(played == arm, p[arm], y) for played, p, y in log if p[arm] > 0]
    show("ipw", arm, *mean([(0, Decimal(1), y / p if played else Decimal(0)) for played, p, y in could]), len(could))
    show("snipw", arm, *mean([(0, 1 / p, y) for played, p, y in could if played]), len(could))
    show("aipw", arm, *mean(of(arm, False)), len(could))
    show("sqrt", arm, *mean(of(arm, True)), len(could))
for arm in range(1, len(labels)):
    a, b = {t: (h, g) for t, h, g in of(arm, True)}, {t: (h, g) for t, h, g in of(0, True)}
    both = [t for t in a if t in b]
    ha, hb = sum(a[t][0] for t in both), sum(b[t][0] for t in both)
    qa, qb = sum(a[t][0] * a[t][1] for t in both) / ha, sum(b[t][0] * b[t][1] for t in both) / hb
    error = sum((a[t][0] * (a[t][1] - qa) / ha - b[t][0] * (b[t][1] - qb) / hb) ** 2 for t in both).sqrt()
    show("contrast", arm, qa - qb, error, len(both))
