import { LAUNCH_STATUSES } from '../../words/statuses.ts'
import type { AgentAnswer } from '../api/answers.ts'
import { tryPerform } from '../api/page-action.ts'
import { go } from '../api/place.ts'
import { useCall } from '../api/read.ts'
import { MediaSwitch } from '../handset/media-switch.tsx'
import { Logo } from '../handset/phone.tsx'
import { ActionButton } from '../ui/action-button.tsx'
import { Select } from '../ui/fields.tsx'
import { FormButton } from '../ui/form-button.tsx'
import { Facts, Id, Loaded, NotShown, PageHead, Panel, RecordLink, Status, When } from '../ui/parts.tsx'
import { ReadPanel } from '../ui/table.tsx'
import { fieldTitle } from '../ui/text.ts'
import { reinstate, review, setLaunch, submit, suspend } from './actions.ts'

interface Listed {
  agent_id: string
  display_name: string | null
  status: string
  use_case: string
  launched_on: string[]
}

export function Agents() {
  const world = useCall(['world', 'show'], { everyMs: 2_000 })
  return (
    <>
      <PageHead title="Agents">
        <span class="space" />
        <FormButton
          title="Create live agent"
          note="The agent is approved and launched at once. Only a sandbox can do this."
          noun="agents"
          verb="provision"
          kind=""
          then={openAgent}
        />
        <FormButton title="Create draft" noun="agents" verb="create" kind="main" then={openAgent} />
      </PageHead>
      <ReadPanel
        title="All agents"
        read={world}
        rows={({ agents }) => agents as unknown as Listed[]}
        keyOf={({ agent_id }) => agent_id}
        columns={[
          {
            title: 'Name',
            cell: ({ agent_id, display_name }) => display_name ?? agent_id,
            to: ({ agent_id }) => ({ page: 'agents', id: agent_id }),
          },
          { title: 'Status', cell: ({ status }) => <Status of={status} /> },
          { title: 'Use case', cell: ({ use_case }) => use_case },
          { title: 'Launched on', cell: ({ launched_on }) => launched_on.join(', ') || '–' },
          { title: 'Id', cell: ({ agent_id }) => <Id of={agent_id} /> },
        ]}
      />
      <TestAgent />
    </>
  )
}

const openAgent = ({ agent_id }: { agent_id: string }) => go({ page: 'agents', id: agent_id })

/** The Test Agent, which sends to one verified phone. */
function TestAgent() {
  const read = useCall(['testAgent', 'status'], { everyMs: 2_000 })
  return (
    <Panel title="Test Agent">
      <Loaded read={read}>
        {({ phone, verified, code_expires_at, messages_used, messages_left }) => (
          <>
            <Facts
              of={[
                ['Phone', <RecordLink id={phone} />],
                ['Verified', verified ? 'yes' : 'no'],
                ['Code valid until', <When at={code_expires_at} />],
                ['Messages', `${messages_used} used, ${messages_left} left`],
              ]}
            />
            <p class="choices">
              <FormButton
                title="Register a phone"
                noun="testAgent"
                verb="register"
                button="Send code"
                describe={() => 'The phone shows the code.'}
              />
              <FormButton title="Verify the code" noun="testAgent" verb="verify" initial={{ phone }} button="Verify" />
              <FormButton
                title="Send a message"
                noun="testAgent"
                verb="send"
                initial={{ to: phone }}
                button="Send"
                describe={({ message_id }: { message_id: string }) => `Sent as ${message_id}.`}
              />
            </p>
          </>
        )}
      </Loaded>
    </Panel>
  )
}

const BACK = ['agents', 'Agents'] as const

export function OneAgent({ id }: { id: string }) {
  const agent = useCall(['agents', 'get', id], { everyMs: 2_000 })
  const launch = useCall(['agents', 'launch', id], { everyMs: 2_000 })
  if (agent.error && !agent.value) return <NotShown title={`Agent ${id}`} read={agent} back={BACK} />
  return (
    <>
      <PageHead title={agent.value?.display_name ?? `Agent ${id}`} back={BACK}>
        {agent.value && <Status of={agent.value.status} />}
        <span class="space" />
        {agent.value && <AgentActions agent={agent.value} />}
      </PageHead>
      <ReadPanel
        title="Launch per carrier"
        read={launch}
        rows={({ carriers }) => carriers}
        keyOf={({ carrier }) => carrier}
        empty="No launches yet. Each carrier decides after the agent is approved."
        columns={[
          { title: 'Carrier', cell: ({ carrier }) => carrier },
          { title: 'Status', cell: ({ status }) => <Status of={status} /> },
          { title: 'Launched', when: ({ launched_at }) => launched_at },
          { title: 'Rejection reason', cell: ({ rejection_reason }) => rejection_reason ?? '–' },
          {
            title: 'Change',
            cell: ({ carrier, status }) => (
              <Select
                label={`Launch on ${carrier}`}
                value={status}
                options={LAUNCH_STATUSES}
                choose={(chosen) => void tryPerform(setLaunch(id, carrier, chosen), () => `${carrier}: ${chosen}.`)}
              />
            ),
          },
        ]}
      />
      <Loaded read={agent}>
        {(one) => (
          <Panel title="Brand" aside={<MediaSwitch />}>
            <Brand of={one} />
            {one.status === 'DRAFT' || one.status === 'REJECTED' ? (
              <p class="choices">
                <FormButton
                  title="Edit agent"
                  noun="agents"
                  verb="update"
                  fixed={{ id }}
                  initial={one}
                  button="Save"
                  describe={() => 'Saved.'}
                />
              </p>
            ) : (
              <p class="note">The agent is {one.status}. Only a draft or rejected agent can be edited.</p>
            )}
          </Panel>
        )}
      </Loaded>
    </>
  )
}

const SHOWN_ABOVE = ['display_name', 'description', 'status']

/** The brand as users see it, then the fields that are set. */
const Brand = ({ of: one }: { of: AgentAnswer }) => (
  <>
    <p class="brand-card">
      <Logo sender={{ ...one, name: one.display_name ?? '?', isVerified: false }} />
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
        .filter(([name, value]) => value !== null && !SHOWN_ABOVE.includes(name))
        .map(
          ([name, value]) =>
            [
              fieldTitle(name),
              name.endsWith('_at') ? <When at={String(value)} /> : <bdi>{String(value)}</bdi>,
            ] as const,
        )}
    />
  </>
)

/** The actions of each status (choices, "Agents and campaigns"). */
function AgentActions({ agent: { agent_id: id, status } }: { agent: AgentAnswer }) {
  const needs = (...wanted: string[]) =>
    wanted.includes(status) ? undefined : `The agent is ${status}. This needs status ${wanted.join(' or ')}.`
  const actions = [
    ['Submit', submit(id), needs('DRAFT', 'REJECTED')],
    ['Approve', review(id, 'approved'), needs('PENDING_REVIEW')],
    ['Reject', review(id, 'rejected'), needs('PENDING_REVIEW')],
    ['Suspend', suspend(id), needs('APPROVED')],
    ['Reinstate', reinstate(id), needs('SUSPENDED')],
  ] as const
  return (
    <span class="choices">
      {actions.map(([word, act, because]) => (
        <ActionButton key={word} act={act} because={because}>
          {word}
        </ActionButton>
      ))}
    </span>
  )
}
