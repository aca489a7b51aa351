#!/usr/bin/env python3
"""Writes python.jsonl: what CPython 3.11 makes of the cases below. Each line is
{"op", "args", "want" or "error"}; values are JSON, or {"float": repr},
{"int": text}, {"time": [..., offset seconds or null]}, {"span": micros},
{"tuple": [...]}, {"set": [...]}, {"pairs": [[key, value], ...]}."""
import datetime
import json
import sys

out = open(sys.argv[1] if len(sys.argv) > 1 else 'python.jsonl', 'w')


def enc(v):
    if isinstance(v, bool) or v is None or isinstance(v, str):
        return v
    if isinstance(v, int):
        return {'int': str(v)}
    if isinstance(v, float):
        return {'float': repr(v)}
    if isinstance(v, datetime.datetime):
        off = v.utcoffset()
        return {'time': list(v.timetuple()[:6]) + [v.microsecond, None if off is None else int(off.total_seconds())]}
    if isinstance(v, datetime.timedelta):
        return {'span': str((v.days * 86400 + v.seconds) * 1000000 + v.microseconds)}
    if isinstance(v, tuple):
        return {'tuple': [enc(x) for x in v]}
    if isinstance(v, (set, frozenset)):
        return {'set': [enc(x) for x in v]}
    if isinstance(v, dict):
        return {'pairs': [[enc(k), enc(x)] for k, x in v.items()]}
    return [enc(x) for x in v]


def case(op, f, *args):
    line = {'op': op, 'args': [enc(a) for a in args]}
    try:
        line['want'] = enc(f(*args))
    except Exception as e:
        line['error'] = type(e).__name__ + ': ' + str(e)
    out.write(json.dumps(line) + '\n')


UTC = datetime.timezone.utc
nums = [0, 1, -1, 7, -7, 2**31, 2**63 - 1, -2**63, 2**63, 10**30, -10**30, 0.0, -0.0, 0.5, -0.5, 1.5, 2.5, 1e16, 1e-5, 123456.789, 1e300, True, False]
for a in nums:
    for op, f in (('neg', lambda x: -x), ('abs', abs), ('str', str), ('int', int), ('float', float), ('hash', hash)):
        case(op, f, a)
    for b in nums[::2] + [0.0, -0.5]:
        case('add', lambda x, y: x + y, a, b)
        case('sub', lambda x, y: x - y, a, b)
        case('mul', lambda x, y: x * y, a, b)
        case('floordiv', lambda x, y: x // y, a, b)
        case('mod', lambda x, y: x % y, a, b)
        case('truediv', lambda x, y: x / y, a, b)
        case('eq', lambda x, y: x == y, a, b)
        case('lt', lambda x, y: x < y, a, b)
for a, b in [(2, 10), (2, -1), (0, -1), (10, -2), (2.5, 3), (2, 0.5), (1.1, 100), (0.3, 7.7), (1e10, 20), (-2, 3), (-2.0, 3), (9, 0.5), (1.0000001, 1e8), (3, 200)]:
    case('pow', pow, a, b)
for a, b, m in [(3, 2, 5), (-1, -1, 7), (2, -1, 4), (2, 3, 0), (2, 3, -5), (-7, 3, 5)]:
    case('pow', pow, a, b, m)
for x in [2.5, 3.5, -2.5, 1.005, 2.675, 1e20, 12345.678, 0.5, 1.25, 55, 15, -15, 149, 150]:
    for n in (0, 1, 2, -1, -2, 5):
        case('round', round, x, n)
for s in ['1', ' 12 ', '+3', '-4', '1_000', '_1', '1__0', '1.5', '', ' ', '٣', '1e3', 'inf', '-Infinity', 'nan', '.5', '5.', '1_0.5', '0x1', '1e400', '--1', '½', '1 2']:
    case('int', int, s)
    case('float', float, s)
texts = ['', 'abc', 'Grüße', 'ß', 'ΑΣ Σ ΣΑ', 'İ', 'ǅ', '日本', 'a,b,,c', '  x  y ', 'aXbXc', '\t\n', "it's", 'a"b\'c', 'é\x00\x7f\u2028\U0001f600', 'ŉ', 'ffi ﬃ']
for s in texts:
    for op, f in (('upper', str.upper), ('lower', str.lower), ('repr', repr), ('ascii', ascii), ('len', len), ('strip', str.strip), ('split', str.split), ('json', json.dumps)):
        case(op, f, s)
    for sep in (',', 'X', 'ab', ' '):
        for n in (-1, 0, 1, 2):
            case('splitsep', str.split, s, sep, n)
            case('rsplitsep', str.rsplit, s, sep, n)
    for n in (0, 1, 2):
        case('splitn', lambda x, y: x.split(None, y), s, n)
        case('rsplitn', lambda x, y: x.rsplit(None, y), s, n)
    for sub in ('', 'a', 'X', 'c', 'ß'):
        for a, b in ((0, 100), (1, 100), (-2, 100), (0, 2), (2, 1), (5, -1)):
            case('find', str.find, s, sub, a, b)
            case('rfind', str.rfind, s, sub, a, b)
        case('replace', str.replace, s, sub, '-', -1)
        case('replace', str.replace, s, sub, '-', 2)
    for a, b in ((0, 2), (-2, 100), (1, -1), (3, 1), (-100, 100)):
        case('slice', lambda x, y, z: x[y:z], s, a, b)
specs = ['', '5', '<5', '>5', '^5', '*^7', '05', '+', ' ', '-', '.2f', '8.3f', '08.2f', 'e', '.0e', 'g', '.3g', 'G', '%', '.1%', 'd', 'x', '#x', 'X', 'b', '#b', 'o', 'c', ',', '_', ',.2f', '010,', '=+8', '.3', 's', '.2s', 'n', '#.0f', 'q', '5.', 'z.1f', '_x', '#_b', '20,.3f', '>>5', '<05']
for v in [0, 42, -42, 1234567, 3.14159, -0.0, 1e10, 1.5e-7, 12345.678, 'abc', 'é', True, 10**20, 0.1]:
    for s in specs:
        case('format', format, v, s)
for f, a in [('{}', [1]), ('{0}{1}', [1, 2]), ('{1}{0}', [1, 2]), ('{}{}', [1]), ('{{}}', []), ('{', []), ('}', []), ('{0!r}', ['a']), ('{0!s:>4}', ['a']), ('{0!x}', [1]), ('{0[1]}', [[1, 2]]), ('{0[a]}', [{'a': 3}]), ('{0.real}', [5]), ('{0.nope}', [5]), ('{:{}}', [1, 4]), ('{0}{}', [1, 2]), ('{:>{w}}', [1]), ('{0[}', [1]), ('{0[]}', [[1]]), ('{!r}', ['x']), ('{:%Y}', [datetime.datetime(2020, 1, 2)])]:
    case('strformat', lambda x, y: x.format(*y), f, a)
day = [datetime.datetime(2020, 2, 29, 13, 4, 5, 67, UTC), datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31, 23, 59, 59, 999999), datetime.datetime(2019, 12, 30, 0, 0, 0, tzinfo=datetime.timezone(datetime.timedelta(hours=-5, minutes=-30)))]
for d in day:
    for f in ['%Y-%m-%d', '%y%C', '%H:%M:%S.%f', '%I %p %P', '%a %A %b %B %h', '%j %U %W %V %G %g %u %w', '%c|%x|%X|%D|%F|%T|%R|%r', '%e%k%l', '%z', '%%%n%t', '%-d %_d %^a %10Y %05d', '%Q %', '%s' if d.year == 2020 else 'x', 'é']:
        case('strftime', datetime.datetime.strftime, d, f)
    case('str', str, d)
    case('iso', datetime.datetime.isoformat, d)
