// The ledger: asked for are the rows with the chosen paper, verdict, severity and evidence, and all the words; a page of them is shown.
document.addEventListener("DOMContentLoaded", () => {
  const form = document.getElementById("ledger-filters");
  if (!form) return;
  const PAGE = 25;
  const rows = [...document.querySelectorAll("#ledger-table tbody tr")];
  const choices = [...form.querySelectorAll("select")];
  const pages = document.getElementById("ledger-pages");
  const [previous, next] = pages.querySelectorAll("button");
  let [asked, first] = [rows, 0];

  const show = (from) => {
    first = from;
    const page = new Set(asked.slice(first, first + PAGE));
    for (const row of rows) row.hidden = !page.has(row);
    pages.querySelector("output").textContent = asked.length
      ? `${first + 1} to ${first + page.size} of ${asked.length} claims`
      : "no such claim";
    previous.disabled = first === 0;
    next.disabled = first + PAGE >= asked.length;
  };
  const filter = () => {
    const words = form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    asked = rows.filter((row) => {
      const text = `${row.textContent} ${row.lastElementChild.dataset.words}`.toLowerCase();
      const fits = choices.every((c) => !c.value || row.cells[c.dataset.column].textContent === c.value);
      return fits && words.every((word) => text.includes(word));
    });
    show(0);
    const chosen = [...new FormData(form)].filter(([, value]) => value);
    history.replaceState(null, "", chosen.length ? `#${new URLSearchParams(chosen)}` : location.pathname);
  };

  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    if (form.elements[name]) form.elements[name].value = value;  // a link may bring its filters
  }
  for (const event of ["input", "change"]) form.addEventListener(event, filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  previous.addEventListener("click", () => show(first - PAGE));
  next.addEventListener("click", () => {
    show(first + PAGE);
    form.scrollIntoView();
  });
  pages.hidden = false;
  if (location.hash.includes("=")) filter();
  else show(0);
});
