// ... existing code ...

export function OrderTable({ customerId, pageSize = 20, onSelect }: OrderTableProps) {
  // ... existing code ...

  return (
    <section className="orders">
      {/* ... existing code ... */}
      <table>
        <thead>
          <tr>
            {/* ... existing code ... */}
            <th onClick={() => handleSort("total")}>Total</th>
            <th>Items</th>
            <th>Status</th>
            <th />
          </tr>
        </thead>
        <tbody>
          {rows.map((order) => (
            <tr key={order.id} onClick={() => onSelect?.(order)}>
              {/* ... existing code ... */}
              <td>{order.total.toFixed(2)}</td>
              <td>{order.items.length}</td>
              {/* ... existing code ... */}
            </tr>
          ))}
        </tbody>
      </table>
      {/* ... existing code ... */}
    </section>
  );
}

// ... existing code ...
