def lines(self) -> Iterator[str]:
    yield f"{self.entries} entries, {self.skipped} skipped"
    if not self.totals:
        yield "no totals"
    for account, total in sorted(self.totals.items()):
        yield f"{account:<30} {total:>12.2f}"
