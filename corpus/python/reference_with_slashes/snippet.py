// ... existing code ...

class PlainReader:
    // ... existing code ...

    @staticmethod
    def parse_amount(text: str) -> Decimal:
        return Decimal(text.strip().removesuffix(" EUR"))

// ... existing code ...
