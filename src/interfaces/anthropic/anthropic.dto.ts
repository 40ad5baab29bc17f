/** What went wrong, in Anthropic's protocol. */
export class AnthropicErrorDetailView {
  /** The kind of error, such as `invalid_request_error`. */
  type!: string;
  /** The cause and a remedy. */
  message!: string;
  details!: AnthropicErrorCodeView;
}

export class AnthropicErrorCodeView {
  /** An entry of docs/reference/errors.md in lower case. */
  error_code!: string;
}

/** Body of a failed request in Anthropic's protocol. */
export class AnthropicErrorView {
  type!: 'error';
  error!: AnthropicErrorDetailView;
  request_id!: string | null;
}
