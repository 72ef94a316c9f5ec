"use strict";
for (const game of document.querySelectorAll(".game")) {
  const steps = JSON.parse(game.querySelector("script").textContent);
  const board = game.querySelector(".board");
  const bar = game.querySelector(".bar");
  const said = game.querySelector(".said");
  const graph = game.querySelector(".graph");
  let at = 0;
  let turned = false;

  const place = (square) => {
    const [file, rank] = [square % 8, square >> 3];
    return turned ? [7 - file, rank] : [file, 7 - rank];
  };

  // The squares of a move such as e2e4: 0 is a1, 63 is h8.
  const squares = (move) => [0, 2].map((i) => "abcdefgh".indexOf(move[i]) + 8 * (Number(move[i + 1]) - 1));

  const arrow = ([from, to]) => {
    const middle = (square) => place(square).map((n) => 45 * n + 22.5);
    const [[x1, y1], [x2, y2]] = [middle(from), middle(to)];
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [bx, by] = [x2 - 14 * dx, y2 - 14 * dy];
    const corner = (side) => `${bx + side * 9 * dy} ${by - side * 9 * dx}`;
    return `<path class="arrow" d="M${x1} ${y1}L${bx} ${by}"/>` +
      `<path class="head" d="M${x2} ${y2}L${corner(1)}L${corner(-1)}Z"/>`;
  };

  const draw = (step) => {
    let text = "";
    const last = step.last ? squares(step.last) : [];
    for (let square = 0; square < 64; square++) {
      const [x, y] = place(square);
      const shade = (square + (square >> 3)) % 2 ? "light" : "dark";
      text += `<rect class="${shade}" x="${45 * x}" y="${45 * y}" width="45" height="45"/>`;
      if (last.includes(square)) {
        text += `<rect class="last" x="${45 * x}" y="${45 * y}" width="45" height="45"/>`;
      }
      if (x === 0) text += `<text class="letter" x="2" y="${45 * y + 10}">${(square >> 3) + 1}</text>`;
      if (y === 7) text += `<text class="letter" x="${45 * x + 38}" y="357">${"abcdefgh"[square % 8]}</text>`;
    }
    let square = 56;
    for (const letter of step.men) {
      if (letter === "/") square -= 16;
      else if (letter >= "1" && letter <= "8") square += Number(letter);
      else {
        const [x, y] = place(square++);
        text += `<use href="#man-${letter}" x="${45 * x}" y="${45 * y}" width="45" height="45"/>`;
      }
    }
    if (step.best) text += arrow(squares(step.best));
    board.innerHTML = text;
  };

  const tell = (step) => {
    said.textContent = "";
    const add = (kind, text) => {
      const part = document.createElement(kind);
      part.textContent = text;
      said.append(part, " ");
    };
    if (step.mark) {
      add("b", step.mark[0].toUpperCase() + step.mark.slice(1) + ".");
      said.firstChild.className = step.mark;
      const before = steps[at - 1];
      if (before && before.line) add("span", `Better (${before.score}): ${before.line}.`);
    }
    if (step.words) add("i", step.words);
    if (said.firstChild) said.append(document.createElement("br"));
    if (step.score !== undefined) add("b", step.score);
    if (step.depth) add("span", `depth ${step.depth}: ${step.line}`);
  };

  const show = (ply) => {
    at = Math.max(0, Math.min(steps.length - 1, ply));
    const step = steps[at];
    draw(step);
    tell(step);
    bar.classList.toggle("turned", turned);
    bar.firstChild.style.height = `${100 * (step.share === undefined ? 0.5 : step.share)}%`;
    for (const old of game.querySelectorAll(".move.now")) old.classList.remove("now");
    const move = game.querySelector(`.move[data-ply="${at}"]`);
    if (move) {
      move.classList.add("now");
      const list = move.parentElement;
      const top = move.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 30) list.scrollTop = top - 60;
    }
    if (graph) {
      const x = 1000 * at / (steps.length - 1);
      graph.querySelector(".now").setAttribute("d", `M${x} 0V160`);
    }
  };

  const actions = {
    first: () => show(0),
    back: () => show(at - 1),
    on: () => show(at + 1),
    last: () => show(steps.length - 1),
    flip: () => { turned = !turned; show(at); },
  };
  for (const button of game.querySelectorAll("[data-step]")) button.onclick = actions[button.dataset.step];
  for (const move of game.querySelectorAll(".move")) move.onclick = () => show(Number(move.dataset.ply));
  if (graph) {
    graph.onclick = (event) => {
      const box = graph.getBoundingClientRect();
      show(Math.round((steps.length - 1) * (event.clientX - box.left) / box.width));
    };
  }
  document.addEventListener("keydown", (event) => {
    const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", f: "flip" };
    const action = keys[event.key];
    if (game.hidden || !action || event.target.tagName === "SELECT" || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    actions[action]();
  });
  // A page can be opened at a move: page.html#23.
  const wanted = Number(location.hash.slice(1));
  show(wanted > 0 ? wanted : 0);
}
const choice = document.getElementById("choice");
if (choice) {
  choice.onchange = () => {
    document.querySelectorAll(".game").forEach((game, number) => { game.hidden = number !== Number(choice.value); });
  };
}
