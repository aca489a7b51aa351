#!/usr/bin/env python3
"""Writes python.jsonl: random patterns (some of them spoilt) and texts with what
CPython 3.11's re makes of them. Each line has the pattern P, text T, flags F
(1 ignore case, 2 multi-line, 4 dot all), replacement R, and either err or the
spans of all matches (Found), and the results of sub and split."""
import json
import random
import re
import signal
import sys
import warnings

warnings.simplefilter('ignore')
random.seed(1)

ATOMS = ['a', 'b', 'c', 'ab', '.', '\\d', '\\w', '\\s', '\\W', '\\D', '\\S', '[abc]', '[^a]', '[a-c]', '[\\w-]', '[^\\W_]',
         '^', '$', '\\b', '\\B', '\\A', '\\Z', 'é', 'ß', '1', '\\.', '\\n', '\\x61', '\\u00e9', '[\\d.]', 'K', '-', '_', '\\1',
         '\\2', '(?P=n)', '[]a]', '[^]a]', '[a\\]b]', ' ', 'İ', 'ſ', '\\0', '\\141', 'x', '\\N{DIGIT ONE}', '#']
QUANTIFIERS = ['', '', '', '', '', '*', '+', '?', '{2}', '{1,2}', '{,2}', '{2,}', '*?', '+?', '??', '{1,2}?', '++', '{', '{a}', '**']
GROUPS = ['(%s)', '(?:%s)', '(?P<n>%s)', '(?=%s)', '(?!%s)', '(?<=%s)', '(?<!%s)', '(?>%s)', '(?i:%s)', '(?-i:%s)', '(%s|%s)',
          '(?:%s|%s)', '(?s:%s)', '(?(1)%s|%s)', '(?x: %s )', '(?a:%s)']
TEXTS = ['abc', 'aabbcc', 'a1b2', 'é ß K', '', '\n', 'ab\ncd\n', 'foo_bar-baz', 'AbC', 'aXbxC', '  a ', 'ab' * 4, 'кирилл текст',
         '①²½', 'a.b.c', 'İıſsKk', '{a}{', 'x\ty']
REPLACEMENTS = ['-', '\\1', '<\\g<0>>', '\\g<n>', '\\\\', '\\n', '\\q', '\\0', '\\g<1', '\\g<9>', 'x\\', 'é', '\\12', '\\.']


def pattern(depth):
    out = ''
    for _ in range(random.randint(1, 4)):
        if depth > 0 and random.random() < 0.35:
            group = random.choice(GROUPS)
            while '%s' in group:
                group = group.replace('%s', pattern(depth - 1).replace('%', ''), 1)
            out += group
        else:
            out += random.choice(ATOMS)
        out += random.choice(QUANTIFIERS)
    return out


def spoil(p):
    if p and random.random() < 0.15:
        i = random.randrange(len(p))
        p = random.choice([p[:i] + p[i + 1:], p[:i] + random.choice('()[]{}?*+|\\^$') + p[i:]])
    if random.random() < 0.1:
        p = random.choice(['(?i)', '(?m)', '(?x)', '(?s)', '(?a)', '(?L)', '(?im)(?s)']) + p
    return p


def stop(*_):
    raise TimeoutError


signal.signal(signal.SIGALRM, stop)
out = open(sys.argv[1] if len(sys.argv) > 1 else 'python.jsonl', 'w')
n = 0
while n < 1500:
    case = dict(P=spoil(pattern(2)), T=random.choice(TEXTS), F=random.choice([0, 0, 0, 1, 2, 4, 7]), R=random.choice(REPLACEMENTS),
                err='', Found=None, Sub=None, Split=None)
    flags = (re.I if case['F'] & 1 else 0) | (re.M if case['F'] & 2 else 0) | (re.S if case['F'] & 4 else 0)
    try:
        rx = re.compile(case['P'], flags)
    except (re.error, OverflowError, RecursionError, ValueError) as e:
        case['err'] = str(e)
    else:
        if re.search(r'\)\+\+|\(\?.*\)\+\+', case['P']):
            continue  # CPython 3.11 gets possessive groups wrong (bpo-106052)
        try:
            signal.setitimer(signal.ITIMER_REAL, 1)
            case['Found'] = [[list(m.span(i)) for i in range(rx.groups + 1)] for m in rx.finditer(case['T'])]
            try:
                case['Sub'] = rx.sub(case['R'], case['T'])
            except (re.error, IndexError) as e:
                case['Sub'] = 'ERR ' + (e.args[0] if isinstance(e, IndexError) else str(e))
            case['Split'] = rx.split(case['T'])
        except TimeoutError:
            continue
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    n += 1
    out.write(json.dumps(case, separators=(',', ':'), ensure_ascii=False) + '\n')
