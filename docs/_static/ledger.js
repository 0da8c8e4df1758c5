// The ledger's filters: a row is shown when it has the chosen paper, verdict, severity and evidence, and all the words.
document.addEventListener("DOMContentLoaded", () => {
  const form = document.getElementById("ledger-filters");
  if (!form) return;
  const rows = [...document.querySelectorAll("#ledger-table tbody tr")];
  const choices = [...form.querySelectorAll("select")];

  const filter = () => {
    const words = form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const fits = choices.every((c) => !c.value || row.cells[c.dataset.column].textContent === c.value);
      const text = row.textContent.toLowerCase();
      row.hidden = !(fits && words.every((word) => text.includes(word)));
      shown += !row.hidden;
    }
    form.querySelector("output").textContent = `${shown} of ${rows.length} claims`;
    const asked = [...new FormData(form)].filter(([, value]) => value);
    history.replaceState(null, "", asked.length ? `#${new URLSearchParams(asked)}` : location.pathname);
  };

  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    if (form.elements[name]) form.elements[name].value = value;  // a link may bring its filters
  }
  for (const event of ["input", "change"]) form.addEventListener(event, filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  if (location.hash.includes("=")) filter();
});
