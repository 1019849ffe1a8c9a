/** What is wrong with a scene, a stack of deformers or a command, and where. */
export interface Problem {
  what: string;
  place?: { file: string; line: number; column: number; length: number; first: number; lines: string[] };
}

/** A body or an obstacle as it is drawn. */
export interface Body {
  name: string;
  /** Red, green and blue, 0 to 1. */
  colour: [number, number, number];
  vertices: number;
  /** base64 of `Uint32Array`: three vertices for each triangle. */
  triangles: string;
  /** Whether its positions come with frames. */
  moves: boolean;
  /** base64 of `Float32Array`, for what does not move. */
  positions?: string;
}

/** What to draw, before any frame. */
export interface Stage {
  title: string;
  version: number;
  bodies: Body[];
  ground: number | null;
  centre: [number, number, number];
  radius: number;
  /** The keys of the scene that are worth a slider. */
  knobs: { key: string; label: string; unit: string; value: number | string }[];
  /** The text of the scene, as changed. */
  text: string;
}

export interface Frame {
  head: {
    frame: number;
    /** s */
    time: number;
    playing: boolean;
    /** Equal to that of native code: the state to the last bit. */
    hash: string;
    report: unknown;
  };
  /** Positions of the vertices of every body that moves, m: x, y, z of each. */
  positions: Float32Array[];
}

export type Command =
  | { do: "play" | "pause" | "restart" | "undo" }
  | { do: "step"; frames: number }
  | { do: "speed"; value: number }
  | { do: "grab"; hand: number; body: number; vertex: number; stiffness?: number }
  | { do: "move"; hand: number; to: [number, number, number] }
  | { do: "release"; hand: number }
  | { do: "push"; body: number; by: [number, number, number] }
  | { do: "set"; key: string; value: unknown }
  | { do: "field"; name: "strain" | "speed" | null }
  | { do: "text"; toml: string };

/** A simulation or a skin: one for each loaded module. */
export class Pliant {
  /** Loads the module from its bytes, or from an answer of `fetch`. */
  static load(source: BufferSource | Response | Promise<Response>): Promise<Pliant>;
  /** Builds a scene, or a stack of deformers, from the text of its file. Throws an error with the fields of `Problem`. */
  open(toml: string): Stage;
  /** Does a command, and returns its answer. Throws as `open` does. */
  ask(command: Command): unknown;
  /** Takes some frames, one if no number is given. */
  step(frames?: number): void;
  /** Changes with the stage. */
  readonly version: number;
  /** The hash of the present state. */
  readonly hash: string;
  /** The time that a frame should take, s; negative if it is paused. */
  readonly pace: number;
  stage(): Stage;
  frame(): Frame;
  /** The present frame as the page takes it. */
  bytes(): Uint8Array;
}
