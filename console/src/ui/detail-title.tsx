import type { ComponentChildren, JSX } from 'preact';
import { Icon } from './icon.js';

interface DetailTitleProps {
  /** Address of the list; narrow windows show a link to it. */
  readonly back: string;
  readonly backLabel: string;
  readonly title: ComponentChildren;
  /** Commands. */
  readonly children?: ComponentChildren;
}

/** The head line of what was chosen from a list. */
export function DetailTitle({ back, backLabel, title, children }: DetailTitleProps): JSX.Element {
  return (
    <div class="page-head">
      <a class="button plain icon-only back" href={back} aria-label={backLabel} title={backLabel}>
        <Icon name="left" />
      </a>
      <h1 class="grow break">{title}</h1>
      {children}
    </div>
  );
}
