import { useCallback, useEffect, useMemo, useState } from "react";
import { fetchOrders, cancelOrder } from "./api";
import { Badge } from "./Badge";
import { Spinner } from "./Spinner";
import type { Order, OrderStatus } from "./types";

type SortKey = "placedAt" | "customer" | "total";

interface OrderTableProps {
  customerId?: string;
  pageSize?: number;
  onSelect?: (order: Order) => void;
}

const STATUS_LABEL: Record<OrderStatus, string> = {
  open: "Open",
  paid: "Paid",
  shipped: "Shipped",
  cancelled: "Cancelled",
};

function compare(a: Order, b: Order, key: SortKey): number {
  switch (key) {
    case "placedAt":
      return a.placedAt - b.placedAt;
    case "customer":
      return a.customer.localeCompare(b.customer);
    case "total":
      return a.total - b.total;
  }
}

function useOrders(customerId: string | undefined) {
  const [orders, setOrders] = useState<Order[]>([]);
  const [loading, setLoading] = useState(true);
  const [error, setError] = useState<string | null>(null);

  const reload = useCallback(async () => {
    setLoading(true);
    setError(null);
    try {
      setOrders(await fetchOrders(customerId));
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause));
    } finally {
      setLoading(false);
    }
  }, [customerId]);

  useEffect(() => {
    void reload();
  }, [reload]);

  return { orders, loading, error, reload };
}

export function OrderTable({ customerId, pageSize = 20, onSelect }: OrderTableProps) {
  const { orders, loading, error, reload } = useOrders(customerId);
  const [sortKey, setSortKey] = useState<SortKey>("placedAt");
  const [descending, setDescending] = useState(true);
  const [filter, setFilter] = useState("");
  const [page, setPage] = useState(0);

  const visible = useMemo(() => {
    const needle = filter.trim().toLowerCase();
    const hits = orders.filter((order) => order.customer.toLowerCase().includes(needle));
    const sorted = [...hits].sort((a, b) => compare(a, b, sortKey));
    return descending ? sorted.reverse() : sorted;
  }, [orders, filter, sortKey, descending]);

  const pages = Math.max(1, Math.ceil(visible.length / pageSize));
  const rows = visible.slice(page * pageSize, (page + 1) * pageSize);

  const handleSort = (key: SortKey) => {
    if (key === sortKey) {
      setDescending(!descending);
    } else {
      setSortKey(key);
      setDescending(false);
    }
    setPage(0);
  };

  const handleCancel = async (order: Order) => {
    await cancelOrder(order.id);
    await reload();
  };

  if (loading) {
    return <Spinner />;
  }

  if (error !== null) {
    return (
      <div className="error">
        <p>{error}</p>
        <button onClick={reload}>Try again</button>
      </div>
    );
  }

  return (
    <section className="orders">
      <header>
        <input
          type="search"
          value={filter}
          placeholder="Customer"
          onChange={(event) => setFilter(event.target.value)}
        />
        <button onClick={reload}>Reload</button>
      </header>
      <table>
        <thead>
          <tr>
            <th onClick={() => handleSort("placedAt")}>Date</th>
            <th onClick={() => handleSort("customer")}>Customer</th>
            <th onClick={() => handleSort("total")}>Total</th>
            <th>Status</th>
            <th />
          </tr>
        </thead>
        <tbody>
          {rows.map((order) => (
            <tr key={order.id} onClick={() => onSelect?.(order)}>
              <td>{new Date(order.placedAt).toLocaleDateString()}</td>
              <td>{order.customer}</td>
              <td>{order.total.toFixed(2)}</td>
              <td>
                <Badge kind={order.status}>{STATUS_LABEL[order.status]}</Badge>
              </td>
              <td>
                <button disabled={order.status !== "open"} onClick={() => handleCancel(order)}>
                  Cancel
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <footer>
        <button disabled={page === 0} onClick={() => setPage(page - 1)}>
          Back
        </button>
        <span>
          {page + 1} / {pages}
        </span>
        <button disabled={page + 1 >= pages} onClick={() => setPage(page + 1)}>
          Next
        </button>
      </footer>
    </section>
  );
}

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
