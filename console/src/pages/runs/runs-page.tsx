import './runs.css';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { PageProps } from '../../page-props.js';
import { watchAgents } from '../../store/agents.js';
import { RunList } from './run-list.js';
import { RunPage } from './run-page.js';

export default function RunsPage({ params }: PageProps): JSX.Element {
  useEffect(watchAgents, []);
  const { agentId, runId } = params;
  return agentId !== undefined && runId !== undefined ? <RunPage agentId={agentId} runId={runId} /> : <RunList />;
}
