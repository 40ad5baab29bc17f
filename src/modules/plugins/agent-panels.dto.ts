/** A page that a plugin offers for an agent. */
export class AgentPanelView {
  /** Name of the route. */
  name!: string;
  /** Where it is, relative to the server's address. */
  path!: string;
  /** The same as `path`. */
  url!: string;
  /** Always `plugin`. */
  type!: string;
}
