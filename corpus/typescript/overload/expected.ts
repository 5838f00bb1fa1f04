import { round } from "./money";
import type { Coupon, Product } from "./types";

export interface Line {
  sku: string;
  name: string;
  price: number;
  quantity: number;
}

export interface CartState {
  lines: Line[];
  coupon: Coupon | null;
  shipping: "standard" | "express";
  note: string;
  updatedAt: number;
}

export type CartAction =
  | { type: "add"; product: Product; quantity?: number }
  | { type: "remove"; sku: string }
  | { type: "setQuantity"; sku: string; quantity: number }
  | { type: "applyCoupon"; coupon: Coupon }
  | { type: "clearCoupon" }
  | { type: "setShipping"; shipping: CartState["shipping"] }
  | { type: "setNote"; note: string }
  | { type: "clear" };

export const emptyCart: CartState = {
  lines: [],
  coupon: null,
  shipping: "standard",
  note: "",
  updatedAt: 0,
};

const SHIPPING_COST: Record<CartState["shipping"], number> = {
  standard: 4.9,
  express: 12.5,
};

const FREE_SHIPPING_FROM = 80;

export function cartReducer(state: CartState, action: CartAction): CartState {
  switch (action.type) {
    case "add": {
      const quantity = action.quantity ?? 1;
      const existing = state.lines.find((line) => line.sku === action.product.sku);
      if (existing) {
        return {
          ...state,
          lines: state.lines.map((line) =>
            line.sku === existing.sku ? { ...line, quantity: line.quantity + quantity } : line,
          ),
        };
      }
      return {
        ...state,
        lines: [...state.lines, toLine(action.product, quantity)],
      };
    }
    case "remove": {
      return {
        ...state,
        lines: state.lines.filter((line) => line.sku !== action.sku),
      };
    }
    case "setQuantity": {
      if (action.quantity <= 0) {
        return cartReducer(state, { type: "remove", sku: action.sku });
      }
      return {
        ...state,
        lines: state.lines.map((line) =>
          line.sku === action.sku ? { ...line, quantity: action.quantity } : line,
        ),
      };
    }
    case "applyCoupon": {
      return {
        ...state,
        coupon: action.coupon,
      };
    }
    case "clearCoupon": {
      return {
        ...state,
        coupon: null,
      };
    }
    case "setShipping": {
      return {
        ...state,
        shipping: action.shipping,
      };
    }
    case "setNote": {
      return {
        ...state,
        note: action.note.slice(0, 500),
      };
    }
    case "clear": {
      return emptyCart;
    }
    default: {
      return state;
    }
  }
}

function toLine(product: Product, quantity: number): Line {
  return {
    sku: product.sku,
    name: product.name,
    price: product.price,
    quantity,
  };
}

export function subtotal(state: CartState): number {
  return round(state.lines.reduce((sum, line) => sum + line.price * line.quantity, 0));
}

export function discount(state: CartState): number {
  const { coupon } = state;
  if (coupon === null) {
    return 0;
  }
  if (coupon.kind === "percent") {
    return round((subtotal(state) * coupon.value) / 100);
  }
  return Math.min(coupon.value, subtotal(state));
}

export function shippingCost(state: CartState): number {
  if (state.lines.length === 0) {
    return 0;
  }
  if (state.shipping === "standard" && subtotal(state) >= FREE_SHIPPING_FROM) {
    return 0;
  }
  return SHIPPING_COST[state.shipping];
}

export function total(state: CartState): number {
  return round(subtotal(state) - discount(state) + shippingCost(state));
}

export function format(amount: number): string;
export function format(amount: number, currency: string): string;
export function format(amount: number, currency: string, locale: string): string;
export function format(amount: number, currency = "EUR", locale = "en"): string {
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(amount);
}

export class CartStorage {
  constructor(
    private readonly storage: Storage,
    private readonly key = "cart",
  ) {}

  load(): CartState {
    const text = this.storage.getItem(this.key);
    if (text === null) {
      return emptyCart;
    }
    try {
      return { ...emptyCart, ...JSON.parse(text) };
    } catch {
      return emptyCart;
    }
  }

  save(state: CartState): void {
    this.storage.setItem(this.key, JSON.stringify(state));
  }

  clear(): void {
    this.storage.removeItem(this.key);
  }
}

export function itemCount(state: CartState): number {
  return state.lines.reduce((count, line) => count + line.quantity, 0);
}
