import { AttachmentsPart } from './attachments.part.js';
import { CallerPart } from './caller.part.js';
import { CharacterPart } from './character.part.js';
import { ConversationPart } from './conversation.part.js';
import { DocumentsPart } from './documents.part.js';
import { InstructionPart } from './instruction.part.js';
import { MessagePart } from './message.part.js';
import { ProfilePart } from './profile.part.js';
import { ProvidersPart } from './providers.part.js';
import { RecallPart } from './recall.part.js';
import { SummaryPart } from './summary.part.js';

/** The parts of a prompt, in their order: sections of the system message, then messages. */
export const PROMPT_PARTS = [
  CharacterPart,
  CallerPart,
  ProfilePart,
  DocumentsPart,
  AttachmentsPart,
  RecallPart,
  SummaryPart,
  InstructionPart,
  ProvidersPart,
  ConversationPart,
  MessagePart,
] as const;
