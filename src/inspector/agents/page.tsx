import { LAUNCH_STATUSES } from '../../words/statuses.ts'
import type { AgentAnswer } from '../api/answers.ts'
import { call } from '../api/client.ts'
import { tryPerform } from '../api/page-action.ts'
import { go, hrefOf, place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { allowsMedia, MediaSwitch } from '../handset/media-switch.tsx'
import { Logo } from '../handset/phone.tsx'
import { ActionButton } from '../ui/action-button.tsx'
import { ContractForm } from '../ui/contract-form.tsx'
import { Select } from '../ui/fields.tsx'
import { Empty, Facts, Id, Loaded, PageHead, Panel, Status, Table, When } from '../ui/parts.tsx'
import { reinstate, review, setLaunch, submit, suspend } from './actions.ts'

export function AgentsPage() {
  const { id } = place.value
  return id === undefined ? <Agents /> : <OneAgent id={id} key={id} />
}

interface Listed {
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
      <Panel title="All agents">
        <Loaded read={world}>
          {({ agents }) => (
            <Table
              label="Agents"
              rows={agents as unknown as Listed[]}
              keyOf={({ agent_id }) => agent_id}
              columns={[
                {
                  title: 'Name',
                  cell: ({ agent_id, display_name }) => (
                    <a data-row href={hrefOf({ page: 'agents', id: agent_id })}>
                      <bdi>{display_name ?? agent_id}</bdi>
                    </a>
                  ),
                },
                { title: 'Status', cell: ({ status }) => <Status of={status} /> },
                { title: 'Use case', cell: ({ use_case }) => use_case },
                { title: 'Launched on', cell: ({ launched_on }) => launched_on.join(', ') || '–' },
                { title: 'Id', cell: ({ agent_id }) => <Id of={agent_id} /> },
              ]}
            />
          )}
        </Loaded>
      </Panel>
      <div class="columns even">
        <Panel title="Create an agent">
          <details>
            <summary>Draft, which goes through review</summary>
            <ContractForm noun="agents" verb="create" button="Create draft" then={openAgent} />
          </details>
          <details>
            <summary>Live at once: approved and launched</summary>
            <ContractForm noun="agents" verb="provision" button="Create live agent" then={openAgent} />
          </details>
        </Panel>
        <TestAgent />
      </div>
    </>
  )
}

const openAgent = ({ agent_id }: { agent_id: string }) => go({ page: 'agents', id: agent_id })

/** The Test Agent, which sends to one verified phone. */
function TestAgent() {
  const read = useRead('test agent', () => call('testAgent', 'status'), { everyMs: 2_000 })
  return (
    <Panel title="Test Agent">
      <Loaded read={read}>
        {({ phone, verified, code_expires_at, messages_used, messages_left }) => (
          <>
            <Facts
              of={[
                ['Phone', phone && <a href={hrefOf({ page: 'handsets', id: phone })}>{phone}</a>],
                ['Verified', verified ? 'yes' : 'no'],
                ['Code valid until', code_expires_at && <When at={code_expires_at} full />],
                ['Messages', `${messages_used} used, ${messages_left} left`],
              ]}
            />
            <details>
              <summary>Register a phone</summary>
              <ContractForm
                noun="testAgent"
                verb="register"
                button="Send code"
                describe={() => 'The phone shows the code.'}
              />
            </details>
            <details>
              <summary>Verify the code</summary>
              <ContractForm noun="testAgent" verb="verify" {...(phone ? { initial: { phone } } : {})} button="Verify" />
            </details>
            <details>
              <summary>Send a message</summary>
              <ContractForm
                noun="testAgent"
                verb="send"
                {...(phone ? { initial: { to: phone } } : {})}
                button="Send"
                describe={({ message_id }: { message_id: string }) => `Sent as ${message_id}.`}
              />
            </details>
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function OneAgent({ id }: { id: string }) {
  const agent = useRead(`agent ${id}`, () => call('agents', 'get', id), { everyMs: 2_000 })
  const launch = useRead(`launch ${id}`, () => call('agents', 'launch', id), { everyMs: 2_000 })
  return (
    <>
      <PageHead
        title={agent.value?.display_name ?? `Agent ${id}`}
        back={{ href: hrefOf({ page: 'agents' }), title: 'Agents' }}
      >
        {agent.value && <Status of={agent.value.status} />}
        <span class="space" />
        {agent.value && <AgentActions agent={agent.value} />}
      </PageHead>
      <Panel title="Launch per carrier">
        <Loaded read={launch}>
          {({ carriers }) => (
            <Table
              label="Launch per carrier"
              rows={carriers}
              keyOf={({ carrier }) => carrier}
              empty="Carriers are asked once the agent is approved."
              columns={[
                { title: 'Carrier', cell: ({ carrier }) => carrier },
                { title: 'Status', cell: ({ status }) => <Status of={status} /> },
                { title: 'Launched', cell: ({ launched_at }) => <When at={launched_at} full /> },
                { title: 'Rejection reason', cell: ({ rejection_reason }) => rejection_reason ?? '–' },
                {
                  title: 'Change',
                  cell: ({ carrier, status }) => (
                    <Select
                      label={`Launch on ${carrier}`}
                      value={status}
                      options={LAUNCH_STATUSES}
                      choose={(chosen) => void tryPerform(setLaunch(id, carrier, chosen))}
                    />
                  ),
                },
              ]}
            />
          )}
        </Loaded>
      </Panel>
      <Loaded read={agent}>
        {(one) => (
          <div class="columns even">
            <Panel title="Brand" aside={<MediaSwitch />}>
              <Brand of={one} />
            </Panel>
            <Panel title="Edit">
              {one.status === 'DRAFT' || one.status === 'REJECTED' ? (
                <ContractForm
                  noun="agents"
                  verb="update"
                  fixed={{ id }}
                  initial={one}
                  only={EDITABLE}
                  button="Save"
                  describe={() => 'Saved.'}
                />
              ) : (
                <Empty>The agent is {one.status}. Only a draft or rejected agent can be edited.</Empty>
              )}
            </Panel>
          </div>
        )}
      </Loaded>
    </>
  )
}

const EDITABLE = [
  'use_case',
  'display_name',
  'description',
  'color',
  'logo_url',
  'banner_url',
  'phone',
  'email',
  'website',
  'privacy_policy_url',
  'terms_of_service_url',
] as const

/** The brand as users see it, then the fields that are set. */
const Brand = ({ of: one }: { of: AgentAnswer }) => (
  <>
    <p class="brand-card">
      <Logo
        sender={{ name: one.display_name ?? '?', isVerified: false, color: one.color, logoUrl: one.logo_url }}
        allowsMedia={allowsMedia}
      />
      <span>
        <strong>
          <bdi>{one.display_name ?? 'No name yet'}</bdi>
        </strong>
        <br />
        <bdi class="quiet">{one.description ?? 'No description yet'}</bdi>
      </span>
    </p>
    <Facts
      of={Object.entries(one)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => [name.replaceAll('_', ' '), <bdi>{String(value)}</bdi>] as const)}
    />
  </>
)

/** The actions of each status (choices, "Agents and campaigns"). */
function AgentActions({ agent: { agent_id: id, status } }: { agent: AgentAnswer }) {
  const needs = (...wanted: string[]) =>
    wanted.includes(status) ? undefined : `The agent is ${status}. This needs status ${wanted.join(' or ')}.`
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
