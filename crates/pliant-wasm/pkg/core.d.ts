/** x, y, z. */
export type Vector = [number, number, number];

/** Settings of the world. */
export interface Settings {
  /** Substeps of a frame: 10 if nothing is said. */
  substeps?: number;
  /** Sweeps of a substep. */
  iterations?: number;
  /** m/s², [0, −9.81, 0] if nothing is said. */
  gravity?: Vector;
  /** Rate at which all velocities decay, 1/s. */
  damping?: number;
  /** Rate at which velocities relative to the air decay, 1/s. */
  drag?: number;
  /** Velocity of the air, m/s. */
  wind?: Vector;
  method?: "sweeps" | "coarse" | "newton" | "auto";
  /** The relative accuracy of the methods `newton` and `auto`. */
  accuracy?: number;
}

/** What all bodies have. Compliances are inverse stiffnesses; 0 is rigid. */
export interface Body {
  /** m: x, y, z of each vertex. */
  positions: Float32Array | ArrayLike<number>;
  /** Vertices that stay where they are. */
  pin?: Uint32Array | ArrayLike<number>;
  /** kg/m² of cloth, kg/m³ of solids. */
  density?: number;
  /** m/s */
  velocity?: Vector;
  /** Half of the distance that surfaces keep, m. */
  radius?: number;
  /** Compliance of the edges, m/N. */
  stretch?: number;
  /** Whether its surface meets those of others that collide (`true`: and itself; `false`: not itself). Left out, it meets obstacles only. */
  collide?: boolean;
  /** Coefficient of friction of a body that collides. */
  friction?: number;
  /** Coefficient of restitution of a body that collides. */
  restitution?: number;
}

export interface Cloth extends Body {
  /** Three vertices for each. */
  triangles: Uint32Array | ArrayLike<number>;
  /** Compliance of bending by the dihedral angle, rad²/J. */
  bend?: number;
  /** Resistance to bending by its modulus, J. */
  bendModulus?: number;
  /** Instead of edges: Young's modulus, Pa, Poisson's ratio, thickness, m. */
  membrane?: [young: number, poisson: number, thickness: number];
}

export interface Solid extends Body {
  /** Four vertices for each. */
  tetrahedra: Uint32Array | ArrayLike<number>;
  /** Compliance of the volumes, m³/Pa. */
  volume?: number;
  /** Bulk modulus of the volumes, Pa; that of water if nothing is said. */
  bulkModulus?: number;
  /** Instead of edges and volumes: Young's modulus, Pa, and Poisson's ratio. */
  neoHookean?: [young: number, poisson: number];
}

/** Coefficients of an obstacle. */
export interface Touch {
  friction?: number;
  restitution?: number;
}

/**
 * A simulation of meshes: one for each loaded module. Describe settings, bodies and obstacles, build it, then step it. All calls throw an
 * error that says what is wrong.
 */
export class World {
  /** Loads the module `core.wasm` from its bytes, or from an answer of `fetch`. */
  static load(source: BufferSource | Response | Promise<Response>): Promise<World>;

  settings(settings: Settings): this;
  /** The number of the body, counted from 0. */
  cloth(cloth: Cloth): number;
  /** The number of the body, counted from 0. */
  solid(solid: Solid): number;
  /** The number of the obstacle, counted from 0. */
  obstacle(kind: "floor", shape: { height: number } & Touch): number;
  obstacle(kind: "plane", shape: { normal: Vector; offset: number } & Touch): number;
  obstacle(kind: "sphere", shape: { centre: Vector; radius: number } & Touch): number;
  obstacle(kind: "box", shape: { centre: Vector; half: Vector } & Touch): number;
  obstacle(kind: "container", shape: { min: Vector; max: Vector } & Touch): number;
  obstacle(kind: "capsule", shape: { from: Vector; to: Vector; radius: number } & Touch): number;
  build(): this;

  /** Takes some frames of `dt`, s. */
  step(frames?: number, dt?: number): void;
  /** m: x, y, z of each vertex. */
  positions(body: number): Float32Array;
  /** m/s: x, y, z of each vertex. */
  velocities(body: number): Float32Array;
  /** The hash of the present state: that of native code, to the last bit. */
  readonly hash: string;

  /** Takes hold of a vertex by a spring, N/m; returns the number of the hand. */
  grab(body: number, vertex: number, stiffness: number): number;
  /** Moves a hand to a place, m, in the course of the next frame. */
  move(hand: number, to: Vector): void;
  release(hand: number): void;
  /** Moves an obstacle from where it was described, m, and turns it, axis times angle, rad, in the course of the next frame. */
  place(obstacle: number, by: Vector, turn?: Vector): void;
  /** m/s² */
  gravity(acceleration: Vector): void;
  /** m/s */
  wind(velocity: Vector): void;
}
