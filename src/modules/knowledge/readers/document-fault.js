/** Why a document cannot be read. Its code crosses the border of the thread; document-reader.ts says what each one means. */
export class DocumentFault extends Error {
  /** @param code a key of `FAULTS` in document-reader.ts */
  constructor(code) {
    super(code);
    this.code = code;
  }
}
