const HALF = /[\uD800-\uDBFF]$/;

/** Joins characters that services split over two texts. A half without its other half becomes U+FFFD. */
export class WholeCharacters {
  private half = '';

  add(text: string): string {
    const whole = this.half + text;
    const half = HALF.exec(whole)?.[0] ?? '';
    this.half = half;
    return (half === '' ? whole : whole.slice(0, -1)).toWellFormed();
  }

  end(): string {
    const { half } = this;
    this.half = '';
    return half.toWellFormed();
  }
}
