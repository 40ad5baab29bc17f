import { createSecretKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { errors, jwtVerify, type JWTPayload } from 'jose';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { isUuid, userIdOf } from '../../core/ids/index.js';

const ALGORITHM = 'HS256';
/** Required value of `aud`, if a token has one. */
const AUDIENCE = 'parley';
const MAX_LIFETIME_SECONDS = 86_400;
const MAX_TOKEN_LENGTH = 4096;
const MAX_AGENTS = 100;
/** What a backend signs when its variable is empty: it would be one user for all people. */
const NO_USER = /^\s*(undefined|null|NaN|None|\[object \w+\])?\s*$/;
const SHAPE = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Claims of a user token. Ids are in lower case. */
export interface UserClaims {
  readonly userId: string;
  /** Epoch ms. */
  readonly expiresAt: number;
  /** The agents to which the user is limited; undefined for no limit. */
  readonly agents?: readonly string[];
}

/** A user token is invalid; the message says why. */
export class InvalidUserToken extends Error {}

/** User tokens: JSON Web Tokens that an app's backend signs with a shared secret. They are not stored. */
@Injectable()
export class UserTokens {
  private readonly secrets: readonly KeyObject[];

  constructor(
    @Inject(CONFIG) { userTokenSecret, userTokenSecretPrevious }: Config,
    private readonly clock: Clock,
  ) {
    const secrets = userTokenSecret === undefined ? [] : [userTokenSecret, ...userTokenSecretPrevious];
    this.secrets = secrets.map((secret) => createSecretKey(Buffer.from(secret)));
  }

  /** Whether a credential has the shape of a user token; always false without USER_TOKEN_SECRET. */
  looksLikeToken(text: string): boolean {
    return this.secrets.length > 0 && SHAPE.test(text);
  }

  /** @throws InvalidUserToken */
  async verify(token: string): Promise<UserClaims> {
    if (token.length > MAX_TOKEN_LENGTH) throw new InvalidUserToken(`The user token has more than ${MAX_TOKEN_LENGTH} characters`);
    return this.readClaims(await this.verifySignature(token));
  }

  private async verifySignature(token: string): Promise<JWTPayload> {
    let failure: unknown;
    for (const secret of this.secrets) {
      try {
        const options = { algorithms: [ALGORITHM], requiredClaims: ['sub', 'exp'], currentDate: new Date(this.clock.now()) };
        return (await jwtVerify(token, secret, options)).payload;
      } catch (error) {
        failure ??= error;
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) {
          failure = error;
          break;
        }
      }
    }
    throw new InvalidUserToken(refusalOf(failure));
  }

  private readClaims({ sub, exp = 0, iat, aud, agents }: JWTPayload): UserClaims {
    if (typeof sub !== 'string' || NO_USER.test(sub)) throw new InvalidUserToken('The user token must name its user in "sub"');
    if (aud !== undefined && ![aud].flat().includes(AUDIENCE)) throw new InvalidUserToken('The user token is for another audience');
    // Without "iat", only the remaining lifetime is known.
    if (exp - Math.min(iat ?? Infinity, this.clock.now() / 1000) > MAX_LIFETIME_SECONDS) {
      throw new InvalidUserToken('The user token is valid for more than 24 hours');
    }
    if (agents !== undefined && !(Array.isArray(agents) && agents.length > 0 && agents.length <= MAX_AGENTS && agents.every(isUuid))) {
      throw new InvalidUserToken(`The user token must name its agents in "agents" by a list of 1 to ${MAX_AGENTS} UUIDs`);
    }
    return {
      userId: userIdOf(sub),
      expiresAt: Math.floor(exp * 1000),
      ...(agents === undefined ? {} : { agents: agents.map((id) => id.toLowerCase()) }),
    };
  }
}

function refusalOf(failure: unknown): string {
  if (failure instanceof errors.JWTExpired) return 'The user token has expired';
  if (failure instanceof errors.JWTClaimValidationFailed) {
    if (failure.claim === 'nbf' && failure.reason === 'check_failed') return 'The user token is not valid yet';
    return `The user token has no valid "${failure.claim}"`;
  }
  if (failure instanceof errors.JOSEAlgNotAllowed) return `The user token is not signed with ${ALGORITHM}`;
  if (failure instanceof errors.JWSSignatureVerificationFailed) return 'The signature of the user token is wrong';
  return 'The user token is not a valid JSON Web Token';
}