for s, f in [('2020-01-02', '%Y-%m-%d'), ('02.03.20 04:05', '%d.%m.%y %H:%M'), ('x', '%Y'), ('Jan 5 2020', '%b %d %Y'), ('10 PM', '%I %p'), ('12 AM', '%I %p'), ('2020 100', '%Y %j'), ('2020-01-02 +03:00', '%Y-%m-%d %z'), ('x', '%Q'), ('2020-01-02 extra', '%Y-%m-%d'), ('12:13:14.5', '%H:%M:%S.%f'), ('2020 10 1', '%Y %U %w'), ('2020 10 Mon', '%Y %W %a'), ('2020-W10-3', '%G-W%V-%u'), ('January 31', '%B %d'), ('%', '%%'), ('2020-02-30', '%Y-%m-%d'), ('1 2', '%d   %m'), ('68 69', '%y %d')]:
    case('strptime', datetime.datetime.strptime, s, f)
for us in [0, 1, -1, 86400000000, -86400000001, 3600000000, 10**15, -5 * 10**14]:
    d = datetime.timedelta(microseconds=us)
    case('str', str, d)
    case('repr', repr, d)
    case('seconds', datetime.timedelta.total_seconds, d)
for v in [None, True, 1, 1.0, 'a', [1, 'a', None], (1,), (), (1, 2), {'a': [1]}, {1: 2, None: 3}, [], {}, [[(1.5, True)]], set(), {3, 1, 2}]:
    case('repr', repr, v)
for items in [[3, 1, 2], [9, 1, 33, 17], list(range(40)), [8, 16, 24, 32, 0], [-1, -2, 1.5], [100, 7, -4, 2], [(2, 1), (1, 2)], [2**70, 5], [True, 0, 2]]:
    case('set', lambda x: list(set(x)), items)
    case('union', lambda x: list(set(x) | {1, 50, 2}), items)
    case('difference', lambda x: list(set(x) - {1, 3}), items)
    case('symmetric', lambda x: list(frozenset(x) ^ frozenset([1, 3, 99])), items)
    case('intersection', lambda x: list(set(x) & {1, 2, 3, 17, 9}), items)
for v in [[1, {'b': None, 'a': [True, 1.5, 'é\n"\\/']}], {1: 'x', None: 1, True: 2, 1.5: 3}, [], {}, [1e16, 1e-7, 10**20], 'a\u007f\u0080\U0001f600']:
    case('json', json.dumps, v)
    case('jsonindent', lambda x: json.dumps(x, indent=4), v)
case('jsonsorted', lambda x: json.dumps(x, sort_keys=True), {'b': 1, 'a': 2})
for s in ['[1, 2]', '{"a": 1.0, "a": 2}', '[1,]', 'NaN', '-Infinity', '"\\ud83d\\ude00"', '', ' ', '[', '{"a" 1}', '01', '-', '1.5e3', '1E5', '"\n"', '  3 ', '3 4', "{'a': 1}", '12345678901234567890123', '"abc', '[1 2]', 'nul', '"\\x"', '{"a":1,}', '{1: 2}', '"\\u12"', '[[[]]]', '1.', '\n\n x']:
    case('jsonparse', json.loads, s)
