/** A page that a plugin provides for an agent. */
export class AgentPanelView {
  /** Name of the route. */
  name!: string;
  /** URL path of the page. */
  path!: string;
  /** Same as `path`. */
  url!: string;
  /** Always `plugin`. */
  type!: string;
}
