import type { RunView } from 'parley-client';
import type { JSX } from 'preact';
import { t } from '../i18n.js';
import { Code } from '../ui/text.js';

interface Sent {
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly string[];
}

/** The prompt of each model call as it was sent, where the server records it. */
export function PromptSent({ run }: { readonly run: RunView }): JSX.Element {
  const prompts = run.events.filter(({ type }) => type === 'PROMPT_SENT').map(({ data }) => data as Sent);
  if (prompts.length === 0) {
    return (
      <p class="small faint">
        {run.promptSettingOn ? t('why.promptNotRecorded') : t('why.promptOff', { setting: `${run.promptSetting}=true` })}
      </p>
    );
  }
  return (
    <section class="stack tight">
      <h3>{t('why.promptSent')}</h3>
      {prompts.map(({ messages = [], tools = [] }, call) => (
        <details key={call} class="used">
          <summary>{t('why.call', { number: call + 1, count: messages.length })}</summary>
          <div class="stack tight">
            {messages.map(({ role, content }, index) => (
              <div key={index}>
                <span class="small faint">{role}</span>
                <Code text={content} wrap label={role} />
              </div>
            ))}
            {tools.length > 0 && (
              <p class="small faint">
                {t('why.tools')}: {tools.join(', ')}
              </p>
            )}
          </div>
        </details>
      ))}
    </section>
  );
}
