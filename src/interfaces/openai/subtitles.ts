import { hasAtMost } from '../../core/text/index.js';

/** A part of a transcript with its time. */
export interface TimedText {
  readonly text: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** Characters of a line of subtitles. */
const LINE_LENGTH = 42;
const LONGEST_GAP_S = 0.7;

/** Subtitles in SubRip's format. */
export function srtOf(parts: readonly TimedText[]): string {
  return linesOf(parts)
    .map((part, index) => `${index + 1}\n${spanOf(part, ',')}\n${lineOf(part.text)}\n\n`)
    .join('');
}

/** Subtitles as WebVTT. */
export function vttOf(parts: readonly TimedText[]): string {
  return `WEBVTT\n\n${linesOf(parts)
    .map((part) => `${spanOf(part, '.')}\n${lineOf(part.text)}\n\n`)
    .join('')}`;
}

/** Some engines give the time of each word: words that follow each other become a line. */
function linesOf(parts: readonly TimedText[]): TimedText[] {
  const lines: TimedText[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const text = last === undefined ? '' : `${last.text} ${part.text}`;
    if (last && part.startSeconds - last.endSeconds <= LONGEST_GAP_S && hasAtMost(text, LINE_LENGTH)) {
      lines[lines.length - 1] = { text, startSeconds: last.startSeconds, endSeconds: part.endSeconds };
    } else lines.push(part);
  }
  return lines;
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
