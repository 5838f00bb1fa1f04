// ... existing code ...

class Router {
  // ... existing code ...

  async handle(req, res) {
    const context = createContext(req, res);
    try {
      // ... existing code ...
      for (const handler of [...this.before, ...found.route.handlers]) {
        await handler(context);
        if (res.writableEnded || req.aborted) {
          break;
        }
      }
    } catch (error) {
      // ... existing code ...
    } finally {
      // ... existing code ...
    }
  }

  // ... existing code ...
}

// ... existing code ...
