import { IsIn, Matches } from 'class-validator';
import { IfPresent, IsUuidText } from '../../../core/http/index.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from './deliveries.types.js';

export class DeliveriesQuery {
  @IfPresent()
  @IsIn(DELIVERY_STATUSES)
  status?: DeliveryStatus;

  @IfPresent()
  @Matches(/^([1-9]\d?|1\d\d|200)$/, { message: 'limit must be a whole number from 1 to 200' })
  limit?: string;

  /** Id of a delivery; it and newer ones are left out. */
  @IfPresent()
  @IsUuidText()
  before?: string;
}
