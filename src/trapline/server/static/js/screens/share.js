/**
 * A finished match as a picture to send: the board as it stands on the screen, who played, how it ended.
 * It is made here, from what the match has revealed to everybody, and sent nowhere by itself.
 */

import { t } from "../language.js";

const [WIDTH, HEIGHT, EDGE, HEAD, FOOT] = [1200, 630, 48, 130, 60];
const LOOKS = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin",
  "opacity", "font-family", "font-size", "font-weight", "font-style", "text-anchor", "dominant-baseline", "paint-order", "visibility", "display", "letter-spacing",
];

/** Saves or shares the picture; resolves when it is made. */
export async function sharePicture(svg, title, result) {
  const file = await picture(svg, title, result);
  const shared = new File([file], "trapline.png", { type: "image/png" });
  if (navigator.canShare?.({ files: [shared] }) && matchMedia("(pointer: coarse)").matches) {
    await navigator.share({ files: [shared], title: "Trapline" }).catch(() => {});
    return;
  }
  const address = URL.createObjectURL(file);
  const anchor = document.createElement("a");
  Object.assign(anchor, { href: address, download: "trapline.png" });
  anchor.click();
  URL.revokeObjectURL(address);
}

async function picture(svg, title, result) {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: WIDTH, height: HEIGHT });
  const pen = canvas.getContext("2d");
  const look = getComputedStyle(document.documentElement);
  const page = getComputedStyle(document.body);
  const serif = look.getPropertyValue("--serif");
  pen.fillStyle = page.backgroundColor;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  const write = (text, font, y, color) => {
    Object.assign(pen, { font, fillStyle: color, textBaseline: "alphabetic" });
    pen.fillText(text, EDGE, y, WIDTH - 2 * EDGE);
  };
  write(t(title), `700 46px ${serif}`, 72, page.color);
  write(t(result), `30px ${serif}`, 114, page.color);
  write(`Trapline · ${location.host}`, "22px sans-serif", HEIGHT - 24, page.color);
  const board = await loaded(svg);
  const room = { width: WIDTH - 2 * EDGE, height: HEIGHT - HEAD - FOOT };
  const scale = Math.min(room.width / board.width, room.height / board.height);
  const [wide, high] = [board.width * scale, board.height * scale];
  pen.drawImage(board, (WIDTH - wide) / 2, HEAD + (room.height - high) / 2, wide, high);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** The board as an image of its own: what style sheets say of it is written into it. */
function loaded(svg) {
  const twin = svg.cloneNode(true);
  const [shown, copied] = [svg, twin].map((root) => [root, ...root.querySelectorAll("*")]);
  shown.forEach((element, index) => {
    const style = getComputedStyle(element);
    for (const name of LOOKS) copied[index].setAttribute(name, style.getPropertyValue(name));
  });
  const { width, height } = svg.getBoundingClientRect();
  for (const [name, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", width, height }))
    twin.setAttribute(name, value);
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(twin))}`;
  return image.decode().then(() => image);
}
