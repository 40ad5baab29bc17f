// Pages with useChat, rendered without a browser.
import { window } from './dom.mjs';
import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport } from 'ai';
import { createElement, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { KEY } from '../support/scripted-server.mjs';

const textOf = ({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

export class Pages {
  #count = 0;

  constructor(base) {
    this.base = base;
  }

  /** @param options of useChat @param transport options of its transport, beside the agent and the key */
  open({ agent = 'Ada', key = KEY, transport = {}, ...options } = {}) {
    this.#count += 1;
    const headers = { Authorization: `Bearer ${key}` };
    return new Page({
      id: `chat-${this.#count}`,
      transport: new DefaultChatTransport({ api: `${this.base}/${agent}/chat`, headers, ...transport }),
      ...options,
    });
  }
}

class Page {
  /** The status of each rendering, without repetitions. */
  statuses = [];
  #container = window.document.createElement('main');
  #root = createRoot(this.#container);
  #waiting = new Set();

  constructor(options) {
    this.id = options.id;
    this.#root.render(createElement(Chat, { options, onRendered: (chat) => this.#rendered(chat) }));
  }

  /** What the page shows: a line for each message, and the error. */
  get lines() {
    return [...this.#container.children].map(({ textContent }) => textContent);
  }

  /** The parts of the last message, without those that begin a step. */
  get parts() {
    return this.chat.messages.at(-1).parts.filter(({ type }) => type !== 'step-start');
  }

  /** Resolves as soon as the page is rendered in such a way. */
  until(holds) {
    if (this.chat && holds(this)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.add({ holds, resolve });
    });
  }

  /** Resolves when the hook has the status and shows the lines; a reply that failed shows its error. */
  shows(status, ...lines) {
    return this.until((page) => page.chat.status === status && JSON.stringify(page.lines) === JSON.stringify(lines));
  }

  close() {
    this.#root.unmount();
  }

  #rendered(chat) {
    this.chat = chat;
    if (this.statuses.at(-1) !== chat.status) this.statuses.push(chat.status);
    for (const each of this.#waiting) {
      if (!each.holds(this)) continue;
      this.#waiting.delete(each);
      each.resolve();
    }
  }
}

function Chat({ options, onRendered }) {
  const chat = useChat(options);
  useEffect(() => onRendered(chat));
  const lines = chat.messages.map((message) => createElement('p', { key: message.id }, `${message.role}: ${textOf(message)}`));
  return [...lines, chat.error && createElement('strong', { key: 'error' }, reasonOf(chat.error))];
}

/** The AI SDK makes the body of a failed response the message of its error. */
function reasonOf({ message }) {
  try {
    return JSON.parse(message).error.code;
  } catch {
    return message;
  }
}
