// Changes the sample rate of a stream by a windowed sinc: what the new rate cannot hold is filtered out, what it can is
// kept. Works on pieces of any length; the result does not depend on how the stream was cut.

const PHASES = 512;
// On each side, of the sinc at the lower of the two rates.
const ZERO_CROSSINGS = 16;
// Of the lower rate's half: room for the filter's slope.
const PASS_BAND = 0.94;

export class Resampler {
  /** @param {number} from samples per second of what comes in, 1000 or more @param {number} to of what goes out */
  constructor(from, to) {
    this.from = from;
    this.to = to;
    this.cutoff = (PASS_BAND * Math.min(from, to)) / from;
    this.half = Math.ceil(ZERO_CROSSINGS / this.cutoff);
    this.table = from === to ? undefined : makeTable(this.half, this.cutoff);
    /** Input not used up yet; begins at input sample `start`. */
    this.held = new Float32Array(this.half);
    this.start = -this.half;
    this.made = 0;
  }

  /** @param {Float32Array} input @returns {Float32Array} what can be made of the input so far */
  push(input) {
    if (this.table === undefined) return input;
    const { half, table, from, to } = this;
    const held = new Float32Array(this.held.length + input.length);
    held.set(this.held);
    held.set(input, this.held.length);
    const last = this.start + held.length - 1 - half;
    // Output sample n lies at input position n * from / to.
    const until = Math.floor(((last + 1) * to - 1) / from) + 1;
    const output = new Float32Array(Math.max(0, until - this.made));
    const width = 2 * half;
    for (let i = 0; i < output.length; i += 1) {
      const scaled = (this.made + i) * from;
      const whole = Math.floor(scaled / to);
      const phase = ((scaled - whole * to) / to) * PHASES;
      const row = Math.floor(phase);
      const share = phase - row;
      const first = whole - half + 1 - this.start;
      const a = row * width;
      const b = a + width;
      let sum = 0;
      for (let k = 0; k < width; k += 1) sum += held[first + k] * (table[a + k] + share * (table[b + k] - table[a + k]));
      output[i] = sum;
    }
    this.made += output.length;
    const next = Math.floor((this.made * from) / to) - half + 1;
    const used = Math.max(0, Math.min(held.length, next - this.start));
    this.held = held.slice(used);
    this.start += used;
    return output;
  }

  /** What is left when the input has ended. */
  flush() {
    return this.table === undefined ? new Float32Array(0) : this.push(new Float32Array(this.half));
  }
}

/** Row p holds the filter for a position p / PHASES after an input sample: that sample stands at index half - 1. */
function makeTable(half, cutoff) {
  const width = 2 * half;
  const table = new Float32Array((PHASES + 1) * width);
  for (let p = 0; p <= PHASES; p += 1) {
    let sum = 0;
    for (let k = 0; k < width; k += 1) {
      const x = k - half + 1 - p / PHASES;
      const y = Math.PI * cutoff * x;
      const sinc = x === 0 ? 1 : Math.sin(y) / y;
      const w = (Math.PI * (x + half)) / half;
      const blackman = Math.abs(x) >= half ? 0 : 0.42 - 0.5 * Math.cos(w) + 0.08 * Math.cos(2 * w);
      sum += table[p * width + k] = sinc * blackman;
    }
    for (let k = 0; k < width; k += 1) table[p * width + k] /= sum;
  }
  return table;
}
