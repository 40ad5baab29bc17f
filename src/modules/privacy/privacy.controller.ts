import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiErrors, FromCaller, UuidPipe, type Caller } from '../../core/http/index.js';
import { ForgetRequestView, presentExport, presentRequest, UserExportView } from './privacy.dto.js';
import { PrivacyService } from './privacy.service.js';

/** Export and forgetting of users, for the administrator and keys that vouch for the user. */
@Controller('api/users/:userId')
@ApiErrors('VALIDATION_ERROR', 'FORBIDDEN')
export class PrivacyController {
  constructor(private readonly privacy: PrivacyService) {}

  /** Everything that is known of a user. */
  @Get('export')
  export(@Param('userId', UuidPipe) id: string, @FromCaller() caller: Caller): UserExportView {
    const userId = id.toLowerCase();
    return presentExport(userId, this.privacy.export(caller, userId));
  }

  /**
   * Forgets a user: deletes or redacts everything that is known of the user.
   *
   * @remarks Runs in the background and survives restarts. Data that arrives after the request stays. While a request is not complete,
   * asking again returns it.
   */
  @Post('forget')
  @HttpCode(202)
  async forget(@Param('userId', UuidPipe) userId: string, @FromCaller() caller: Caller): Promise<ForgetRequestView> {
    return presentRequest(await this.privacy.forget(caller, userId.toLowerCase()));
  }

  /** The progress and the report of a request to forget a user. */
  @Get('forget/:requestId')
  @ApiErrors('FORGET_REQUEST_NOT_FOUND')
  async request(
    @Param('userId', UuidPipe) userId: string,
    @Param('requestId', UuidPipe) requestId: string,
    @FromCaller() caller: Caller,
  ): Promise<ForgetRequestView> {
    return presentRequest(await this.privacy.request(caller, userId.toLowerCase(), requestId.toLowerCase()));
  }
}
