/** Where a service is and how it is entered. */
export interface Service {
  readonly name: string;
  readonly baseUrl: string;
  readonly key?: string;
}
