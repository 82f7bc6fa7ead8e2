import { LAUNCH_STATUSES } from '../../words/statuses.ts'
import type { AgentAnswer } from '../api/answers.ts'
import { call } from '../api/client.ts'
import { perform } from '../api/page-action.ts'
import { hrefOf, place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { Select } from '../ui/fields.tsx'
import { Facts, Loaded, PageHead, Panel, Status, Table, When } from '../ui/parts.tsx'
import { reinstate, review, setLaunch, submit, suspend } from './actions.ts'

export function AgentsPage() {
  const { id } = place.value
  return id === undefined ? <Agents /> : <OneAgent id={id} key={id} />
}

interface Known {
  agent_id: string
  display_name: string | null
  status: string
  use_case: string
  launched_on: string[]
}

function Agents() {
  const world = useRead('agents', () => call('world', 'show'), { everyMs: 2_000 })
  return (
    <>
      <PageHead title="Agents" />
      <Panel title="Agents of this world">
        <Loaded read={world}>
          {({ agents }) => (
            <Table
              label="Agents"
              rows={agents as unknown as Known[]}
              keyOf={({ agent_id }) => agent_id}
              columns={[
                {
                  title: 'Name',
                  cell: ({ agent_id, display_name }) => (
                    <a href={hrefOf({ page: 'agents', id: agent_id })}>{display_name ?? agent_id}</a>
                  ),
                },
                { title: 'Status', cell: ({ status }) => <Status of={status} /> },
                { title: 'Use case', cell: ({ use_case }) => use_case },
                { title: 'Launched on', cell: ({ launched_on }) => launched_on.join(', ') || '–' },
                { title: 'Id', cell: ({ agent_id }) => <code>{agent_id}</code> },
              ]}
            />
          )}
        </Loaded>
      </Panel>
    </>
  )
}

function OneAgent({ id }: { id: string }) {
  const agent = useRead(`agent ${id}`, () => call('agents', 'get', id), { everyMs: 2_000 })
  const launch = useRead(`launch ${id}`, () => call('agents', 'launch', id), { everyMs: 2_000 })
  return (
    <>
      <header class="page-head">
        <a href={hrefOf({ page: 'agents' })}>← Agents</a>
        <h1>
          <bdi>{agent.value?.display_name ?? id}</bdi>
        </h1>
        {agent.value && <Status of={agent.value.status} />}
        <span class="space" />
        {agent.value && <AgentActions agent={agent.value} />}
      </header>
      <Panel title="Launch per carrier">
        <Loaded read={launch}>
          {({ carriers }) => (
            <Table
              label="Launch per carrier"
              rows={carriers}
              keyOf={({ carrier }) => carrier}
              empty="No carrier is asked before the agent is approved."
              columns={[
                { title: 'Carrier', cell: ({ carrier }) => carrier },
                { title: 'Status', cell: ({ status }) => <Status of={status} /> },
                { title: 'Launched', cell: ({ launched_at }) => <When at={launched_at} full /> },
                { title: 'Why not', cell: ({ rejection_reason }) => rejection_reason ?? '–' },
                {
                  title: 'Change',
                  cell: ({ carrier, status }) => (
                    <Select
                      label={`Launch on ${carrier}`}
                      value={status}
                      options={LAUNCH_STATUSES}
                      choose={(chosen) => void perform(setLaunch(id, carrier, chosen))}
                    />
                  ),
                },
              ]}
            />
          )}
        </Loaded>
      </Panel>
      <Panel title="Details">
        <Loaded read={agent}>
          {(one) => (
            <Facts
              of={Object.entries(one).map(([word, value]) => [
                word,
                value === null ? null : <bdi>{String(value)}</bdi>,
              ])}
            />
          )}
        </Loaded>
      </Panel>
    </>
  )
}

/** The actions of each status (choices, "Agents and campaigns"). */
function AgentActions({ agent: { agent_id: id, status } }: { agent: AgentAnswer }) {
  const needs = (...wanted: string[]) =>
    wanted.includes(status) ? undefined : `It is ${status}; this needs one that is ${wanted.join(' or ')}.`
  return (
    <span class="choices">
      <ActionButton act={submit(id)} because={needs('DRAFT', 'REJECTED')}>
        Submit
      </ActionButton>
      <ActionButton act={review(id, 'approved')} because={needs('PENDING_REVIEW')}>
        Approve
      </ActionButton>
      <ActionButton act={review(id, 'rejected')} because={needs('PENDING_REVIEW')}>
        Reject
      </ActionButton>
      <ActionButton act={suspend(id)} because={needs('APPROVED')} kind="danger">
        Suspend
      </ActionButton>
      <ActionButton act={reinstate(id)} because={needs('SUSPENDED')}>
        Reinstate
      </ActionButton>
    </span>
  )
}
