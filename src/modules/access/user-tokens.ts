import { createSecretKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { errors, jwtVerify, type JWTPayload } from 'jose';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { isUuid } from '../../core/ids/index.js';

const ALGORITHM = 'HS256';
/** What `aud` has to name when a token has one. */
const AUDIENCE = 'parley';
const LONGEST_LIFE_SECONDS = 86_400;
const LONGEST_TOKEN = 4096;
const MOST_AGENTS = 100;
const SHAPE = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** What a user token says. Ids are in lower case. */
export interface UserClaims {
  readonly userId: string;
  /** Epoch ms. */
  readonly expiresAt: number;
  /** The only agents that its user may have to do with; undefined when there is no limit. */
  readonly agents?: readonly string[];
}

/** Why a user token is refused. */
export class UserTokenRefused extends Error {}

/** Tokens that an app's backend signs for its users: JSON Web Tokens with a shared secret. Nothing of them is stored. */
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

  /** Whether a text is to be taken for a user token. Without USER_TOKEN_SECRET none is. */
  mayBe(text: string): boolean {
    return this.secrets.length > 0 && SHAPE.test(text);
  }

  /** @throws UserTokenRefused for every token that is not as the guide says */
  async read(token: string): Promise<UserClaims> {
    if (token.length > LONGEST_TOKEN) throw new UserTokenRefused(`The user token has more than ${LONGEST_TOKEN} characters`);
    return this.claimsOf(await this.verified(token));
  }

  private async verified(token: string): Promise<JWTPayload> {
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
    throw new UserTokenRefused(reasonOf(failure));
  }

  private claimsOf({ sub, exp = 0, iat, aud, agents }: JWTPayload): UserClaims {
    if (!isUuid(sub)) throw new UserTokenRefused('The user token must name its user in "sub" by a UUID');
    if (aud !== undefined && ![aud].flat().includes(AUDIENCE)) throw new UserTokenRefused('The user token is for another audience');
    // Without "iat" the life that is left is what is known of it.
    if (exp - Math.min(iat ?? Infinity, this.clock.now() / 1000) > LONGEST_LIFE_SECONDS) {
      throw new UserTokenRefused('The user token lives longer than 24 hours');
    }
    if (agents !== undefined && !(Array.isArray(agents) && agents.length > 0 && agents.length <= MOST_AGENTS && agents.every(isUuid))) {
      throw new UserTokenRefused(`The user token must name its agents in "agents" by a list of 1 to ${MOST_AGENTS} UUIDs`);
    }
    return {
      userId: sub.toLowerCase(),
      expiresAt: exp * 1000,
      ...(agents === undefined ? {} : { agents: agents.map((id) => id.toLowerCase()) }),
    };
  }
}

function reasonOf(failure: unknown): string {
  if (failure instanceof errors.JWTExpired) return 'The user token has expired';
  if (failure instanceof errors.JWTClaimValidationFailed) {
    if (failure.claim === 'nbf' && failure.reason === 'check_failed') return 'The user token is not valid yet';
    return `The user token has no "${failure.claim}" that can be used`;
  }
  if (failure instanceof errors.JOSEAlgNotAllowed) return `The user token is not signed with ${ALGORITHM}`;
  if (failure instanceof errors.JWSSignatureVerificationFailed) return 'The signature of the user token is wrong';
  return 'The user token is no JSON Web Token that can be read';
}
