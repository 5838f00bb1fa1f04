// ... existing code ...

export type CartAction =
  // ... existing code ...
  | { type: "setNote"; note: string }
  | { type: "renameLine"; sku: string; name: string }
  | { type: "clear" };

// ... existing code ...

export function cartReducer(state: CartState, action: CartAction): CartState {
  switch (action.type) {
    // ... existing code ...
    case "setNote": {
      return {
        ...state,
        note: action.note.slice(0, 500),
      };
    }
    case "renameLine": {
      return {
        ...state,
        lines: state.lines.map((line) =>
          line.sku === action.sku ? { ...line, name: action.name } : line,
        ),
      };
    }
    case "clear": {
      return emptyCart;
    }
    // ... existing code ...
  }
}

// ... existing code ...
