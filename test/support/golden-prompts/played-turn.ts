import type { ChatMessage, ChatRequest } from '../../../src/providers/models/index.js';
import type { ApiResponse } from '../api-client.js';

/** A text, or its lines when it has several: differences between long prompts are then read line by line. */
type Text = string | string[];

/** What the model was asked in a turn, and what the runs of the turn say of it. */
export interface PlayedTurn {
  readonly requests: readonly object[];
  readonly runs: readonly object[];
}

/** @param withGrounding whether the model is the offline responder, which alone reads it */
export function presentRequest(request: ChatRequest, withGrounding: boolean): object {
  const { messages, tools, grounding, ...options } = request;
  return {
    ...options,
    ...(tools ? { tools: tools.map(({ name }) => name) } : {}),
    ...(withGrounding ? { grounding } : {}),
    messages: messages.map(presentMessage),
  };
}

function presentMessage(message: ChatMessage): object {
  const { content, ...rest } = message;
  const files = message.role === 'user' ? message.files : undefined;
  return {
    ...rest,
    content: linesOf(content),
    ...(files ? { files: files.map(({ name, mediaType, data }) => ({ name, mediaType, size: data.length })) } : {}),
  };
}

function linesOf(text: string): Text {
  return text.includes('\n') ? text.split('\n') : text;
}

/** @param run of `GET /api/agents/{agentId}/runs/{runId}` */
export function presentRun({ summary, context }: ApiResponse['body']): object {
  const { agentName: agent, status } = summary;
  if (context === null) return { agent, status, context };
  const { tokens, budgets, conversation, share, readTokens, memories, documents, leftOut, profile } = context;
  const counts = { memories: memories.length, documents: documents.length, leftOut: leftOut.length, profile: profile.length };
  const summarised = context.summary?.messages ?? null;
  return { agent, status, share, readTokens: readTokens ?? undefined, tokens, budgets, conversation, summarised, ...counts };
}
