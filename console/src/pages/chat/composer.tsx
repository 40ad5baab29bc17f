import { useSignal } from '@preact/signals';
import type { ChannelMessage } from 'parley-client';
import type { JSX, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { parley } from '../../api.js';
import { acceptedFiles, refusalOf } from '../../chat/accepted-files.js';
import { draftOf, keepDraft } from '../../chat/drafts.js';
import { formatBytes, t } from '../../i18n.js';
import { refusal } from '../../permissions.js';
import { Button } from '../../ui/controls.js';
import { attempt, notifyError } from '../../ui/dialogs.js';
import { cancel, interrupt, listen, send as sendVoice, speaking, voice as voiceState } from '../../voice/microphone.js';
import { characterCount } from '../../ui/characters.js';

/** The longest text of a message (docs/reference/http.md). */
const MAX_LENGTH = 100_000;

interface ComposerProps {
  /** Names what is typed here, which stays over a reload. */
  readonly draftKey: string;
  readonly agentName: string;
  readonly disabled?: boolean;
  /** Whether a reply is being made. */
  readonly running?: boolean;
  readonly onStop?: () => void;
  /** @returns whether it was sent; what was not stays in the field */
  readonly onSend: (text: string, files: readonly File[]) => Promise<boolean>;
  readonly voice: VoiceProps;
}

/** Uploads files to a channel. @returns the attachments of a message @throws ParleyError */
export async function uploadTo(channelId: string, files: readonly File[]): Promise<ChannelMessage['attachments']> {
  return Promise.all(
    files.map(async (file) => {
      const body = new FormData();
      body.append('file', file);
      const { id, url, mimeType, originalName } = await parley.call('POST /api/messaging/channels/{channelId}/upload-media', {
        path: { channelId },
        body,
      });
      return { id, url, type: mimeType, contentType: mimeType, title: originalName, name: originalName };
    }),
  );
}

export function Composer({ draftKey, agentName, disabled = false, running = false, onStop, onSend, voice }: ComposerProps): JSX.Element {
  const { field, text, files, busy, canSend, write, attach, detach, submit } = useComposer({ draftKey, disabled, onSend });
  const { dragging, ...dropTarget } = useFileDrop(attach);
  const readOnly = refusal('write') !== undefined;
  return (
    <form
      class={`composer ${dragging ? 'dragging' : ''}`}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      {...dropTarget}
    >
      {files.length > 0 && <Attachments files={files} onRemove={detach} />}
      <MessageField
        field={field}
        label={t('chat.message', { name: agentName })}
        text={text}
        readOnly={readOnly}
        onInput={write}
        onFiles={attach}
        onSubmit={() => void submit()}
      />
      <div class="composer-tools row">
        <FilePicker disabled={disabled} onPick={attach} />
        {!disabled && !readOnly && <Voice {...voice} />}
        <Hint length={characterCount(text)} readOnly={readOnly} />
        {running && onStop && (
          <Button icon="stop" needs="write" onClick={onStop}>
            {t('chat.stop')}
          </Button>
        )}
        <Button kind="primary" type="submit" icon="send" needs="write" disabled={!canSend} busy={busy}>
          {t('chat.send')}
        </Button>
      </div>
    </form>
  );
}

interface ComposerState {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly files: readonly File[];
  readonly busy: boolean;
  readonly canSend: boolean;
  readonly write: (text: string) => void;
  readonly attach: (files: Iterable<File>) => void;
  readonly detach: (file: File) => void;
  readonly submit: () => Promise<void>;
}

type ComposerOptions = Required<Pick<ComposerProps, 'draftKey' | 'disabled' | 'onSend'>>;

/** The message that is being written: its text and files, which come back when it was not sent. */
function useComposer({ draftKey, disabled, onSend }: ComposerOptions): ComposerState {
  const text = useSignal(draftOf(draftKey));
  const files = useSignal<readonly File[]>([]);
  const busy = useSignal(false);
  const field = useMessageField(text.value);
  const canSend =
    !disabled && refusal('write') === undefined && !busy.value && characterCount(text.value) <= MAX_LENGTH && text.value.trim() !== '';
  const write = (next: string): void => {
    text.value = next;
    keepDraft(draftKey, next);
  };
  const attach = (more: Iterable<File>): void => {
    const chosen = [...more];
    files.value = [...files.value, ...chosen.filter((file) => refusalOf(file) === undefined)];
    const refusals = chosen.flatMap((file) => refusalOf(file) ?? []);
    if (refusals.length > 0) notifyError(new Error(refusals.join('\n')));
  };
  const detach = (file: File): void => {
    files.value = files.value.filter((one) => one !== file);
  };
  const submit = async (): Promise<void> => {
    if (!canSend) return;
    const [sent, attached] = [text.value, files.value];
    busy.value = true;
    write('');
    files.value = [];
    const done = await onSend(sent.trim(), attached).catch((error: unknown) => {
      notifyError(error);
      return false;
    });
    busy.value = false;
    if (!done) {
      write(sent);
      files.value = attached;
    }
    field.current?.focus();
  };
  return { field, text: text.value, files: files.value, busy: busy.value, canSend, write, attach, detach, submit };
}

/** A field that has the focus from the start, and is as high as its text. */
function useMessageField(text: string): RefObject<HTMLTextAreaElement | null> {
  const field = useRef<HTMLTextAreaElement>(null);
  // Before the browser paints: keys that are pressed as soon as the field is seen are for it.
  useLayoutEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (!field.current) return;
    field.current.style.height = 'auto';
    field.current.style.height = `${field.current.scrollHeight + 2}px`;
  }, [text]);
  return field;
}

