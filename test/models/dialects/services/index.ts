import type { DialectService } from '../wire.js';
import { ANTHROPIC } from './anthropic.js';
import { AZURE } from './azure.js';
import { DEEPSEEK } from './deepseek.js';
import { GEMINI } from './gemini.js';
import { GROQ } from './groq.js';
import { LLAMA_CPP } from './llama-cpp.js';
import { LM_STUDIO } from './lm-studio.js';
import { MISTRAL } from './mistral.js';
import { OLLAMA } from './ollama.js';
import { OPENAI } from './openai.js';
import { OPENROUTER } from './openrouter.js';
import { VLLM } from './vllm.js';

export const SERVICES: readonly DialectService[] = [
  ...[OPENAI, AZURE, ANTHROPIC, GEMINI, MISTRAL, DEEPSEEK],
  ...[GROQ, OPENROUTER, VLLM, LLAMA_CPP, OLLAMA, LM_STUDIO],
];
