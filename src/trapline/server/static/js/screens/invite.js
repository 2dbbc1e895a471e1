/** The link that admits a friend: to copy, to share, to scan. */

import { qrAddress } from "../api.js";
import { announce, button, h, say } from "../dom.js";

/** Addresses by which a machine speaks to itself. */
const ITSELF = /^(localhost|127\.[\d.]+|\[::1\])$/;

export function invitation(id, path) {
  const address = new URL(path, location.origin).href;
  const field = h("input", {
    type: "text",
    readonly: true,
    value: address,
    "aria-label": "The link for your friend",
  });
  const said = h("span", { class: "note", role: "status" });
  const copy = async () => {
    field.select();
    say(said, (await copied(address)) ? "Copied." : "Marked: copy it with your keyboard or menu.");
  };
  const share = () =>
    navigator.share({ title: "Trapline", text: "A game of hidden traps?", url: address }).catch(() => {});
  return h(
    "div",
    { class: "invite" },
    h(
      "div",
      { class: "invite-words" },
      h("p", { class: "prompt" }, "One friend can join by this link."),
      ITSELF.test(location.hostname)
        ? h("p", { class: "beware" }, "It works on this computer only. For a friend elsewhere, open this page by an address that they can reach.")
        : null,
      h(
        "div",
        { class: "row" },
        field,
        button("Copy", copy, { class: "primary", "aria-label": "Copy the link" }),
        navigator.share ? button("Share", share) : null,
      ),
      said,
    ),
    h(
      "details",
      { class: "scan" },
      h("summary", {}, "Scan it"),
      h("img", { class: "qr", src: qrAddress(id), alt: "The link as a QR code", width: 148, height: 148 }),
    ),
  );
}

/** A button that copies an address; where that is forbidden, the address stands there to be marked. */
export function copyButton(text, address, done) {
  const copy = button(text, async () => {
    if (await copied(address)) {
      say(copy, done);
      announce(done);
      return;
    }
    const field = h("input", { type: "text", readonly: true, value: address, "aria-label": text });
    copy.replaceWith(field);
    field.select();
  });
  return copy;
}

/** The clipboard is only offered on secure origins; elsewhere the old command still works. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}
