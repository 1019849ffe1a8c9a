// Rings around the places where surfaces cross, visible through everything in front of them.
function rings(gl, crossings, colour) {
  const program = link(gl, MARK_VERTEX, MARK_FRAGMENT, fail);
  const uniform = Object.fromEntries(["view", "size", "colour", "width"].map(name => [name, gl.getUniformLocation(program, name)]));
  const array = gl.createVertexArray(), buffer = gl.createBuffer(), place = gl.getAttribLocation(program, "position");
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.enableVertexAttribArray(place);
  gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
  const box = document.getElementById("marks");
  document.getElementById("marking").hidden = crossings.every(({ count }) => count === 0);
  const of = frame => box.checked && crossings[frame] || { count: 0, at: [] };
  // The rings of a frame of the page, over the picture.
  function draw(frame, view, [wide, high]) {
    const { at } = of(frame);
    if (at.length === 0) return;
    const size = Math.max(14, 0.055 * Math.min(wide, high));
    gl.useProgram(program);
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(at.flat()), gl.DYNAMIC_DRAW);
    gl.uniformMatrix4fv(uniform.view, false, view);
    gl.uniform1f(uniform.size, size);
    gl.disable(gl.DEPTH_TEST);
    for (const [paint, width] of [[[1, 1, 1], 0.26], [colour, 0.15]]) {
      gl.uniform3fv(uniform.colour, paint);
      gl.uniform1f(uniform.width, width * size);
      gl.drawArrays(gl.POINTS, 0, at.length);
    }
  }
  // The text beside the time.
  function words(frame) {
    const { count } = of(frame);
    return count === 0 ? "" : `, ${count} ${count === 1 ? "crossing" : "crossings"}`;
  }
  return { box, draw, words };
}
