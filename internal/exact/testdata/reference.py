"""Writes reference.txt: arguments and correctly rounded values, all as hexadecimal floats.

Each value is computed by mpmath with 60 digits, by another method than the Go code uses.
Run: python3 reference.py > reference.txt
"""
import random
from mpmath import mp, mpf, findroot

mp.dps = 60
random.seed(20240601)
uniform = random.uniform


def normal_quantile(p):
    if p > 0.5:  # from the tail: erfinv loses digits near 1
        return -normal_quantile(1 - p)
    z = -mp.sqrt(-2 * mp.log(p)) if p < mpf("1e-5") else mp.sqrt(2) * mp.erfinv(2 * p - 1)
    return findroot(lambda y: mp.log(mp.erfc(-y / mp.sqrt(2)) / 2) - mp.log(p), z)


def gamma_cdf(x, a):
    return mp.gammainc(a, 0, x, regularized=True)


def gamma_log_tail(a, lower):
    def f(y):
        x = mp.exp(y)
        return mp.log(mp.gammainc(a, 0, x, regularized=True) if lower else mp.gammainc(a, x, mp.inf, regularized=True))
    return f


def gamma_quantile(p, a):
    lower = p <= 0.5
    goal = mp.log(p if lower else 1 - p)
    start = (mp.log(p) + mp.loggamma(a + 1)) / a
    root = 1 - 1 / (9 * a) + normal_quantile(p) / (3 * mp.sqrt(a))
    if root > 0:
        start = max(start, mp.log(a) + 3 * mp.log(root))
    f = gamma_log_tail(a, lower)
    return mp.exp(findroot(lambda y: f(y) - goal, (start, start + mpf("0.01")), solver="secant", maxsteps=200))


def t_cdf_tail(t, df):
    return mp.betainc(df / 2, mpf(1) / 2, 0, df / (df + t * t), regularized=True) / 2


def t_quantile(p, df):
    if p > 0.5:
        return -t_quantile(1 - p, df)
    start = mp.log(-normal_quantile(p))
    g = lambda y: mp.log(t_cdf_tail(mp.exp(y), df)) - mp.log(p)
    low, high = start - 1, start + 1
    while g(high) > 0:
        high += 3
    return -mp.exp(findroot(g, (low, high), solver="anderson", maxsteps=500, tol=mpf(10) ** -50))


FUNCTIONS = [
    ("Log", 60, mp.log, lambda: [mp.exp(uniform(-700, 700)) if random.random() < 0.5 else uniform(0.3, 3)]),
    ("Log1p", 60, mp.log1p, lambda: [random.choice([-1, 1]) * mp.exp(uniform(-45, -0.01)) if random.random() < 0.7 else mp.exp(uniform(0, 80))]),
    ("Exp", 60, mp.exp, lambda: [uniform(-700, 700) if random.random() < 0.5 else uniform(-1, 1)]),
    ("Expm1", 60, mp.expm1, lambda: [random.choice([-1, 1]) * mp.exp(uniform(-45, 4))]),
    ("Erf", 60, mp.erf, lambda: [uniform(-6, 6)]),
    ("Erfc", 80, mp.erfc, lambda: [uniform(-3, 26)]),
    ("NormCDF", 60, mp.ncdf, lambda: [uniform(-37, 8)]),
    ("NormQuantile", 80, normal_quantile, lambda: [random.random() if random.random() < 0.5 else mp.exp(-uniform(0.7, 690))]),
    ("LogGamma", 80, mp.loggamma, lambda: [mp.exp(uniform(-7, 14)) if random.random() < 0.5 else uniform(0.01, 12)]),
    ("Pow", 80, mp.power, lambda: (lambda x: [x, uniform(-650, 650) / abs(mp.log(x))])(mp.exp(uniform(-4, 4)))),
    ("GammaCDF", 60, gamma_cdf, lambda: (lambda a: [a * mp.exp(uniform(-1, 0.7) / mp.sqrt(a)), a])(mp.exp(uniform(-4, 6.5)))),
    ("GammaQuantile", 60, gamma_quantile, lambda: [random.random() if random.random() < 0.6 else mp.exp(-uniform(1, 27)), mp.exp(uniform(-2, 6.8))]),
    ("GammaQuantileLarge", 20, gamma_quantile, lambda: [random.random(), mp.exp(uniform(6.95, 9))]),
    ("TQuantile", 60, t_quantile, lambda: [random.random() if random.random() < 0.6 else mp.exp(-uniform(1, 13)), random.choice([1, 2, 3, 4, 9, 19, 29, 99, 499, uniform(0.1, 2), uniform(2, 900)])]),
    ("TQuantileLarge", 20, t_quantile, lambda: [random.random(), uniform(1001, 1e5)]),
]
for name, count, function, draw in FUNCTIONS:
    for _ in range(count):
        arguments = [float(x) for x in draw()]
        value = float(function(*[mpf(x) for x in arguments]))
        print(name, *[x.hex() for x in arguments], value.hex())
