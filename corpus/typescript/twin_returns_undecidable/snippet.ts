// ... existing code ...
      return {
        ...state,
        updatedAt: Date.now(),
      };
    }
// ... existing code ...
