"""Times IBM's jsonsubschema on labelled pairs: `pip install jsonsubschema`, then `python jsonsubschema_peer.py FILE`."""

import contextlib
import io
import json
import signal
import sys
import time

from jsonsubschema import isSubschema


def stop(*_):
    raise TimeoutError


signal.signal(signal.SIGALRM, stop)
times = []
count = {"right": 0, "unsafe": 0, "false alarm": 0, "failed": 0}
for case in json.load(open(sys.argv[1])):
    expected = case.get("expected", case.get("compatible_strict"))
    start = time.perf_counter()
    signal.alarm(10)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            answer = isSubschema(case["old"], case["new"])
    except BaseException:
        answer = None
    signal.alarm(0)
    times.append(time.perf_counter() - start)
    if answer is None:
        count["failed"] += 1
    elif bool(answer) == expected:
        count["right"] += 1
    else:
        count["unsafe" if answer else "false alarm"] += 1
times.sort()
print(count)
print(
    f"median {times[len(times) // 2] * 1e3:.2f} ms, p95 {times[len(times) * 95 // 100] * 1e3:.2f} ms, "
    f"worst {times[-1] * 1e3:.0f} ms"
)
