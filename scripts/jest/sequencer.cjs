const { default: Sequencer } = require('@jest/test-sequencer');

/** Projects whose tests start processes, and so take long. */
const LONG = ['crash', 'docs', 'proof', 'release'];

/** Begins with the longest tests, also where no earlier run has told which those are. */
module.exports = class LongestFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    const isLong = ({ context }) => LONG.includes(context.config.displayName?.name);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
