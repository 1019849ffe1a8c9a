// How fast pictures are drawn: no more are begun than are finished, and where they take long, as without a graphics card, they have fewer taps in their shadows,
// then a lower resolution. Once nothing changes, one picture has its whole resolution again.
//
// A picture is slow after more than `SLOW` ms, and quick within `QUICK`, so that one of the place before is not slow: it takes hardly twice as long. They are
// looked for from one frame of the screen to the next. Where there was nothing to draw for `REST` ms, nothing changes.
const SLOW = 55, QUICK = 25, REST = 500;
// A graphics card smooths edges itself, for little. A processor would take four times as long for that, so that where it draws, edges are smooth only where a
// picture has more pixels than the window.
const CARD = [{ taps: 16, most: 2 }, { taps: 10, most: 1 }, { taps: 6, most: 1 }, { taps: 6, most: 0.7 }, { taps: 6, most: 0.5 }];
const PROCESSOR = [{ taps: 6, most: 2 }, { taps: 6, most: 1.4 }, { taps: 6, most: 1 }, { taps: 6, most: 0.7 }, { taps: 6, most: 0.5 }];
const WHOLE = 2;

// Whether the processor draws in place of a graphics card.
function drawsBySoftware() {
  const gl = document.createElement("canvas").getContext("webgl2"), about = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = about ? gl.getParameter(about.UNMASKED_RENDERER_WEBGL) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

function createPace(gl, isSoftware) {
  const begun = [], places = isSoftware ? PROCESSOR : CARD;
  let place = isSoftware ? WHOLE : 0, slow = 0, quick = 0, last = 0, isStill = false, isCoarse = false;
  // The place whose resolution is that of pictures that stand still.
  const best = () => isSoftware ? 0 : Math.min(place, WHOLE);
  function note(took) {
    slow = took > SLOW ? slow + Math.min(took / SLOW, 3) : 0;
    quick = took < QUICK ? quick + 1 : 0;
    if (slow > 6 && place < places.length - 1) [place, slow] = [place + 1, 0];
    if (quick > 60 && place > (isSoftware ? 0 : WHOLE)) [place, quick] = [place - 1, 0];
  }
  return {
    // The taps of a shadow, and the pixels of the picture along one of the window's, for the picture that comes now.
    next() {
      const { taps } = places[place], { most } = places[isStill ? best() : place];
      return { taps, scale: isSoftware ? most : Math.min(devicePixelRatio, most) };
    },
    // Whether there is a picture to draw now: something has changed, and not too many are still being drawn (a card is heard of late); or nothing has, and the
    // last one was coarse. To be asked in every frame of the screen.
    isDue(isDirty) {
      let done = 0;
      while (done < begun.length && gl.getSyncParameter(begun[done].fence, gl.SYNC_STATUS) !== gl.UNSIGNALED) done++;
      if (done > 0) {
        // They are drawn one after the other; of those that are found together nobody knows where one ended.
        const finished = begun.splice(0, done), now = performance.now(), took = (now - Math.max(finished[0].at, last)) / done;
        for (const { fence, counts } of finished) {
          gl.deleteSync(fence);
          if (counts && !document.hidden) note(took);
        }
        last = now;
      }
      isStill = !isDirty && isCoarse && !begun.length && performance.now() - last > REST;
      return isStill || (isDirty && begun.length < (isSoftware ? 2 : 3));
    },
    // All of a picture has been asked for that was begun at this time, in ms.
    drawn(at) {
      const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
      gl.flush();
      if (fence) begun.push({ at, fence, counts: !isStill });
      isCoarse = !isStill && place > best();
    },
  };
}
