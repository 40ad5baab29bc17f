// Adds documents: files by drop or choice, an address, or a text.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { errorText } from '../../api.js';
import { t } from '../../i18n.js';
import { refusal } from '../../permissions.js';
import { Button, Field } from '../../ui/controls.js';
import { notifyError } from '../../ui/dialogs.js';
import type { Documents } from './documents.js';
import { FileDrop } from './file-drop.js';
import { atMost } from '../../ui/characters.js';

/** What the dialog of the browser offers; the server also takes other texts, which can be dropped. */
export const DOCUMENT_TYPES =
  '.pdf,.docx,.docm,.xlsx,.xlsm,.pptx,.odt,.ods,.odp,.rtf,.epub,.md,.markdown,.txt,.html,.htm,.csv,.tsv,.json,.jsonl,.yaml,.yml,.toml,.xml,' +
  '.svg,.log,.ini,.conf,.eml,.ics,.vcf,.srt,.vtt,.js,.ts,.tsx,.py,.go,.rs,.java,.kt,.c,.h,.cpp,.cs,.rb,.php,.sh,.sql,.css,text/*';
/** Files that are sent at once; the others wait. */
const AT_ONCE = 3;

export function AddDocument({ documents }: { readonly documents: Documents }): JSX.Element {
  const upload = async (files: readonly File[]): Promise<void> => {
    const waiting = [...files];
    const sendAll = async (): Promise<void> => {
      for (let file = waiting.shift(); file; file = waiting.shift()) {
        const { name } = file;
        await documents.upload(file).catch((error: unknown) => notifyError(new Error(`${name}: ${errorText(error)}`)));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sendAll));
  };
  const refused = refusal('write');
  if (refused !== undefined) return <p class="soft">{refused}</p>;
  return (
    <div class="stack">
      <FileDrop label={t('agents.documents.choose')} accept={DOCUMENT_TYPES} multiple onFiles={(files) => void upload(files)} />
      <div class="row wrap add-others">
        <details class="grow">
          <summary>{t('agents.documents.addUrl')}</summary>
          <UrlForm documents={documents} />
        </details>
        <details class="grow">
          <summary>{t('agents.documents.addText')}</summary>
          <TextForm documents={documents} />
        </details>
      </div>
    </div>
  );
}

function UrlForm({ documents }: { readonly documents: Documents }): JSX.Element {
  const url = useSignal('');
  const form = useSending();
  return (
    <form
      class="stack tight"
      noValidate
      onSubmit={form.submit(async () => {
        await documents.send({ url: url.value.trim() });
        url.value = '';
      })}
    >
      <Field label={t('agents.documents.url')} fault={form.fault.value}>
        <input
          class="input"
          type="url"
          placeholder="https://"
          value={url.value}
          onInput={(event) => (url.value = event.currentTarget.value)}
        />
      </Field>
      <div>
        <Button type="submit" needs="write" busy={form.busy.value} disabled={url.value.trim() === ''}>
          {t('common.add')}
        </Button>
      </div>
    </form>
  );
}

function TextForm({ documents }: { readonly documents: Documents }): JSX.Element {
  const name = useSignal('');
  const text = useSignal('');
  const form = useSending();
  return (
    <form
      class="stack tight"
      onSubmit={form.submit(async () => {
        await documents.send({ name: name.value.trim(), text: text.value });
        name.value = '';
        text.value = '';
      })}
    >
      <Field label={t('agents.documents.textName')} hint={t('agents.documents.textNameHint')}>
        <input class="input" {...atMost(200)} value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
      </Field>
      <Field label={t('agents.documents.text')} fault={form.fault.value}>
        <textarea class="input" rows={6} value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
      </Field>
      <div>
        <Button type="submit" needs="write" busy={form.busy.value} disabled={name.value.trim() === '' || text.value.trim() === ''}>
          {t('common.add')}
        </Button>
      </div>
    </form>
  );
}

/** State of a form that is sent: whether it is on its way, and why it failed. */
function useSending(): {
  readonly busy: { readonly value: boolean };
  readonly fault: { readonly value: string | undefined };
  readonly submit: (send: () => Promise<void>) => (event: Event) => void;
} {
  const busy = useSignal(false);
  const fault = useSignal<string | undefined>(undefined);
  const run = async (send: () => Promise<void>): Promise<void> => {
    busy.value = true;
    fault.value = undefined;
    try {
      await send();
    } catch (error) {
      fault.value = errorText(error);
    }
    busy.value = false;
  };
  return {
    busy,
    fault,
    submit: (send) => (event) => {
      event.preventDefault();
      void run(send);
    },
  };
}
