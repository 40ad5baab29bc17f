import { ApiClient } from './api-client.js';
import { openConversation, type Conversation, type ConversationOptions } from './conversation.js';
import type { HttpOptions } from './http.js';
import * as resources from './resources.js';
import { openSession, resumeSession, type Session, type SessionOptions, type SessionReference } from './session.js';

/** A server of Parley. */
export class Parley extends ApiClient {
  readonly agents = resources.agents(this);
  readonly sessions = resources.sessions(this);
  readonly channels = resources.channels(this);
  readonly messages = resources.messages(this);
  readonly memories = resources.memories(this);
  readonly knowledge = resources.knowledge(this);
  readonly runs = resources.runs(this);
  readonly logs = resources.logs(this);
  readonly plugins = resources.plugins(this);
  readonly keys = resources.keys(this);
  readonly audio = resources.audio(this);
  readonly users = resources.users(this);
  readonly server = resources.server(this);

  constructor(options: HttpOptions = {}) {
    super(options);
  }

  /**
   * The lasting conversation of a user with an agent: the same channel, history and memory every time, for as long as the server keeps them.
   * Needs an API key, or a user token of this user.
   *
   * @throws ParleyError
   */
  conversation(options: ConversationOptions): Promise<Conversation> {
    return openConversation(this, options);
  }

  /**
   * A session: a conversation that ends when it is not used. An open server needs no credential for it; the session then speaks with its token.
   *
   * @param options of a new session, or the id (and the token) of one that exists
   * @throws ParleyError
   */
  session(options: SessionOptions | SessionReference): Promise<Session> {
    return 'sessionId' in options ? resumeSession(this, options) : openSession(this, options);
  }
}
