// A place to drop files on, or to choose them.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { t } from '../../i18n.js';
import { Icon } from '../../ui/icon.js';

interface FileDropProps {
  readonly label: string;
  readonly accept: string;
  readonly multiple?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

export function FileDrop({ label, accept, multiple = false, onFiles }: FileDropProps): JSX.Element {
  const over = useSignal(false);
  return (
    <label
      class="file-drop"
      data-over={over.value}
      onDragOver={(event) => {
        event.preventDefault();
        over.value = true;
      }}
      onDragLeave={() => {
        over.value = false;
      }}
      onDrop={(event) => {
        event.preventDefault();
        over.value = false;
        onFiles([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <Icon name="file" />
      <span>
        <span class="strong">{label}</span> <span class="faint">{t('agents.orDrop')}</span>
      </span>
      <input
        class="visually-hidden"
        type="file"
        accept={accept}
        multiple={multiple}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </label>
  );
}
