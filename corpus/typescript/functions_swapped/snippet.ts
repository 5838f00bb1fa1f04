// ... existing code ...

export function shippingCost(state: CartState): number {
  if (itemCount(state) === 0) {
    return 0;
  }
  if (state.shipping === "standard" && subtotal(state) >= FREE_SHIPPING_FROM) {
    return 0;
  }
  return SHIPPING_COST[state.shipping];
}

export function discount(state: CartState): number {
  const { coupon } = state;
  if (coupon === null) {
    return 0;
  }
  if (coupon.kind === "percent") {
    return round((subtotal(state) * coupon.value) / 100);
  }
  return round(Math.min(coupon.value, subtotal(state)));
}

// ... existing code ...
