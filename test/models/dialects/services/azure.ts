import { completions, DONE, events, type DialectService } from '../wire.js';

const SAFE = { hate: { filtered: false, severity: 'safe' }, violence: { filtered: false, severity: 'safe' } };
const { chunk, delta, end, usage } = completions('gpt-4o-2024-11-20', { system_fingerprint: 'fp_az' });
const prompt = {
  ...chunk([], { prompt_filter_results: [{ prompt_index: 0, content_filter_results: SAFE }] }),
  id: '',
  model: '',
  created: 0,
  object: '',
};
const filtered = (content: string) =>
  chunk([{ index: 0, delta: { content }, finish_reason: null, content_filter_results: SAFE, logprobs: null }]);

export const AZURE: DialectService = {
  name: 'Azure',
  provider: 'openai',
  model: 'gpt-4o',
  cases: [
    {
      quirk: 'results of the content filter before and beside the text',
      body: events(
        prompt,
        delta({ role: 'assistant', content: '', refusal: null }),
        filtered('Checked '),
        filtered('words.'),
        end(),
        usage(12, 2),
        DONE,
      ),
      reads: 'Checked words.',
    },
    {
      quirk: 'asynchronous filter results without a delta',
      body: events(
        prompt,
        filtered('First.'),
        chunk([
          {
            index: 0,
            finish_reason: null,
            content_filter_results: SAFE,
            content_filter_offsets: { check_offset: 1, start_offset: 1, end_offset: 6 },
          },
        ]),
        end(),
        DONE,
      ),
      reads: 'First.',
    },
    {
      quirk: 'an answer that the filter ends',
      body: events(
        prompt,
        filtered('Once upon '),
        chunk([
          {
            index: 0,
            delta: {},
            finish_reason: 'content_filter',
            content_filter_results: { violence: { filtered: true, severity: 'high' } },
          },
        ]),
        DONE,
      ),
      reads: 'Once upon ',
      reason: 'content-filter',
    },
    {
      quirk: 'a message that the filter refuses',
      type: 'application/json',
      status: 400,
      body: JSON.stringify({
        error: {
          message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
          type: null,
          param: 'prompt',
          code: 'content_filter',
          status: 400,
          innererror: { code: 'ResponsibleAIPolicyViolation', content_filter_result: { violence: { filtered: true, severity: 'medium' } } },
        },
      }),
      reads: '',
      fault: 'request',
    },
    {
      quirk: 'an unknown deployment',
      type: 'application/json',
      status: 404,
      body: JSON.stringify({ error: { code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' } }),
      reads: '',
      fault: 'model',
    },
  ],
};
