// ... existing code ...

function json() {
  return async (context) => {
    const type = context.req.headers["content-type"] || "";
    if (!type.startsWith("application/json")) {
      return;
    }
    const text = await readBody(context.req);
    try {
      context.state.body = JSON.parse(text);
    } catch {
      throw new HttpError(400, "malformed JSON");
    }
  };
}

function text() {
  return async (context) => {
    const type = context.req.headers["content-type"] || "";
    if (!type.startsWith("text/")) {
      return;
    }
    context.state.body = await readBody(context.req);
  };
}

// ... existing code ...

module.exports = { Router, Route, HttpError, compile, readBody, json, text, logger, cors };
