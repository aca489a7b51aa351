"""Time the original YAQL: reads cases {"expression", "data"} as JSON lines, evaluates all of them as Heat's yaql
function does, and prints the nanoseconds of processor time that one expression took, parsing included."""
import json
import sys
import time

import yaql
from yaql.language import factory

ROUNDS = 3

options = {'yaql.limitIterators': 200, 'yaql.memoryQuota': 10000, 'yaql.convertInputData': True,
           'yaql.convertOutputData': True, 'yaql.convertTuplesToLists': True, 'yaql.convertSetsToLists': False}
engine = factory.YaqlFactory().create(options)
context = yaql.create_context()
cases = [json.loads(line) for line in sys.stdin]


def once():
    for case in cases:
        try:
            engine(case['expression']).evaluate({'data': case['data']}, context.create_child_context())
        except Exception:
            pass


once()
begin = time.process_time()
for _ in range(ROUNDS):
    once()
print(int((time.process_time() - begin) * 1e9 / ROUNDS / len(cases)))
