// ... existing code ...

export function OrderCount({ customerId }: { customerId?: string }) {
  const { orders, loading, error } = useOrders(customerId);
  if (loading) {
    return <Spinner />;
  }
  if (error !== null) {
    return <span className="count">?</span>;
  }
  return <span className="count">{orders.length}</span>;
}
