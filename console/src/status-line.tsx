import type { JSX } from 'preact';

export function StatusLine(): JSX.Element {
  return <footer class="status-line" />;
}
