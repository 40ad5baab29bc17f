import type { Message } from './messages.types.js';

/** The attachments of a message, from `rawMessage` or `metadata`; objects of any shape. */
export function attachmentsOf({ rawMessage, metadata }: Pick<Message, 'rawMessage' | 'metadata'>): Record<string, unknown>[] {
  const attachments: unknown = rawMessage?.['attachments'] ?? metadata['attachments'];
  if (!Array.isArray(attachments)) return [];
  return attachments.filter((each): each is Record<string, unknown> => typeof each === 'object' && each !== null);
}
