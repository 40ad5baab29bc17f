import { SetMetadata, type Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import type { ModulesContainer } from '@nestjs/core';
import type { AppError } from '../errors/index.js';

const ERROR_FORMAT = 'parley:error-format';

/** Builds the JSON body of an error response. Status and headers follow from the error and are the same in every format. */
export type ToErrorBody = (failure: AppError, requestId: string | undefined) => object;

/**
 * Declares the error format of a protocol on its controller. It applies to every failure at or below the controller's path, including
 * those of guards, pipes and the body parser, and to unknown paths there. All other paths use the envelope. Such a controller therefore
 * needs a path of its own.
 *
 * @param view class of the body, for the OpenAPI document
 */
export const ErrorFormat = (toBody: ToErrorBody, view?: Type): ClassDecorator => SetMetadata(ERROR_FORMAT, { toBody, view });

/** An error format as a controller declares it. */
export interface DeclaredFormat {
  readonly toBody: ToErrorBody;
  /** Class of the body, for the OpenAPI document. */
  readonly view?: Type;
}

/** The error format that a controller declares; undefined for the envelope. */
export function errorFormatOf(controller: Type): DeclaredFormat | undefined {
  return Reflect.getMetadata(ERROR_FORMAT, controller) as DeclaredFormat | undefined;
}

/** Error formats of the controllers of an application, by path. */
export class ErrorFormats {
  private byPrefix?: readonly (readonly [prefix: string, toBody: ToErrorBody])[];

  constructor(private readonly modules: ModulesContainer) {}

  /** @returns the format of the longest matching path; undefined for the envelope */
  of(path: string): ToErrorBody | undefined {
    this.byPrefix ??= [...this.modules.values()]
      .flatMap(({ controllers }) => [...controllers.values()])
      .flatMap(({ metatype }) => declared(metatype as Type))
      .sort(([one], [other]) => other.length - one.length);
    const asked = `${path.toLowerCase()}/`;
    return this.byPrefix.find(([prefix]) => asked.startsWith(prefix))?.[1];
  }
}

function declared(controller: Type): (readonly [string, ToErrorBody])[] {
  const format = errorFormatOf(controller);
  if (format === undefined) return [];
  const paths = [Reflect.getMetadata(PATH_METADATA, controller) as string | string[]].flat();
  return paths.map((path) => [`/${path.replace(/^\/|\/$/g, '').toLowerCase()}/`, format.toBody] as const);
}
