# ... existing code ...


def build_parser() -> argparse.ArgumentParser:
    # ... existing code ...
    parser.add_argument("--rules", type=Path)
    parser.add_argument("--since", type=date.fromisoformat)
    parser.add_argument("--verbose", action="store_true")
    return parser


def main(argv: list[str] | None = None) -> int:
    # ... existing code ...
    if args.since:
        entries = [entry for entry in entries if entry.day >= args.since]
    summary = write_ledger(classify(entries, rules), sys.stdout)
    # ... existing code ...


# ... existing code ...
