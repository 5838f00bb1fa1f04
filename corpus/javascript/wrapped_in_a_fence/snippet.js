```js
// ... existing code ...

function cors(origin = "*") {
  return (context) => {
    context.res.setHeader("access-control-allow-origin", origin);
    context.res.setHeader("vary", "origin");
  };
}

// ... existing code ...
```
