// ... existing code ...

export function format(amount: number): string;
export function format(amount: number, currency: string): string;
export function format(amount: number, currency: string, locale: string): string;
export function format(amount: number, currency = "EUR", locale = "en"): string {
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(amount);
}

// ... existing code ...
