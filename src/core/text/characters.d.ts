/**
 * Number of characters of a text: of its code points, as `maxLength` of JSON Schema counts them. Each limit that users see counts so; memory is
 * bounded by `length`.
 */
export function characterCount(text: string): number;
/** Whether a text has at most `max` characters, as `characterCount` counts them. */
export function hasAtMost(text: string, max: number): boolean;
