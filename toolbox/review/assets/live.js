// Live analysis on the page of a game, by the engine that the page carries.

const carried = JSON.parse(find("carried").textContent);

/** A module, as bytes. */
function moduleOf(text) {
  const letters = atob(text);
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

class Live {
  constructor() {
    this.engine = null;
    this.rules = null;
    this.isStarting = false;
    this.button = make("button", { type: "button", "aria-pressed": "false" }, "Analyse");
    this.text = make("p", { class: "line", id: "live" });
    this.button.addEventListener("click", () => this.toggle());
    find("advice").after(make("div", { class: "live" }, this.button, this.text));
    document.addEventListener("place", () => this.look());
  }

  get isOn() {
    return this.button.getAttribute("aria-pressed") === "true";
  }

  set isOn(isOn) {
    this.button.setAttribute("aria-pressed", String(isOn));
  }

  toggle() {
    this.isOn = !this.isOn;
    if (this.engine) this.look();
    else if (this.isOn && !this.isStarting) this.begin();
  }

  /** Starts the one engine; the button may be pressed again meanwhile. */
  async begin() {
    this.isStarting = true;
    this.text.textContent = "The engine starts\u2026";
    try {
      await this.load();
    } catch (error) {
      this.isOn = false;
      this.text.textContent = `There is no engine: ${error.message}`;
    }
    this.isStarting = false;
    this.look();
  }

  async load() {
    const module = await WebAssembly.compile(moduleOf(carried.module));
    this.rules = await connect(moduleOf(carried.rules));
    const script = new Blob([carried.worker], { type: "text/javascript" });
    const worker = new Worker(URL.createObjectURL(script));
    worker.postMessage({ module, script: carried.worker });
    this.engine = new Engine(worker, (reason) => {
      this.text.textContent = reason;
    });
  }

  /** Searches nothing, and says why. */
  rest(reason) {
    this.engine.cancel();
    this.text.textContent = reason;
  }

  /** Searches the present position for as long as it is looked at. */
  look() {
    if (!this.engine) return;
    this.text.textContent = "";
    if (!this.isOn) {
      this.engine.cancel();
      return;
    }
    const { fen } = nodes[here];
    const { chess960 = false } = facts;
    const place = { do: "position", variant: facts.variant, chess960, fen };
    let known;
    try {
      known = this.rules.ask(place);
    } catch (error) {
      // After a null move in check the king could be taken, which no engine searches.
      this.rest(error.message);
      return;
    }
    const { variant, turn, outcome } = known;
    if (outcome) {
      this.rest(`${outcome.result}, ${outcome.reason}`);
      return;
    }
    const lines = [
      `setoption name UCI_Variant value ${variant}`,
      `setoption name UCI_Chess960 value ${chess960}`,
      "setoption name UCI_AnalyseMode value true",
      `position fen ${fen}`,
      "go infinite",
    ];
    this.engine.search(lines, ({ cp, mate, depth, pv }) => {
      const sign = turn === "white" ? 1 : -1;
      const score = inPawns(mate === undefined ? { cp: sign * cp } : { mate: sign * mate });
      const { line } = this.rules.ask({ ...place, moves: pv });
      const moves = line.map(({ san }) => san).join(" ");
      this.text.textContent = `${score} \u00b7 depth ${depth} \u00b7 ${moves}`;
    });
  }
}

new Live();
