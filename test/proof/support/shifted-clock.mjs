// Loaded before the server (--import): its wall clock is wrong by the milliseconds that the file SHIFTED_CLOCK holds, which is
// read again whenever the process gets SIGUSR2.
import { readFileSync } from 'node:fs';

const trueNow = Date.now.bind(Date);
let shift = 0;
const read = () => {
  try {
    shift = Number(readFileSync(process.env.SHIFTED_CLOCK, 'utf8')) || 0;
  } catch {
    shift = 0;
  }
};
read();
process.on('SIGUSR2', read);

const TrueDate = Date;
globalThis.Date = class Date extends TrueDate {
  constructor(...given) {
    if (given.length === 0) super(trueNow() + shift);
    else super(...given);
  }
  static now() {
    return trueNow() + shift;
  }
};
