// Errors are stored in the document, so that a test can read them.
const failures = [];
const fail = text => { failures.push(text); document.body.dataset.failures = failures.join("; "); };
document.body.dataset.failures = "";
window.addEventListener("error", event => fail(event.message));

// Dark or light, as the system has it until it is chosen.
const theme = document.getElementById("theme"), isDark = () => document.documentElement.dataset.theme === "dark";
const labelTheme = () => { theme.textContent = isDark() ? "light" : "dark"; };
theme.onclick = () => dress(!isDark());
addEventListener("dressed", labelTheme);
labelTheme();

const number = x => x === 0 ? "0" : Math.abs(x) < 1e-3 || Math.abs(x) >= 1e4 ? x.toExponential(2) : x.toPrecision(3);
