// ... existing code ...

function defaultErrorHandler(error, context) {
  if (context.res.headersSent) {
    context.res.destroy(error);
    return;
  }
  const known = error instanceof HttpError;
  context.send(known ? error.status : 500, { error: known ? error.message : "internal error" });
}

// ... existing code ...
