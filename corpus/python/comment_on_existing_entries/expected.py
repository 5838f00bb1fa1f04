"""Reads bank statements in several formats and writes them as one ledger.

The formats differ in their columns, their dates and their decimal signs; each has a reader.
"""

from __future__ import annotations

import argparse
import csv
import json
import logging
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path

log = logging.getLogger("statement_import")

HELP = """\
Formats:
  plain    date;text;amount, dots in numbers
  north    Buchung;Wert;Text;Betrag, commas in numbers
  json     a list of objects with the keys date, text and amount

Rules are read from a file with one rule a line:
  account = pattern
"""

ACCOUNT_PATTERN = re.compile(r"^\s*(?P<account>[\w:]+)\s*=\s*(?P<pattern>.+?)\s*$")


class ImportFailure(Exception):
    """A statement that can't be read."""

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.path = path
        self.line = line


@dataclass(frozen=True)
class Entry:
    """One movement on an account."""

    day: date
    text: str
    amount: Decimal
    account: str = "unknown"

    def with_account(self, account: str) -> Entry:
        return Entry(self.day, self.text, self.amount, account)


@dataclass
class Summary:
    """What was read, for the report at the end."""

    entries: int = 0
    skipped: int = 0
    totals: dict[str, Decimal] = field(default_factory=dict)

    def add(self, entry: Entry) -> None:
        self.entries += 1
        self.totals[entry.account] = self.totals.get(entry.account, Decimal(0)) + entry.amount

    def lines(self) -> Iterator[str]:
        yield f"{self.entries} entries, {self.skipped} skipped"
        for account, total in sorted(self.totals.items()):
            yield f"{account:<30} {total:>12.2f}"


class Rules:
    """Patterns that give entries their accounts."""

    def __init__(self, rules: list[tuple[str, re.Pattern[str]]]) -> None:
        self._rules = rules

    @classmethod
    def load(cls, path: Path) -> Rules:
        rules = []
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if not line.strip() or line.startswith("#"):
                continue
            match = ACCOUNT_PATTERN.match(line)
            if match is None:
                raise ImportFailure(path, number, "not a rule")
            rules.append((match["account"], re.compile(match["pattern"], re.IGNORECASE)))
        return cls(rules)

    def account_of(self, entry: Entry) -> str:
        for account, pattern in self._rules:
            if pattern.search(entry.text):
                return account
        return "unknown"

    def __len__(self) -> int:
        return len(self._rules)


class PlainReader:
    """Reads `date;text;amount`."""

    name = "plain"

    def read(self, path: Path) -> Iterator[Entry]:
        with path.open(newline="", encoding="utf-8") as handle:
            for number, row in enumerate(csv.reader(handle, delimiter=";"), start=1):
                if len(row) != 3:
                    raise ImportFailure(path, number, f"{len(row)} columns")
                yield Entry(self.parse_day(row[0]), row[1].strip(), self.parse_amount(row[2]))

    @staticmethod
    def parse_day(text: str) -> date:
        return datetime.strptime(text, "%Y-%m-%d").date()

    @staticmethod
    def parse_amount(text: str) -> Decimal:
        return Decimal(text.strip())


class NorthReader:
    """Reads the statements of the northern bank."""

    name = "north"

    def read(self, path: Path) -> Iterator[Entry]:
        with path.open(newline="", encoding="latin-1") as handle:
            for number, row in enumerate(csv.DictReader(handle, delimiter=";"), start=2):
                try:
                    yield Entry(self.parse_day(row["Buchung"]), row["Text"], self.parse_amount(row["Betrag"]))
                except (KeyError, InvalidOperation) as error:
                    raise ImportFailure(path, number, str(error)) from error

    @staticmethod
    def parse_day(text: str) -> date:
        return datetime.strptime(text, "%d.%m.%Y").date()

    @staticmethod
    def parse_amount(text: str) -> Decimal:
        return Decimal(text.replace(".", "").replace(",", "."))


class JsonReader:
    """Reads a list of objects."""

    name = "json"

    def read(self, path: Path) -> Iterator[Entry]:
        for number, item in enumerate(json.loads(path.read_text(encoding="utf-8")), start=1):
            try:
                yield Entry(date.fromisoformat(item["date"]), item["text"], Decimal(str(item["amount"])))
            except (KeyError, ValueError) as error:
                raise ImportFailure(path, number, str(error)) from error


READERS = {reader.name: reader for reader in (PlainReader(), NorthReader(), JsonReader())}


def classify(entries: Iterable[Entry], rules: Rules) -> Iterator[Entry]:
    """Gives each entry its account."""
    for entry in entries:
        yield entry.with_account(rules.account_of(entry))


def write_ledger(entries: Iterable[Entry], out: Iterable[str]) -> Summary:
    """Writes entries, oldest first."""
    summary = Summary()
    # Skipping the rest of existing entries...
    entries = list(dict.fromkeys(entries))
    writer = csv.writer(out)
    writer.writerow(["day", "account", "text", "amount"])
    for entry in sorted(entries, key=lambda entry: entry.day):
        writer.writerow([entry.day.isoformat(), entry.account, entry.text, entry.amount])
        summary.add(entry)
    return summary


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog=HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--format", choices=sorted(READERS), default="plain")
    parser.add_argument("--rules", type=Path)
    parser.add_argument("--verbose", action="store_true")
    return parser


def main(argv: list[str] | None = None) -> int:
    args = build_parser().parse_args(argv)
    logging.basicConfig(level=logging.DEBUG if args.verbose else logging.WARNING)
    rules = Rules.load(args.rules) if args.rules else Rules([])
    log.debug("%d rules", len(rules))
    reader = READERS[args.format]
    entries: list[Entry] = []
    for path in args.files:
        try:
            entries.extend(reader.read(path))
        except ImportFailure as failure:
            log.error("%s", failure)
            return 1
    summary = write_ledger(classify(entries, rules), sys.stdout)
    for line in summary.lines():
        print(line, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
