// The same scene as a soft body of JoltPhysics.js. The package is not part of this project: its folder is an argument.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

export async function load(folder) {
  const { default: init } = await import(pathToFileURL(resolve(folder, "dist/jolt-physics.wasm-compat.js")));
  return init();
}

export class Soft {
  constructor(Jolt, { positions, masses, fixed, edges, tets, triangles, compliance }, substeps) {
    const settings = new Jolt.JoltSettings(), pairs = new Jolt.ObjectLayerPairFilterTable(1);
    const layers = new Jolt.BroadPhaseLayerInterfaceTable(1, 1), layer = new Jolt.BroadPhaseLayer(0);
    layers.MapObjectToBroadPhaseLayer(0, layer);
    settings.mObjectLayerPairFilter = pairs;
    settings.mBroadPhaseLayerInterface = layers;
    settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 1, pairs, 1);
    this.world = new Jolt.JoltInterface(settings);
    const shared = new Jolt.SoftBodySharedSettings(), vertex = new Jolt.SoftBodySharedSettingsVertex(), held = new Set(fixed);
    masses.forEach((mass, i) => {
      vertex.mPosition = new Jolt.Float3(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
      vertex.mInvMass = held.has(i) ? 0 : 1 / mass;
      shared.mVertices.push_back(vertex);
    });
    for (let i = 0; i < edges.length; i += 2) shared.mEdgeConstraints.push_back(new Jolt.SoftBodySharedSettingsEdge(edges[i], edges[i + 1], compliance));
    for (let i = 0; i < tets.length; i += 4) shared.mVolumeConstraints.push_back(new Jolt.SoftBodySharedSettingsVolume(...tets.slice(i, i + 4), 0));
    for (let i = 0; i < triangles.length; i += 3) shared.AddFace(new Jolt.SoftBodySharedSettingsFace(...triangles.slice(i, i + 3), 0));
    shared.CalculateEdgeLengths();
    shared.CalculateVolumeConstraintVolumes();
    shared.Optimize();
    const creation = new Jolt.SoftBodyCreationSettings(shared, new Jolt.RVec3(0, 0, 0), Jolt.Quat.prototype.sIdentity(), 0);
    // What Jolt calls iterations are substeps.
    creation.mNumIterations = substeps;
    creation.mLinearDamping = 0;
    const bodies = this.world.GetPhysicsSystem().GetBodyInterface(), body = bodies.CreateSoftBody(creation);
    body.SetAllowSleeping(false);
    bodies.AddBody(body.GetID(), Jolt.EActivation_Activate);
    this.vertices = Jolt.castObject(body.GetMotionProperties(), Jolt.SoftBodyMotionProperties).GetVertices();
  }

  // Relative to the place of the body.
  get x() {
    const { vertices } = this, x = new Float32Array(3 * vertices.size());
    for (let i = 0; i < vertices.size(); i++) {
      const at = vertices.at(i).mPosition;
      x.set([at.GetX(), at.GetY(), at.GetZ()], 3 * i);
    }
    return x;
  }

  frame(dt) { this.world.Step(dt, 1); }
}
