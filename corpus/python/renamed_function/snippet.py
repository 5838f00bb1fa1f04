# ... existing code ...


def assign_accounts(entries: Iterable[Entry], rules: Rules) -> Iterator[Entry]:
    """Gives each entry the account that the rules say."""
    for entry in entries:
        yield entry.with_account(rules.account_of(entry))


# ... existing code ...


def main(argv: list[str] | None = None) -> int:
    # ... existing code ...
    summary = write_ledger(assign_accounts(entries, rules), sys.stdout)
    # ... existing code ...


# ... existing code ...
