# ... existing code ...

HELP = """\
Formats:
  plain    date;text;amount, dots in numbers
  north    Buchung;Wert;Text;Betrag, commas in numbers
  json     a list of objects with the keys date, text and amount
  south    Datum|Text|Soll|Haben, commas in numbers

Rules are read from a file with one rule a line:
  account = pattern
    further lines continue the pattern
"""

# ... existing code ...
