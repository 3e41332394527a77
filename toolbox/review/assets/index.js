// Tables that are sorted by the column whose head is chosen.

/** A number where the whole text is one, such as `12` and `87.5 %`, but no date or result; else the text. */
function keyOf(row, column) {
  const text = row.cells[column].textContent;
  return /^-?\d+(\.\d+)?( %)?$/.test(text) ? Number.parseFloat(text) : text.toLowerCase();
}

function compare(a, b) {
  if (typeof a === typeof b) return a < b ? -1 : Number(a > b);
  return typeof a === "number" ? -1 : 1;
}

for (const table of document.querySelectorAll("table")) {
  const heads = [...table.querySelectorAll("thead th")];
  heads.forEach((head, column) => {
    const button = make("button", { type: "button" }, ...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const isUp = head.getAttribute("aria-sort") === "descending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", isUp ? "ascending" : "descending");
      const [body] = table.tBodies;
      const rows = [...body.rows].map((row) => [keyOf(row, column), row]);
      rows.sort(([a], [b]) => (isUp ? compare(a, b) : compare(b, a)));
      // One by one: a call takes only some ten thousand arguments.
      for (const [, row] of rows) body.append(row);
    });
  });
}
