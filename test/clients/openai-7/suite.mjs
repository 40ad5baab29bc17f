// The newest release of the client of OpenAI, which needs Node.js 22.
import OpenAI, { toFile } from 'openai';
import { zodFunction, zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { runOpenAiSuite } from '../support/openai/suite.mjs';

await runOpenAiSuite({ OpenAI, toFile, zodFunction, zodResponseFormat, zodTextFormat, z });
