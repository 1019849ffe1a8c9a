// As the system has it, until it is chosen.
const night = matchMedia("(prefers-color-scheme: dark)");
function dress(dark) { document.documentElement.dataset.theme = dark ? "dark" : "light"; dispatchEvent(new Event("dressed")); }
dress(night.matches);
// Whether another page is around this one.
if (self !== top) document.documentElement.dataset.framed = "";
night.onchange = () => dress(night.matches);
