// Stands below the first screen, in the page itself: says it in the language of whoever reads it, before
// anything is painted. Later the page's own translator begins anew, from what was taken back.
(() => {
  const root = document.documentElement;
  const words = JSON.parse(document.getElementById("first-words").textContent);
  const told = words[root.dataset.wanted];
  if (!told || root.dataset.wanted === "en") return;
  const known = new Map(words.en.map((text, index) => [text, told[index]]));
  const english = [];
  const say = (text, put) => {
    const [, before, middle, after] = /^(\s*)(.*?)(\s*)$/s.exec(text);
    const becomes = known.get(middle.replace(/\s+/g, " "));
    if (becomes === undefined) return;
    english.push(() => put(text));
    put(before + becomes + after);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    if (!node.parentNode.closest("script, noscript")) say(node.data, (text) => (node.data = text));
  }
  for (const name of ["aria-label", "placeholder", "title", "alt"])
    for (const one of document.body.querySelectorAll(`[${name}]`))
      say(one.getAttribute(name), (text) => one.setAttribute(name, text));
  root.lang = root.dataset.wanted;
  root.classList.remove("learning");
  globalThis.takeBack = () => {
    for (const put of english) put();
    return Object.fromEntries(known);
  };
})();
