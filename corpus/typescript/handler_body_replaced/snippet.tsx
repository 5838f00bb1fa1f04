// ... existing code ...

export function OrderTable({ customerId, pageSize = 20, onSelect }: OrderTableProps) {
  // ... existing code ...

  const handleCancel = async (order: Order) => {
    if (!window.confirm(`Cancel the order of ${order.customer}?`)) {
      return;
    }
    await cancelOrder(order.id);
    await reload();
  };

  // ... existing code ...
}

// ... existing code ...
