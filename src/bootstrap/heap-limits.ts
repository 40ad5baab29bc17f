import { setFlagsFromString } from 'node:v8';

// V8 reads these flags whenever it resizes the heap. Figures are in docs/decisions/0031.

/** Keeps the young generation small while modules load, since it would keep the size that it needs then. */
export function limitHeapAtStart(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Lets the heap grow by 60 % between two full collections; V8's own choice is up to 300 %. */
export function limitHeapGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  setFlagsFromString('--heap-growing-percent=60');
}
