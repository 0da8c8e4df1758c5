// A witness's script, run by the reader's own browser: Python for the browser (Pyodide) lies among the site's files.
document.addEventListener("DOMContentLoaded", () => {
  const place = document.querySelector(".run-it");
  if (!place) return;
  const [button, output] = [place.querySelector("button"), place.querySelector("pre")];
  const script = document.querySelector(".run-this pre").textContent;
  const folder = new URL("pyodide/", new URL("_static/", new URL(document.documentElement.dataset.content_root, location)));

  const say = (text) => {
    output.hidden = false;
    output.textContent += text + "\n";
  };
  const load = (name) =>
    new Promise((resolve, reject) => {
      const element = document.createElement("script");
      element.src = new URL(name, folder);
      element.onload = resolve;
      element.onerror = () => reject(new Error(`there is no ${name} on this site`));
      document.head.append(element);
    });
  const unpacked = (name) => {
    const bytes = Uint8Array.from(atob(PYODIDE_DATA[name]), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
  };

  let python;
  const started = async () => {
    await load("data.js"); // a page opened as a file may run scripts but not fetch files, so the data are in one
    await load("pyodide.asm.js"); // here, for pyodide.js would import it, which a file may not
    await load("pyodide.js");
    const fetched = window.fetch;
    window.fetch = async (address, ...rest) => {
      const name = String(address.url ?? address).split("/").pop();
      if (!(name in PYODIDE_DATA)) return fetched(address, ...rest);
      const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
      return new Response(await unpacked(name).arrayBuffer(), { headers: { "Content-Type": type } });
    };
    try {
      return await loadPyodide({ indexURL: folder.href });
    } finally {
      window.fetch = fetched;
    }
  };

  button.addEventListener("click", async () => {
    button.disabled = true;
    output.textContent = "";
    try {
      if (!python) say("starting Python in this page ...");
      python ??= await started();
      output.textContent = "";
      python.setStdout({ batched: say });
      await python.runPythonAsync(script, { globals: python.globals.get("dict")() });
    } catch (error) {
      say(`It cannot be run in this page (${error.message ?? error}): save the script and run python -I on it.`);
    }
    button.disabled = false;
  });
});
