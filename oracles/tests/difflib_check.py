"""Compares how many lines treegraft's replacements touch with what Python's difflib finds.

Reads JSON lines: original, result, and the number of old and new lines in all replacements. difflib knows both texts
and nothing of snippet or ledger. It finds a long common subsequence but not always the longest, and a ledger may keep
less where a line was replaced by an equal one; so single edits may differ, and the sum may not by much.
"""

import difflib
import json
import sys

# Lines by which one edit may touch more than difflib would.
MOST_MORE = 12
# By how much all edits together may, in percent.
MOST_MORE_PERCENT = 5


def changed(original, result):
    matcher = difflib.SequenceMatcher(None, original.splitlines(True), result.splitlines(True), autojunk=False)
    return sum(
        (old_end - old) + (new_end - new)
        for tag, old, old_end, new, new_end in matcher.get_opcodes()
        if tag != "equal"
    )


def main():
    ours = theirs = worse = better = count = 0
    failures = []
    for line in sys.stdin:
        case = json.loads(line)
        other = changed(case["original"], case["result"])
        count += 1
        ours += case["changed"]
        theirs += other
        worse += case["changed"] > other
        better += case["changed"] < other
        if case["changed"] > other + MOST_MORE:
            failures.append(f"{case['changed']} lines are touched, difflib needs {other}: {case['original'][:60]!r}")
    print(f"{count} edits: {ours} lines touched, difflib {theirs}; larger in {worse}, smaller in {better}")
    if count == 0 or ours * 100 > theirs * (100 + MOST_MORE_PERCENT):
        failures.append("the replacements are larger than they need to be")
    print("\n".join(failures))
    return 1 if failures else 0


sys.exit(main())
