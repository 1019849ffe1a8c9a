// A browser that is too old for the scripts below runs this one: it asks for a picture of how the simulation stands.
window.onload = function () {
  var still = document.getElementById("still"), picture;
  if (still.className === "waiting") return;
  picture = document.createElement("img");
  picture.alt = "";
  picture.src = "still.png";
  still.insertBefore(picture, still.firstChild);
};
