import { applyDecorators, Inject, Injectable, SetMetadata, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import { ApiErrors } from '../../core/http/index.js';
import type { Protocol } from './protocol.js';

const OF_PROTOCOLS = 'parley:of-protocols';

@Injectable()
@ApiErrors('NOT_FOUND')
class ProtocolGuard implements CanActivate {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  canActivate(context: ExecutionContext): true {
    const protocols = Reflect.getMetadata(OF_PROTOCOLS, context.getClass()) as readonly Protocol[];
    if (protocols.some((protocol) => this.config.protocols.includes(protocol))) return true;
    throw new AppError(
      'NOT_FOUND',
      `The protocol ${protocols.join(' or ')} is switched off on this server.`,
      `An operator switches it on by naming ${protocols.join(' or ')} in the setting PROTOCOLS.`,
    );
  }
}

/** Declares which protocols a controller serves. While all of them are switched off (PROTOCOLS), its operations are 404, after the checks of access. */
export const ForProtocol = (...protocols: Protocol[]): ClassDecorator =>
  applyDecorators(SetMetadata(OF_PROTOCOLS, protocols), UseGuards(ProtocolGuard));
