// The evaluation of a game from move to move, and the time that the moves took.

/** White's expected points in percent, by the formula of lichess. */
function winPercent({ cp, mate, winner }) {
  if (winner) return winner === "white" ? 100 : 0;
  if (mate !== undefined) return mate > 0 ? 100 : 0;
  if (cp === undefined) return null;
  return 100 / (1 + Math.exp(-0.00368208 * Math.max(-1000, Math.min(1000, cp))));
}

/** An evaluation as people write it. */
function inPawns({ cp, mate, winner, san }) {
  if (san?.endsWith("#")) return "mate";
  if (winner) return winner === "white" ? "1\u20130" : "0\u20131";
  if (mate !== undefined) return `#${mate}`;
  if (cp === undefined) return "";
  return (cp < 0 ? "\u2212" : "+") + (Math.abs(cp) / 100).toFixed(2);
}

class Graph {
  /** Draws the nodes of a main line; `onChoose` hears of the one that the reader points at. */
  constructor(container, nodes, onChoose) {
    this.nodes = nodes;
    this.width = Math.max(1, nodes.length - 1);
    this.here = draw("line", { y1: 0, y2: 100, class: "here" });
    this.svg = draw(
      "svg",
      { viewBox: `0 0 ${this.width} 100`, preserveAspectRatio: "none", "aria-hidden": "true" },
      draw("path", { d: this.area(), class: "white-share" }),
      draw("line", { x1: 0, x2: this.width, y1: 50, y2: 50, class: "middle" }),
      ...this.faults(),
      this.here,
    );
    this.slider = make("div", {
      class: "graph",
      role: "slider",
      tabindex: "0",
      "aria-label": "Place in the game",
      "aria-valuemin": "0",
      "aria-valuemax": String(nodes.length - 1),
    });
    this.slider.append(this.svg);
    container.append(this.slider);
    this.slider.addEventListener("click", (event) => {
      const box = this.slider.getBoundingClientRect();
      const at = Math.round(((event.clientX - box.left) / box.width) * this.width);
      onChoose(Math.max(0, Math.min(nodes.length - 1, at)));
    });
  }

  /** What White's share fills, from the bottom up; what is unknown stays as it was. */
  area() {
    let last = 50;
    const points = this.nodes.map((node, x) => {
      last = winPercent(node) ?? last;
      return `${x} ${(100 - last).toFixed(1)}`;
    });
    return `M0 100L${points.join("L")}L${this.width} 100Z`;
  }

  faults() {
    const lines = [];
    this.nodes.forEach(({ fault }, x) => {
      if (fault) lines.push(draw("line", { x1: x, x2: x, y1: 0, y2: 100, class: fault.mark }));
    });
    return lines;
  }

  /** Marks a place of the main line, which has this name. */
  mark(at, name) {
    this.here.setAttribute("x1", at);
    this.here.setAttribute("x2", at);
    this.slider.setAttribute("aria-valuenow", String(at));
    this.slider.setAttribute("aria-valuetext", name);
  }
}

/** The seconds that moves took as bars, White's up and Black's down; nothing without clocks. */
function drawTimes(container, nodes) {
  const longest = Math.max(...nodes.map(({ time }) => time ?? 0));
  if (longest <= 0) return false;
  const bars = [];
  nodes.forEach(({ time, number }, at) => {
    if (!time) return;
    const height = (time / longest) * 48;
    const isWhite = !number.endsWith("...");
    const y = isWhite ? 50 - height : 50;
    const place = { x: at - 0.9, y, width: 0.8, height };
    bars.push(draw("rect", { ...place, class: isWhite ? "white-time" : "black-time" }));
  });
  const box = `0 0 ${Math.max(1, nodes.length - 1)} 100`;
  const label = `Time for each move; the longest took ${inTime(longest)}`;
  const shape = { viewBox: box, preserveAspectRatio: "none", role: "img", "aria-label": label };
  container.append(draw("svg", { ...shape, class: "times" }, ...bars));
  return true;
}

/** `1:02:03`, or `4.5 s`. */
function inTime(seconds) {
  if (seconds < 60) return `${Math.round(seconds * 10) / 10} s`;
  const whole = Math.round(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
