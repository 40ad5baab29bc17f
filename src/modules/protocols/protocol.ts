/** Protocols of others that this server speaks, besides its own interfaces. */
export const PROTOCOLS = ['openai', 'anthropic', 'ai-sdk'] as const;
export type Protocol = (typeof PROTOCOLS)[number];
