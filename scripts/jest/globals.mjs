// Replacement for '@jest/globals'. It is evaluated once for many test files and forwards each call to the globals of the running file.
const current = () => globalThis[Symbol.for('parley.test-file')];

const ofTheFile = (name) =>
  new Proxy(() => undefined, {
    apply: (_target, _this, args) => current()[name](...args),
    get: (_target, key) => current()[name][key],
  });

export const describe = ofTheFile('describe');
export const it = ofTheFile('it');
export const test = it;
export const beforeAll = ofTheFile('beforeAll');
export const beforeEach = ofTheFile('beforeEach');
export const afterAll = ofTheFile('afterAll');
export const afterEach = ofTheFile('afterEach');
export const expect = ofTheFile('expect');
export const jest = ofTheFile('jest');
