# ... existing code ...
    summary = write_ledger(classify(entries, rules), sys.stdout)
    for line in summary.lines():
        print(line, file=sys.stderr)
    return 0 if summary.entries else 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