interface FileDrop extends Required<Pick<JSX.IntrinsicElements['form'], 'onDragOver' | 'onDragLeave' | 'onDrop'>> {
  readonly dragging: boolean;
}

/** Whether files are dragged over an element, and the handlers of that element. */
function useFileDrop(onDropped: (files: Iterable<File>) => void): FileDrop {
  const dragging = useSignal(false);
  return {
    dragging: dragging.value,
    onDragOver: (event) => {
      event.preventDefault();
      dragging.value = true;
    },
    onDragLeave: () => {
      dragging.value = false;
    },
    onDrop: (event) => {
      event.preventDefault();
      dragging.value = false;
      onDropped(event.dataTransfer?.files ?? []);
    },
  };
}

interface AttachmentsProps {
  readonly files: readonly File[];
  readonly onRemove: (file: File) => void;
}

function Attachments({ files, onRemove }: AttachmentsProps): JSX.Element {
  return (
    <ul class="attachments">
      {files.map((file) => (
        <li key={`${file.name}${file.lastModified}`} class="badge">
          {file.name} <span class="faint">{formatBytes(file.size)}</span>
          <Button kind="plain" icon="close" label={t('chat.removeFile', { name: file.name })} onClick={() => onRemove(file)} />
        </li>
      ))}
    </ul>
  );
}

interface MessageFieldProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly label: string;
  readonly text: string;
  readonly readOnly: boolean;
  readonly onInput: (text: string) => void;
  /** Called with files that are pasted. */
  readonly onFiles: (files: Iterable<File>) => void;
  readonly onSubmit: () => void;
}

function MessageField({ field, label, text, readOnly, onInput, onFiles, onSubmit }: MessageFieldProps): JSX.Element {
  return (
    <textarea
      ref={field}
      class="composer-text"
      rows={1}
      aria-label={label}
      placeholder={label}
      aria-invalid={characterCount(text) > MAX_LENGTH}
      readOnly={readOnly}
      value={text}
      onInput={(event) => onInput(event.currentTarget.value)}
      onPaste={(event) => {
        const pasted = event.clipboardData?.files;
        if (!pasted || pasted.length === 0) return;
        event.preventDefault();
        onFiles(pasted);
      }}
      onKeyDown={(event) => {
        // Enter ends the choice of a word in input methods such as those for Chinese.
        if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}

interface FilePickerProps {
  readonly disabled: boolean;
  readonly onPick: (files: Iterable<File>) => void;
}

function FilePicker({ disabled, onPick }: FilePickerProps): JSX.Element {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept={acceptedFiles()}
        aria-label={t('chat.attach')}
        onChange={(event) => {
          onPick(event.currentTarget.files ?? []);
          event.currentTarget.value = '';
        }}
      />
      <Button
        kind="plain"
        icon="attach"
        label={t('chat.attach')}
        needs="write"
        disabled={disabled}
        onClick={() => picker.current?.click()}
      />
    </>
  );
}

/** Which keys send; in its place, why the text cannot be sent, which a narrow window shows too. */
function Hint({ length, readOnly }: { readonly length: number; readonly readOnly: boolean }): JSX.Element {
  if (readOnly) return <span class="grow small soft composer-note">{t('chat.readOnly')}</span>;
  if (length <= MAX_LENGTH) return <span class="grow small faint">{t('chat.keys')}</span>;
  return <span class="grow small fault-text composer-note">{t('chat.tooLong', { count: length, limit: MAX_LENGTH })}</span>;
}

interface VoiceProps {
  /** The channel that a recording is for; called when it begins. */
  readonly open: () => Promise<string>;
  readonly agentId: string | undefined;
}

function Voice({ open, agentId }: VoiceProps): JSX.Element | null {
  const state = voiceState.value;
  if (!('mediaDevices' in navigator) || typeof MediaRecorder === 'undefined') return null;
  if (speaking.value && state === 'off') {
    return <Button icon="stop" kind="plain" label={t('chat.interrupt')} onClick={interrupt} />;
  }
  if (state === 'off') {
    return (
      <Button kind="plain" icon="mic" label={t('chat.speakTo')} onClick={() => void attempt(async () => listen(await open(), agentId))} />
    );
  }
  return (
    <span class="row" role="status">
      <span class="dot busy" />
      {state === 'listening' ? t('chat.listening') : t('chat.recognising')}
      {state === 'listening' && <Button icon="check" kind="plain" label={t('chat.endRecording')} onClick={sendVoice} />}
      <Button icon="close" kind="plain" label={t('common.cancel')} onClick={cancel} />
    </span>
  );
}
