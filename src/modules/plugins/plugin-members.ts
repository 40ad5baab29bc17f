import { z } from 'zod';
import { similarName } from '../../core/spelling/index.js';

/** A member of a plugin, or of one of its parts, that Parley does not read. */
interface UnreadMember {
  /** Such as `routes.0.handlr`. */
  readonly path: string;
  /** The member that was probably meant. */
  readonly suggestion?: string;
}

/**
 * Members of an object that its schema does not name, with those of nested objects. Plugins of elizaOS and
 * instances of classes have members of their own, which resemble none of the schema.
 */
export function unreadMembers(schema: unknown, value: unknown, path: readonly string[] = []): UnreadMember[] {
  if (typeof value !== 'object' || value === null) return [];
  if (schema instanceof z.ZodOptional) return unreadMembers(schema.unwrap(), value, path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => unreadMembers(option, value, path));
  const entries = Object.entries(value);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return entries.flatMap(([index, item]) => unreadMembers(schema.element, item, [...path, index]));
  }
  if (schema instanceof z.ZodRecord) return entries.flatMap(([name, item]) => unreadMembers(schema.valueType, item, [...path, name]));
  if (!(schema instanceof z.ZodObject) || Array.isArray(value)) return [];
  const shape: Record<string, unknown> = schema.shape;
  return entries.flatMap(([name, item]) => {
    const at = [...path, name];
    if (Object.hasOwn(shape, name)) return unreadMembers(shape[name], item, at);
    return [{ path: at.join('.'), suggestion: similarName(name, Object.keys(shape)) }];
  });
}
