/** What went wrong, in OpenAI's protocol. */
export class OpenAiErrorDetailView {
  /** The cause and a remedy. */
  message!: string;
  /** The kind of error, such as `invalid_request_error`. */
  type!: string;
  /** Name of the field at fault. */
  param!: string | null;
  /** An entry of docs/reference/errors.md in lower case, or a code of OpenAI: `model_not_found`, `invalid_api_key`. */
  code!: string | null;
}

/** Body of a failed request in OpenAI's protocol. */
export class OpenAiErrorView {
  error!: OpenAiErrorDetailView;
}
