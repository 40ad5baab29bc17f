// Loaded before every test file. Errors made by Node and by native modules (sqlite3) come from outside jest's sandbox
// and have an Error class of their own, so `error instanceof Error` would be false for them in tests and true in production.
import { types } from 'node:util';

const ordinary = Function.prototype[Symbol.hasInstance];

Object.defineProperty(Error, Symbol.hasInstance, {
  configurable: true,
  value(this: unknown, candidate: unknown): boolean {
    return Reflect.apply(ordinary, this, [candidate]) || (this === Error && types.isNativeError(candidate));
  },
});
