// Conversations that show a model how the agent speaks.
import type { JSX } from 'preact';
import { t } from '../../i18n.js';
import { Button } from '../../ui/controls.js';
import { isFields, textIn, type Fields } from './character.js';
import type { CharacterEditor } from './editor.js';
import { ListField } from './text-list.js';

/** The placeholder for the person in examples. */
const PERSON = '{{name1}}';

export function ExampleList({ editor }: { readonly editor: CharacterEditor }): JSX.Element {
  const { messageExamples } = editor.character.value;
  const conversations: readonly unknown[] = Array.isArray(messageExamples) ? messageExamples : [];
  const agent = textIn(editor.character.value['name']);
  const put = (next: readonly unknown[]): void => editor.set('messageExamples', next);
  const label = t('agents.fields.messageExamples');
  return (
    <ListField label={label} hint={t('agents.hints.messageExamples')} fault={editor.errorAt('messageExamples')}>
      {conversations.map((conversation, index) => (
        <Conversation
          key={index}
          number={index + 1}
          messages={messagesOf(conversation)}
          agent={agent}
          onChange={(messages) => put(conversations.map((old, at) => (at === index ? messages : old)))}
          onRemove={() => put(conversations.filter((_, at) => at !== index))}
        />
      ))}
      <div>
        <Button
          kind="plain"
          icon="plus"
          aria-label={t('agents.addTo', { list: label })}
          onClick={() => put([...conversations, [message(PERSON), message(agent)]])}
        >
          {t('common.add')}
        </Button>
      </div>
    </ListField>
  );
}

function message(name: string): Fields {
  return { name, content: { text: '' } };
}

/** Newer files wrap each conversation in an object. */
function messagesOf(conversation: unknown): readonly Fields[] {
  const list = isFields(conversation) ? conversation['examples'] : conversation;
  return Array.isArray(list) ? list.filter(isFields) : [];
}

interface ConversationProps {
  readonly number: number;
  readonly messages: readonly Fields[];
  readonly agent: string;
  readonly onChange: (messages: readonly Fields[]) => void;
  readonly onRemove: () => void;
}

function Conversation({ number, messages, agent, onChange, onRemove }: ConversationProps): JSX.Element {
  const title = t('agents.example', { number });
  const put = (index: number, next: Fields): void => onChange(messages.map((old, at) => (at === index ? next : old)));
  return (
    <div class="example" role="group" aria-label={title}>
      <div class="row">
        <h3 class="grow small soft">{title}</h3>
        <Button kind="plain" icon="trash" label={t('agents.removeExample', { number })} onClick={onRemove} />
      </div>
      {messages.map((one, index) => {
        const content = isFields(one['content']) ? one['content'] : {};
        const place = `${title}, ${index + 1}`;
        return (
          <div key={index} class="text-row named">
            <input
              class="input"
              aria-label={`${place}: ${t('agents.speaker')}`}
              value={textIn(one['name'] ?? one['user'])}
              onInput={(event) => {
                const { user: _, ...rest } = one;
                put(index, { ...rest, name: event.currentTarget.value });
              }}
            />
            <textarea
              class="input growing"
              rows={1}
              aria-label={`${place}: ${t('agents.text')}`}
              value={textIn(content['text'])}
              onInput={(event) => put(index, { ...one, content: { ...content, text: event.currentTarget.value } })}
            />
            <Button
              kind="plain"
              icon="close"
              label={t('agents.removeEntry', { number: index + 1, list: title })}
              onClick={() => onChange(messages.filter((_, at) => at !== index))}
            />
          </div>
        );
      })}
      <div>
        <Button
          kind="plain"
          icon="plus"
          aria-label={t('agents.addTo', { list: title })}
          onClick={() => onChange([...messages, message(messages.length % 2 === 0 ? PERSON : agent)])}
        >
          {t('agents.addLine')}
        </Button>
      </div>
    </div>
  );
}
