export function pdfOf(pages: readonly (readonly string[])[]): Buffer<ArrayBuffer>;
export function assemble(objects: readonly Buffer[]): Buffer<ArrayBuffer>;
export function docxOf(body: string | readonly string[] | Buffer): Promise<Buffer<ArrayBuffer>>;
export function docxTable(rows: readonly (readonly string[])[]): string;
export function placedPdf(placed: readonly (readonly [x: number, y: number, text: string])[]): Buffer<ArrayBuffer>;
