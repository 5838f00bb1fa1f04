# ... existing code ...
from decimal import Decimal, InvalidOperation
from pathlib import Path
from xml.etree import ElementTree

# ... existing code ...

class JsonReader:
    # ... existing code ...


class CamtReader:
    """Reads the entries of a CAMT file."""

    name = "camt"

    def read(self, path: Path) -> Iterator[Entry]:
        tree = ElementTree.parse(path)
        for number, node in enumerate(tree.iter("Ntry"), start=1):
            try:
                yield Entry(self.parse_day(node.findtext("BookgDt/Dt")), node.findtext("AddtlNtryInf"), self.parse_amount(node))
            except (TypeError, ValueError) as error:
                raise ImportFailure(path, number, str(error)) from error

    @staticmethod
    def parse_day(text: str) -> date:
        return date.fromisoformat(text)

    @staticmethod
    def parse_amount(node: ElementTree.Element) -> Decimal:
        sign = -1 if node.findtext("CdtDbtInd") == "DBIT" else 1
        return sign * Decimal(node.findtext("Amt"))


READERS = {reader.name: reader for reader in (PlainReader(), NorthReader(), JsonReader(), CamtReader())}

# ... existing code ...
