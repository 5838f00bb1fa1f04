// ... existing code ...

function logger(write = console.log) {
  return (context) => {
    const started = process.hrtime.bigint();
    context.res.on("finish", () => {
      const took = Number(process.hrtime.bigint() - started) / 1e6;
      write(`${context.req.method} ${context.path} ${context.res.statusCode} ${took.toFixed(1)}ms`);
    });
  };
}

// ... existing code ...
