import { Transform } from 'class-transformer';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import { IfPresent, IsUuidText } from '../../../core/http/index.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from './deliveries.types.js';

export class DeliveriesQuery {
  @IfPresent()
  @IsIn(DELIVERY_STATUSES)
  status?: DeliveryStatus;

  @IfPresent()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value))
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number;

  @IfPresent()
  @IsUuidText()
  before?: string;
}
