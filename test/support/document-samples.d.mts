type Content = string | Buffer;

export function zipOf(parts: Readonly<Record<string, Content>>): Promise<Buffer<ArrayBuffer>>;
export function xlsxOf(
  sheets: Readonly<Record<string, string>>,
  options?: {
    readonly strings?: readonly string[];
    readonly formats?: readonly string[];
    readonly properties?: string;
    readonly more?: Readonly<Record<string, Content>>;
  },
): Promise<Buffer<ArrayBuffer>>;
export function xlsxRow(number: number, cells: readonly (string | number)[]): string;
export function pptxOf(slides: readonly string[], more?: Readonly<Record<string, Content>>): Promise<Buffer<ArrayBuffer>>;
export function pptxShape(paragraphs: readonly string[], kind?: string): string;
export function pptxNotes(text: string): Record<string, string>;
export function odfOf(kind: string, body: string, options?: { readonly manifest?: string }): Promise<Buffer<ArrayBuffer>>;
export function epubOf(
  chapters: Readonly<Record<string, string>>,
  options?: { readonly more?: Readonly<Record<string, Content>>; readonly items?: string },
): Promise<Buffer<ArrayBuffer>>;
