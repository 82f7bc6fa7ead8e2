import { perform } from '../api/act.ts'
import type { Agent } from '../api/answers.ts'
import { call } from '../api/client.ts'
import { hrefOf, place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { Do } from '../ui/do.tsx'
import { Facts, Panel, Shown, Status, Table, When } from '../ui/parts.tsx'
import { LAUNCHES, reinstate, review, setLaunch, submit, suspend } from './acts.ts'

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
      <header class="page-head">
        <h1>Agents</h1>
      </header>
      <Panel title="Agents of this world">
        <Shown read={world}>
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
        </Shown>
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
        {agent.value && <Deeds agent={agent.value} />}
      </header>
      <Panel title="Launch per carrier">
        <Shown read={launch}>
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
                    <select
                      aria-label={`Launch on ${carrier}`}
                      value={status}
                      onChange={({ currentTarget }) =>
                        void perform(setLaunch(id, carrier, currentTarget.value as (typeof LAUNCHES)[number]))
                      }
                    >
                      {LAUNCHES.map((one) => (
                        <option key={one}>{one}</option>
                      ))}
                    </select>
                  ),
                },
              ]}
            />
          )}
        </Shown>
      </Panel>
      <Panel title="Details">
        <Shown read={agent}>
          {(one) => (
            <Facts
              of={Object.entries(one).map(([word, value]) => [
                word,
                value === null ? null : <bdi>{String(value)}</bdi>,
              ])}
            />
          )}
        </Shown>
      </Panel>
    </>
  )
}

/** What each status leaves possible (choices, "Agents"). */
function Deeds({ agent: { agent_id: id, status } }: { agent: Agent }) {
  const needs = (...wanted: string[]) =>
    wanted.includes(status) ? undefined : `It is ${status}; this needs one that is ${wanted.join(' or ')}.`
  return (
    <span class="choices">
      <Do act={submit(id)} because={needs('DRAFT', 'REJECTED')}>
        Submit
      </Do>
      <Do act={review(id, 'approved')} because={needs('PENDING_REVIEW')}>
        Approve
      </Do>
      <Do act={review(id, 'rejected')} because={needs('PENDING_REVIEW')}>
        Reject
      </Do>
      <Do act={suspend(id)} because={needs('APPROVED')} kind="danger">
        Suspend
      </Do>
      <Do act={reinstate(id)} because={needs('SUSPENDED')}>
        Reinstate
      </Do>
    </span>
  )
}
