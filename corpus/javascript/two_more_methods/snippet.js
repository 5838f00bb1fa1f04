// ... existing code ...

class Router {
  // ... existing code ...

  post(pattern, ...handlers) {
    return this.route("POST", pattern, ...handlers);
  }

  put(pattern, ...handlers) {
    return this.route("PUT", pattern, ...handlers);
  }

  patch(pattern, ...handlers) {
    return this.route("PATCH", pattern, ...handlers);
  }

  delete(pattern, ...handlers) {
    return this.route("DELETE", pattern, ...handlers);
  }

  // ... existing code ...
}

// ... existing code ...
