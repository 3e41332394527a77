// The moves of a game as a tree: the main line in rows, comments and variations between them.

const SIGNS = {
  1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "\u25a1", 10: "=", 13: "\u221e",
  14: "\u2a72", 15: "\u2a71", 16: "\u00b1", 17: "\u2213", 18: "+\u2212", 19: "\u2212+",
  22: "\u2a00", 23: "\u2a00", 132: "\u21c6", 133: "\u21c6", 146: "N",
};
const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** The signs beside a move: those of the text, else what the review says of it. */
function signsOf({ nags = [], fault }) {
  const signs = nags.map((nag) => SIGNS[nag] ?? `$${nag}`);
  if (fault && !nags.some((nag) => nag >= 1 && nag <= 6)) signs.unshift(MARKS[fault.mark]);
  return signs.join(" ");
}

class Moves {
  constructor(container, nodes, onChoose) {
    this.container = container;
    this.nodes = nodes;
    this.buttons = new Map();
    this.children = nodes.map(() => []);
    nodes.forEach(({ parent }, index) => {
      if (parent !== undefined) this.children[parent].push(index);
    });
    this.fill();
    container.addEventListener("click", (event) => {
      const button = event.target.closest("[data-node]");
      if (button) onChoose(Number(button.dataset.node));
    });
  }

  fill() {
    let row = null;
    if (this.nodes[0].comment) this.container.append(this.note(this.nodes[0].comment));
    for (let here = 0; this.children[here].length; ) {
      const [next, ...others] = this.children[here];
      const node = this.nodes[next];
      const isWhite = !node.number.endsWith("...");
      if (node.intro) {
        this.container.append(this.note(node.intro));
        row = null;
      }
      if (isWhite || !row) {
        row = make("div", { class: "row" }, make("span", { class: "number" }, node.number));
        if (!isWhite) row.append(make("span", { class: "gap" }));
        this.container.append(row);
      }
      row.append(this.button(next));
      if (node.comment || others.length) {
        if (node.comment) this.container.append(this.note(node.comment));
        for (const other of others) {
          this.container.append(this.fillWithLine(make("div", { class: "variation" }), other));
        }
        row = null;
      }
      here = next;
    }
  }

  note(text) {
    return make("p", { class: "note" }, text);
  }

  /** Adds a variation in running text to an element, with those that branch from it in parentheses. */
  fillWithLine(element, first) {
    let needsNumber = true;
    for (let here = first; here !== undefined; ) {
      const node = this.nodes[here];
      if (node.intro) element.append(make("span", { class: "remark" }, node.intro), " ");
      if (needsNumber || !node.number.endsWith("...")) {
        element.append(make("span", { class: "number" }, node.number), " ");
      }
      element.append(this.button(here), " ");
      needsNumber = false;
      if (node.comment) {
        element.append(make("span", { class: "remark" }, node.comment), " ");
        needsNumber = true;
      }
      const siblings = here === first ? [] : this.children[node.parent].slice(1);
      for (const sibling of siblings) {
        const branch = this.fillWithLine(make("span", { class: "branch" }, "("), sibling);
        branch.append(") ");
        element.append(branch);
        needsNumber = true;
      }
      [here] = this.children[here];
    }
    return element;
  }

  button(index) {
    const node = this.nodes[index];
    const classes = ["move", ...(node.fault ? [node.fault.mark] : [])];
    const button = make("button", { type: "button", class: classes.join(" "), "data-node": index });
    button.append(node.san + signsOf(node));
    const text = node.main ? inPawns(node) : "";
    if (text) button.append(make("span", { class: "score" }, ` ${text}`));
    this.buttons.set(index, button);
    return button;
  }

  /** Marks the present move and brings it into sight. */
  mark(index) {
    this.container.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const button = this.buttons.get(index);
    if (!button) {
      this.container.scrollTop = 0;
      return;
    }
    button.setAttribute("aria-current", "true");
    const [top, bottom] = [this.container.scrollTop, this.container.scrollTop + this.container.clientHeight];
    const at = button.offsetTop - this.container.offsetTop;
    if (at < top || at + button.offsetHeight > bottom) {
      this.container.scrollTop = at - this.container.clientHeight / 2;
    }
  }
}
