/** A part of a transcript with its time. */
export interface TimedText {
  readonly text: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** Subtitles in SubRip's format. */
export function srtOf(parts: readonly TimedText[]): string {
  return parts.map((part, index) => `${index + 1}\n${spanOf(part, ',')}\n${lineOf(part.text)}\n\n`).join('');
}

/** Subtitles as WebVTT. */
export function vttOf(parts: readonly TimedText[]): string {
  return `WEBVTT\n\n${parts.map((part) => `${spanOf(part, '.')}\n${lineOf(part.text)}\n\n`).join('')}`;
}

function spanOf({ startSeconds, endSeconds }: TimedText, point: string): string {
  return `${timeOf(startSeconds, point)} --> ${timeOf(endSeconds, point)}`;
}

function timeOf(seconds: number, point: string): string {
  const ms = Math.max(0, Math.round(seconds * 1000));
  const digits = (value: number, length: number): string => String(value).padStart(length, '0');
  const [hours, minutes] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60];
  return `${digits(hours, 2)}:${digits(minutes, 2)}:${digits(Math.floor(ms / 1000) % 60, 2)}${point}${digits(ms % 1000, 3)}`;
}

/** An empty line would end the subtitle, and an arrow in WebVTT would begin another. */
function lineOf(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().replaceAll('-->', '->');
}
