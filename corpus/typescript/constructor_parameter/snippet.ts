// ... existing code ...

export class CartStorage {
  constructor(
    private readonly storage: Storage,
    private readonly key = "cart",
    private readonly onError: (error: unknown) => void = () => {},
  ) {}

  load(): CartState {
    // ... existing code ...
    try {
      return { ...emptyCart, ...JSON.parse(text) };
    } catch (error) {
      this.onError(error);
      return emptyCart;
    }
  }

  save(state: CartState): void {
    // ... existing code ...
  }

  // ... existing code ...
}

// ... existing code ...
