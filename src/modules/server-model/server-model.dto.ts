import { IsIn, IsOptional, IsString, IsUrl } from 'class-validator';
import { IsFilledText, MaxCharacters } from '../../core/http/index.js';
import { SERVER_PROVIDERS, type ServerProvider } from '../../providers/models/index.js';
import type { ModelTrial, ServerModelRequest, ServerModelState } from './server-model.service.js';

const MAX_ADDRESS = 2000;
const MAX_KEY = 2000;

/** Body of `PUT /api/server/model` and `POST /api/server/model/trial`. */
export class ServerModelBody {
  /** The service, or one that is compatible with it. */
  @IsIn(SERVER_PROVIDERS)
  provider!: ServerProvider;

  /** Name of the model at the service. */
  @IsFilledText(255)
  model!: string;

  /** Base URL of the API; that of the provider when it is absent or null. */
  @IsOptional()
  @IsString()
  @MaxCharacters(MAX_ADDRESS)
  @IsUrl(
    { require_tld: false, require_protocol: true, protocols: ['http', 'https'] },
    { message: '$property must be an http or https address' },
  )
  address?: string | null;

  /** API key, stored encrypted. Absent: the stored key stays when provider and address stay; null: no key. */
  @IsOptional()
  @IsFilledText(MAX_KEY)
  key?: string | null;
}

/** The server's model. */
export class ServerModelView {
  /** The origin of the choice: variables of the environment, an administrator, or nothing, so that the offline responder replies. */
  source!: 'environment' | 'administrator' | 'none';
  /** `openai`, `anthropic`, `ollama` or `offline`. */
  provider!: string;
  model!: string;
  /** The address that an administrator has given; null for the usual one of the provider. */
  address!: string | null;
  /** Whether a key is stored. */
  hasKey!: boolean;
  /** Variables of the environment that choose the model: while one is set, it cannot be changed here. */
  variables!: string[];
  /** Whether addresses of this machine are allowed: when the server listens on loopback, or OUTBOUND_ALLOWED_NETWORKS names it. */
  localAddresses!: boolean;
}

/** Why a call of a model failed. */
export class ModelTrialErrorView {
  code!: string;
  message!: string;
  details!: string;
}

/** The outcome of one call of a model. */
export class ModelTrialView {
  answered!: boolean;
  /** What the model said; empty when it failed. */
  text!: string;
  /** Milliseconds. */
  durationMs!: number;
  /** Null when it responded. */
  error!: ModelTrialErrorView | null;
}

export function toServerModel({ provider, model, address, key }: ServerModelBody): ServerModelRequest {
  return { provider, model: model.trim(), address: address ?? null, ...(key !== undefined && { key }) };
}

export function presentServerModel({ variables, ...state }: ServerModelState): ServerModelView {
  return { ...state, variables: [...variables] };
}

export function presentTrial({ text, durationMs, error }: ModelTrial): ModelTrialView {
  return { answered: error === undefined, text, durationMs, error: error ?? null };
}
