/**
 * What a scene adds for ear and hand: sounds made here, from oscillators and noise, and a shake of the
 * device. One switch turns all of it off; so does the wish for less motion.
 */

import { calm } from "./dom.js";
import { effectsWanted } from "./store.js";

const LOUD = 0.22;

let context = null;
let hiss = null;

export const lively = () => effectsWanted() && !calm();

/** Browsers let a page sound only after somebody has touched it: before that there is silence. */
function speaker() {
  if (!lively() || !window.AudioContext) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {});
  return context;
}

/** A tone that fades: from one pitch to another, if `to` is given. */
function tone(from, { to = from, after = 0, lasts = 0.12, wave = "sine", loud = 1 } = {}) {
  const audio = speaker();
  if (!audio) return;
  const begin = audio.currentTime + after;
  const source = audio.createOscillator();
  source.type = wave;
  source.frequency.setValueAtTime(from, begin);
  source.frequency.exponentialRampToValueAtTime(to, begin + lasts);
  sound(audio, source, begin, lasts, loud);
}

/** A burst of noise around a pitch: wood, metal, gravel. */
function clack(pitch, { after = 0, lasts = 0.06, sharp = 4, loud = 1 } = {}) {
  const audio = speaker();
  if (!audio) return;
  const begin = audio.currentTime + after;
  const source = audio.createBufferSource();
  source.buffer = noise(audio);
  const band = audio.createBiquadFilter();
  band.type = "bandpass";
  band.frequency.value = pitch;
  band.Q.value = sharp;
  source.connect(band);
  sound(audio, band, begin, lasts, loud, source);
}

function sound(audio, last, begin, lasts, loud, source = last) {
  const volume = audio.createGain();
  volume.gain.setValueAtTime(LOUD * loud, begin);
  volume.gain.exponentialRampToValueAtTime(0.0001, begin + lasts);
  last.connect(volume).connect(audio.destination);
  source.start(begin);
  source.stop(begin + lasts);
}

function noise(audio) {
  if (hiss) return hiss;
  hiss = audio.createBuffer(1, audio.sampleRate / 2, audio.sampleRate);
  const samples = hiss.getChannelData(0);
  for (let index = 0; index < samples.length; index += 1) samples[index] = Math.random() * 2 - 1;
  return hiss;
}

export const effects = {
  step() {
    clack(520, { lasts: 0.05, sharp: 3, loud: 0.6 });
  },

  /** Two jaws meet: a crack, the ring of steel, and a thud. */
  snap() {
    clack(3200, { lasts: 0.07, sharp: 1, loud: 1.6 });
    tone(1480, { to: 1320, lasts: 0.28, wave: "triangle", loud: 0.5 });
    tone(2210, { to: 1990, lasts: 0.2, wave: "square", loud: 0.12 });
    tone(130, { to: 45, after: 0.02, lasts: 0.3, loud: 1.6 });
    if (lively()) navigator.vibrate?.([40, 30, 120]);
  },

  fall() {
    tone(520, { to: 110, lasts: 0.45, wave: "triangle", loud: 0.6 });
  },

  /** @param {"won"|"lost"|"even"} how */
  end(how) {
    const notes = { won: [523, 659, 784, 1047], lost: [392, 330, 262], even: [440, 440] }[how];
    notes.forEach((pitch, index) =>
      tone(pitch, { after: index * 0.13, lasts: 0.34, wave: "triangle", loud: 0.8 }),
    );
  },
};
