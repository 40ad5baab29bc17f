// A document for React, which looks for it when it is imported.
import { Window } from 'happy-dom';

export const window = new Window();
Object.assign(globalThis, { window, document: window.document });
