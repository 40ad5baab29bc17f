import { describe, expect, it } from '@jest/globals';
import { isDocumentModel, isVisionModel } from './model-capabilities.js';

describe('seesImages', () => {
  it.each([
    'gpt-4o-mini',
    'gpt-4.1',
    'gpt-5-nano',
    'openai/gpt-4o',
    'o3',
    'claude-sonnet-4-5',
    'claude-3-5-haiku-latest',
    'anthropic/claude-opus-4',
    'gemini-2.5-flash',
    'llava:13b',
    'llama3.2-vision',
    'llama4:scout',
    'qwen2.5vl:7b',
    'qwen3-vl',
    'gemma3:4b',
    'pixtral-12b',
    'mistral-small3.2',
    'granite3.2-vision:2b',
  ])('returns true for %s', (name) => expect(isVisionModel(name)).toBe(true));

  it.each([
    'llama3.2',
    'gpt-3.5-turbo',
    'gpt-4o-audio-preview',
    'o1-mini',
    'o3-mini',
    'mistral',
    'qwen3:8b',
    'gemma3:1b',
    'deepseek-r1',
    'phi4',
    'claude-2.1',
    'offline',
    '',
  ])('returns false for %p', (name) => expect(isVisionModel(name)).toBe(false));
});

describe('readsDocuments', () => {
  it.each(['gpt-4o', 'gpt-4.1-mini', 'openai/gpt-5', 'o4-mini', 'claude-3-5-haiku-latest', 'claude-sonnet-4-5', 'gemini-2.5-pro'])(
    'returns true for %s',
    (name) => expect(isDocumentModel(name)).toBe(true),
  );

  it.each(['gpt-4-turbo', 'gpt-3.5-turbo', 'o3-mini', 'claude-3-haiku-20240307', 'llava:13b', 'qwen2.5vl:7b', 'offline'])(
    'returns false for %s',
    (name) => expect(isDocumentModel(name)).toBe(false),
  );
});
