"use strict";

const http = require("node:http");
const { URL } = require("node:url");

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const MAX_BODY = 1024 * 1024;

class HttpError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

function compile(pattern) {
  const names = [];
  const source = pattern
    .split("/")
    .map((part) => {
      if (part.startsWith(":")) {
        names.push(part.slice(1));
        return "([^/]+)";
      }
      if (part === "*") {
        names.push("rest");
        return "(.*)";
      }
      return part.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
    })
    .join("/");
  return { names, regex: new RegExp(`^${source}$`) };
}

class Route {
  constructor(method, pattern, handlers) {
    this.method = method;
    this.pattern = pattern;
    this.handlers = handlers;
    this.compiled = compile(pattern);
  }

  match(method, path) {
    if (this.method !== method) {
      return null;
    }
    const hit = this.compiled.regex.exec(path);
    if (!hit) {
      return null;
    }
    const params = {};
    this.compiled.names.forEach((name, index) => {
      params[name] = decodeURIComponent(hit[index + 1]);
    });
    return params;
  }
}

class Router {
  constructor() {
    this.routes = [];
    this.before = [];
    this.after = [];
    this.onError = defaultErrorHandler;
  }

  use(handler) {
    this.before.push(handler);
    return this;
  }

  finally(handler) {
    this.after.push(handler);
    return this;
  }

  catch(handler) {
    this.onError = handler;
    return this;
  }

  route(method, pattern, ...handlers) {
    if (!METHODS.includes(method)) {
      throw new TypeError(`unknown method ${method}`);
    }
    this.routes.push(new Route(method, pattern, handlers));
    return this;
  }

  get(pattern, ...handlers) {
    return this.route("GET", pattern, ...handlers);
  }

  post(pattern, ...handlers) {
    return this.route("POST", pattern, ...handlers);
  }

  delete(pattern, ...handlers) {
    return this.route("DELETE", pattern, ...handlers);
  }

  find(method, path) {
    for (const route of this.routes) {
      const params = route.match(method, path);
      if (params) {
        return { route, params };
      }
    }
    return null;
  }

  async handle(req, res) {
    const context = createContext(req, res);
    try {
      const found = this.find(req.method, context.path);
      if (!found) {
        throw new HttpError(404, `no route for ${req.method} ${context.path}`);
      }
      context.params = found.params;
      for (const handler of [...this.before, ...found.route.handlers]) {
        await handler(context);
        if (res.writableEnded) {
          break;
        }
      }
    } catch (error) {
      this.onError(error, context);
    } finally {
      for (const handler of this.after) {
        await handler(context);
      }
    }
  }

  listen(port, callback) {
    const server = http.createServer((req, res) => {
      this.handle(req, res);
    });
    return server.listen(port, callback);
  }
}

function createContext(req, res) {
  const url = new URL(req.url, "http://localhost");
  return {
    req,
    res,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    params: {},
    state: {},
    send(status, body, headers = {}) {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const type = typeof body === "string" ? "text/plain" : "application/json";
      res.writeHead(status, { "content-type": type, ...headers });
      res.end(text);
    },
    redirect(location) {
      res.writeHead(302, { location });
      res.end();
    },
  };
}

function defaultErrorHandler(error, context) {
  const status = error.status || 500;
  const message = status < 500 ? error.message : "internal error";
  context.send(status, { error: message });
}

async function readBody(req, limit = MAX_BODY) {
  const chunks = [];
  let size = 0;
  for await (const chunk of req) {
    size += chunk.length;
    if (size > limit) {
      throw new HttpError(413, "body too large");
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

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

function logger(write = console.log) {
  return (context) => {
    const started = Date.now();
    context.res.on("finish", () => {
      const took = Date.now() - started;
      write(`${context.req.method} ${context.path} ${context.res.statusCode} ${took}ms`);
    });
  };
}

function cors(origin = "*") {
  return (context) => {
    context.res.setHeader("access-control-allow-origin", origin);
    context.res.setHeader("vary", "origin");
  };
}

module.exports = { Router, Route, HttpError, compile, readBody, json, logger, cors };
