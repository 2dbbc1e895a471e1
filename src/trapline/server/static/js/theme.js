// Runs before the first paint, so that a chosen theme never flashes in from the other one.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("trapline.theme");
  } catch {
    // Storage may be forbidden; then the system's preference holds.
  }
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();
