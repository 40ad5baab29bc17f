// Reporter of all jest runs. It lists skipped tests, counts them as failed, and prints the last line: `N passed, N failed`.
import { writeSync } from 'node:fs';
import { relative } from 'node:path';

const STDOUT = 1;
const NOT_RUN = new Set(['pending', 'skipped', 'disabled', 'todo']);

export default class SummaryReporter {
  #skipped = [];
  #lastWords = '';

  constructor(globalConfig) {
    this.globalConfig = globalConfig;
    // Jest prints its own summary after all reporters have run.
    process.on('exit', () => writeSync(STDOUT, this.#lastWords));
  }

  onRunComplete(_contexts, results) {
    // `-t pattern` skips tests on purpose.
    this.#skipped = this.globalConfig.testNamePattern ? [] : results.testResults.flatMap(skippedTests);
    // A file that could not be loaded counts as one failure.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites + this.#skipped.length;
    const lines = this.#skipped.map(({ file, name }) => `skipped: ${relative(this.globalConfig.rootDir, file)} > ${name}\n`);
    if (lines.length > 0) lines.push(`${lines.length} skipped, counted as failed: make them pass or delete them (.skip, .todo, .only)\n`);
    this.#lastWords = `${lines.join('')}${results.numPassedTests} passed, ${failed} failed\n`;
  }

  getLastError() {
    return this.#skipped.length > 0 ? new Error('skipped tests') : undefined;
  }
}

function skippedTests(file) {
  return file.testResults.filter(({ status }) => NOT_RUN.has(status)).map(({ fullName }) => ({ file: file.testFilePath, name: fullName }));
}
