import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { AppError } from '../../core/errors/index.js';
import { ACCESS, type Access, type HttpRequest } from '../../core/http/index.js';
import { AccessService } from './access.service.js';

/** Stands before every HTTP operation. What an operation needs is written on it by the decorators of `core/http`. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly access: AccessService) {}

  canActivate(context: ExecutionContext): boolean {
    if (!this.access.required || context.getType() !== 'http') return true;
    const rule = (Reflect.getMetadata(ACCESS, context.getHandler()) ?? Reflect.getMetadata(ACCESS, context.getClass())) as
      Access | undefined;
    if (rule === 'public' || (rule === 'session-start' && this.access.sessionStartIsOpen)) return true;
    const request = context.switchToHttp().getRequest<HttpRequest>();
    if (this.access.allows({ apiKey: request.get('x-api-key'), authorization: request.get('authorization') })) return true;
    throw new AppError('UNAUTHORIZED', 'API key required', 'Send the API key as X-API-KEY or Authorization: Bearer.');
  }
}
