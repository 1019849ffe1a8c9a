// The programs of the graphics card.
const SURFACE_VERTEX = `#version 300 es
in vec3 position; in vec3 normal; in float number;
uniform mat4 view; uniform vec4 ground; uniform vec3 light; uniform float shadow;
out vec3 n; out float s; out vec3 at; out float over;
void main() {
  vec3 p = position;
  if (shadow > 0.5) p -= light * ((p.y - ground.x) / light.y);
  n = normal; s = number; at = p; over = position.y - ground.x;
  gl_Position = view * vec4(p, 1.0);
}`;
const SURFACE_FRAGMENT = `#version 300 es
precision highp float;
in vec3 n; in float s; in vec3 at; in float over;
uniform vec3 colour; uniform vec3 eye; uniform vec3 light; uniform float shadow; uniform float field; uniform vec4 ground; uniform vec3 middle; uniform float reach; uniform float opacity;
uniform vec3 fill; uniform vec4 shares; uniform vec4 finish; uniform vec3 paper; uniform vec4 shade;
out vec4 result;
vec3 viridis(float place) {
  // Without its darkest eighth, as in pictures.
  float t = mix(0.125, 1.0, place);
  const vec3 a = vec3(0.2777, 0.0054, 0.3341), b = vec3(0.1051, 1.4046, 1.3846), c = vec3(-0.3309, 0.2148, 0.0951);
  const vec3 d = vec3(-4.6342, -5.7991, -19.3324), e = vec3(6.2283, 14.1799, 56.6906), f = vec3(4.7764, -13.7451, -65.3530), g = vec3(-5.4355, 4.6459, 26.3124);
  return a + t * (b + t * (c + t * (d + t * (e + t * (f + t * g)))));
}
vec3 warm(float place) {
  // The upper half of the cool-warm map, as in pictures.
  const vec3 stops[5] = vec3[5](vec3(0.867, 0.867, 0.867), vec3(0.961, 0.769, 0.678), vec3(0.957, 0.604, 0.482), vec3(0.871, 0.376, 0.302), vec3(0.706, 0.016, 0.149));
  float along = 4.0 * place;
  int stop = min(int(along), 3);
  return mix(stops[stop], stops[stop + 1], along - float(stop));
}
vec3 toLinear(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }
vec3 toScreen(vec3 c) { return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c)); }
void main() {
  float far = smoothstep(0.35, 1.0, length(at.xz - middle.xz) / reach);
  // Planes continue below the ground, which is painted first, without depth: parts below it are not visible and cast no shadow.
  if (ground.y > 0.5 && over < -ground.z && eye.y > ground.x) discard;
  if (shadow > 0.5) { result = vec4(shade.rgb, shade.a * (1.0 - far)); return; }
  if (shadow < -0.5) { result = vec4(paper, 1.0 - far); return; }
  // The light of pictures: see Lighting in pliant-render. The visible side is lit.
  vec3 toEye = normalize(eye - at);
  float size = length(n);
  vec3 m = size > 0.0 ? n / size : toEye;
  if (dot(m, toEye) < 0.0) m = -m;
  vec3 base = field > 1.5 ? warm(clamp(s, 0.0, 1.0)) : field > 0.5 ? viridis(clamp(s, 0.0, 1.0)) : colour;
  float toKey = dot(m, light), key = max(toKey, 0.0) * clamp(8.0 * toKey, 0.0, 1.0);
  float lit = shares.x * key + shares.y * max(dot(m, fill), 0.0) + mix(shares.w, shares.z, 0.5 + 0.5 * m.y);
  if (field > 0.5) lit = mix(lit, 1.0, finish.w);
  float shine = toKey > 0.0 ? finish.x * pow(max(dot(m, normalize(light + toEye)), 0.0), finish.y) * clamp(8.0 * toKey, 0.0, 1.0) : 0.0;
  vec3 bright = toLinear(base) * lit + shine, over = max(bright - finish.z, 0.0) / (1.0 - finish.z);
  result = vec4(toScreen(min(bright, finish.z) + (1.0 - finish.z) * (1.0 - exp(-over))), opacity);
}`;

// A ring with a paler rim around a place: first the rims of all, then the rings.
const MARK_VERTEX = `#version 300 es
in vec3 position;
uniform mat4 view; uniform float size;
void main() {
  gl_Position = view * vec4(position, 1.0);
  gl_PointSize = size;
}`;
const MARK_FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 colour; uniform float width; uniform float size;
out vec4 result;
void main() {
  // In pixels, so that edges are smooth over one.
  float off = abs(length(gl_PointCoord - 0.5) - 0.33) * size;
  float share = clamp(0.5 + 0.5 * width - off, 0.0, 1.0);
  if (share <= 0.0) discard;
  result = vec4(colour, share);
}`;
