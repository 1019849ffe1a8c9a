// The programs of the graphics card.

// Softness of the key light: the tangent of half the angle under which it is seen. Penumbrae grow with the distance from the caster.
const SHADOW = `
uniform highp sampler2D depths; uniform highp sampler2DShadow hidden;
uniform mat4 sun; uniform vec4 sunSize; // metres across the map, depth of the map in metres, taps, softness
float turn(vec2 p) { return fract(52.9829189 * fract(dot(p, vec2(0.06711056, 0.00583715)))) * 6.2831853; }
// The share of the key light that reaches a point: percentage-closer soft shadows (Fernando 2005) on a spiral of taps, turned from pixel to pixel.
float lightAt(vec3 at, vec3 outward) {
  float texel = sunSize.x / float(textureSize(depths, 0).x);
  vec4 q = sun * vec4(at + outward * (1.6 * texel), 1.0);
  vec3 p = 0.5 + 0.5 * q.xyz;
  if (any(lessThan(p, vec3(0.0))) || any(greaterThan(p, vec3(1.0)))) return 1.0;
  p.z -= 1.0 * texel / sunSize.y;
  int taps = int(sunSize.z);
  float angle = turn(gl_FragCoord.xy), reach = 0.16 * sunSize.w, depth = 0.0, found = 0.0;
  for (int i = 0; i < taps; i++) {
    float r = sqrt((float(i) + 0.5) / float(taps)), a = angle + 2.3999632 * float(i);
    float d = texture(depths, p.xy + reach * r * vec2(cos(a), sin(a))).x;
    if (d < p.z) { depth += d; found += 1.0; }
  }
  if (found < 0.5) return 1.0;
  float apart = (p.z - depth / found) * sunSize.y;
  float radius = clamp(apart * sunSize.w / sunSize.x, 1.2 / float(textureSize(depths, 0).x), reach), lit = 0.0;
  for (int i = 0; i < taps; i++) {
    float r = sqrt((float(i) + 0.5) / float(taps)), a = angle + 2.3999632 * float(i);
    lit += texture(hidden, vec3(p.xy + radius * r * vec2(cos(a), sin(a)), p.z));
  }
  return lit / float(taps);
}`;
const SURFACE_VERTEX = `#version 300 es
in vec3 position; in vec3 normal; in float number;
uniform mat4 view; uniform mat4 pose; uniform vec4 ground;
out vec3 n; out float s; out vec3 at; out float over;
void main() {
  vec4 p = pose * vec4(position, 1.0);
  n = mat3(pose) * normal; s = number; at = p.xyz; over = p.y - ground.x;
  gl_Position = view * p;
}`;
const SURFACE_FRAGMENT = `#version 300 es
precision highp float;
in vec3 n; in float s; in vec3 at; in float over;
uniform vec3 colour; uniform vec3 eye; uniform vec3 light; uniform float plane; uniform float field; uniform vec4 ground; uniform vec3 middle; uniform float reach; uniform float opacity;
uniform vec3 fill; uniform vec4 shares; uniform vec4 finish; uniform vec3 paper; uniform vec4 shade; uniform float back;
out vec4 result;
${SHADOW}
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
  if (plane > 0.5) {
    // The ground: paper that fades out, darker where the key does not reach.
    float far = smoothstep(0.35, 1.0, length(at.xz - middle.xz) / reach);
    if (far >= 1.0) discard;
    float dark = eye.y > ground.x ? shade.a * (1.0 - lightAt(at, vec3(0.0, 1.0, 0.0))) : 0.0;
    result = vec4(mix(paper, shade.rgb, dark), 1.0 - far);
    return;
  }
  // Planes continue below the ground, which is painted first, without depth: parts below it are not visible.
  if (ground.y > 0.5 && over < -ground.z && eye.y > ground.x) discard;
  // The light of pictures: see Lighting in pliant-render. The visible side is lit.
  vec3 toEye = normalize(eye - at);
  float size = length(n);
  vec3 m = size > 0.0 ? n / size : toEye;
  bool behind = dot(m, toEye) < 0.0;
  if (behind) m = -m;
  vec3 base = field > 1.5 ? warm(clamp(s, 0.0, 1.0)) : field > 0.5 ? viridis(clamp(s, 0.0, 1.0)) : colour;
  float toKey = dot(m, light), terminator = clamp(8.0 * toKey, 0.0, 1.0);
  float reaches = toKey > 0.0 ? lightAt(at, m * (1.0 + 3.0 * (1.0 - toKey))) * terminator : 0.0, key = max(toKey, 0.0) * reaches;
  float lit = shares.x * key + shares.y * max(dot(m, fill), 0.0) + mix(shares.w, shares.z, 0.5 + 0.5 * m.y);
  if (field > 0.5) lit = mix(lit, 1.0, finish.w);
  float shine = finish.x * pow(max(dot(m, normalize(light + toEye)), 0.0), finish.y) * reaches;
  vec3 own = toLinear(base);
  // The back of cloth is paler.
  if (behind && field < 0.5) own = mix(own, vec3(0.9), back);
  vec3 bright = own * lit + shine, over = max(bright - finish.z, 0.0) / (1.0 - finish.z);
  result = vec4(toScreen(min(bright, finish.z) + (1.0 - finish.z) * (1.0 - exp(-over))), opacity);
}`;

// The picture from the light, of which only the depth is kept.
const DEPTH_VERTEX = `#version 300 es
in vec3 position;
uniform mat4 view; uniform mat4 pose;
void main() { gl_Position = view * (pose * vec4(position, 1.0)); }`;
const DEPTH_FRAGMENT = `#version 300 es
precision mediump float;
void main() {}`;

// The edges of a mesh, a little in front of its triangles.
const LINE_VERTEX = `#version 300 es
in vec3 position;
uniform mat4 view; uniform mat4 pose; uniform float nearer;
void main() { gl_Position = view * (pose * vec4(position, 1.0)); gl_Position.z -= nearer * gl_Position.w; }`;
const LINE_FRAGMENT = `#version 300 es
precision mediump float;
uniform vec4 colour;
out vec4 result;
void main() { result = colour; }`;

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
